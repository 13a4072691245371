// SPDX-License-Identifier: MIT
#include "gemini/model_answer.h"

#include "gemini/model_catalog.h"

#include <gtest/gtest.h>

namespace yume::gemini {
namespace {

TEST(ParseModelAnswer, ReadsOneModel) {
  const auto answer = parse_model_answer(
      R"({"name":"models/gemini-3.8-flash","version":"3.8","inputTokenLimit":1048576,
          "outputTokenLimit":65536,"supportedGenerationMethods":["generateContent","countTokens"],
          "thinking":true,"temperature":1})");
  ASSERT_TRUE(answer.ok());
  const ModelAnswer expected{.models = {{.id = "gemini-3.8-flash",
                                         .input_tokens = 1'048'576,
                                         .output_tokens = 65'536,
                                         .thinking = true}}};
  EXPECT_EQ(*answer, expected);
}

TEST(ParseModelAnswer, ReadsAPageOfModels) {
  const auto answer = parse_model_answer(
      R"({"models":[{"name":"models/a","supportedGenerationMethods":["embedContent"]},
                    {"inputTokenLimit":5},7,
                    {"name":"publishers/google/models/b","inputTokenLimit":"many",
                     "outputTokenLimit":-1,"thinking":"yes"}],"nextPageToken":"next"})");
  ASSERT_TRUE(answer.ok());
  const ModelAnswer expected{.models = {{.id = "a", .generates = false}, {.id = "b"}},
                             .next_page_token = "next"};
  EXPECT_EQ(*answer, expected);
}

TEST(ParseModelAnswer, RefusesWhatDescribesNoModel) {
  for (const char* body :
       {"", "not json", "[]", "{}", R"({"name":5})", R"({"error":{"code":404}})"}) {
    const auto answer = parse_model_answer(body);
    ASSERT_FALSE(answer.ok()) << body;
    EXPECT_EQ(answer.error().code, ErrorCode::protocol);
  }
}

TEST(Refine, LetsTheServersLimitsWin) {
  const ModelInfo known = model_info("gemini-3.8-flash");
  const ModelInfo refined =
      refine(known, {.id = "gemini-3.8-flash", .input_tokens = 131'072, .output_tokens = 1'000});
  EXPECT_EQ(refined.context_window, 131'072);
  EXPECT_EQ(refined.max_output_tokens, 1'000);
  EXPECT_EQ(refined.thinking, known.thinking);
  EXPECT_EQ(refined.prices, known.prices);
  EXPECT_EQ(refine(known, {.id = "gemini-3.8-flash"}), known);
}

TEST(Refine, SwitchesThinkingOnlyOff) {
  EXPECT_EQ(refine(model_info("gemini-9-x"), {.thinking = false}).thinking, ThinkingControl::none);
  EXPECT_EQ(refine(model_info("gemini-2.0-flash"), {.thinking = true}).thinking,
            ThinkingControl::none);
}

TEST(Refine, KeepsOneStreamsShareOfALongDecode) {
  const ModelInfo known = model_info("gemini-4-argon");
  EXPECT_EQ(refine(known, {.output_tokens = 1'048'576}).max_output_tokens, 65'536);
  EXPECT_EQ(refine(known, {.output_tokens = 32'768}).max_output_tokens, 32'768);
}

}  // namespace
}  // namespace yume::gemini
