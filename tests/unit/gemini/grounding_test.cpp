// SPDX-License-Identifier: MIT
#include "gemini/grounding.h"

#include <gtest/gtest.h>

#include <string>

#include "gemini/model_catalog.h"
#include "gemini/request.h"
#include "gemini/stream_decoder.h"

namespace yume::gemini {
namespace {

TEST(Grounding, IsReadFromTheCandidate) {
  StreamDecoder decoder;
  const auto chunk = decoder.decode(
      R"({"candidates":[{"content":{"parts":[{"text":"a"}]},"groundingMetadata":{)"
      R"("searchEntryPoint":{"renderedContent":"<b>"},"webSearchQueries":["q"],)"
      R"("groundingChunks":[{"web":{"uri":"u1","title":"t1","domain":"d1"}},{"maps":{"uri":"m"}}],)"
      R"("groundingSupports":[{"segment":{"startIndex":0,"endIndex":1,"text":"a"},)"
      R"("groundingChunkIndices":[0,1],"confidenceScores":[0.5]},)"
      R"({"segment":{"endIndex":-1},"groundingChunkIndices":["x"]}]}}]})");
  ASSERT_TRUE(chunk.ok()) << chunk.error().message;
  const Grounding expected{.queries = {"q"},
                           .sources = {{.uri = "u1", .title = "t1", .domain = "d1"}, {}},
                           .supports = {{.text = "a", .end = 1, .sources = {0, 1}},
                                        {.text = "", .end = SIZE_MAX, .sources = {SIZE_MAX}}}};
  EXPECT_EQ(chunk->grounding, expected);
  EXPECT_EQ(chunk->parts.size(), 1U);
}

TEST(Grounding, IsAbsentInMostReplies) {
  StreamDecoder decoder;
  const auto chunk = decoder.decode(R"({"candidates":[{"groundingMetadata":null}]})");
  ASSERT_TRUE(chunk.ok());
  EXPECT_FALSE(chunk->grounding);
}

TEST(Grounding, MarksTheStretchesThatHaveSources) {
  const std::string text = "One. Tw\xC3\xB6. Three.";
  EXPECT_EQ(with_marks(text,
                       {{.text = "Tw\xC3\xB6.", .end = 10, .sources = {1, 0, 1}},
                        {.text = "One.", .end = 4, .sources = {2}},
                        {.text = "Three.", .end = 99, .sources = {0}},
                        {.text = "absent", .end = 3, .sources = {0}},
                        {.text = "", .end = 8, .sources = {0}},
                        {.text = "", .end = SIZE_MAX, .sources = {0}},
                        {.text = "One.", .end = 4, .sources = {7}}},
                       {1, 2, 0}),
            "One. Tw\xC3\xB6.[1][2] Three.[1]");
}

TEST(Grounding, IsAskedForWithoutFunctions) {
  History history;
  history.add_user_text("q");
  const auto prefix = [&history](RequestSettings settings) {
    const RequestEncoder encoder(model_info("gemini-3.8-flash"), std::move(settings));
    return std::string(encoder.body(history, "").front());
  };
  EXPECT_EQ(prefix({.google_search = true}), R"({"tools":[{"googleSearch":{}}],"contents":[)");
  EXPECT_EQ(prefix({}), R"({"contents":[)");
  EXPECT_EQ(prefix({.functions = {{.name = "f", .description = "d", .parameters = {"{}"}}},
                    .google_search = true})
                .find("googleSearch"),
            std::string::npos);
}

}  // namespace
}  // namespace yume::gemini
