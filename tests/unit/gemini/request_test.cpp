// SPDX-License-Identifier: MIT
#include "gemini/request.h"

#include "gemini/model_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace yume::gemini {
namespace {

std::string body(const RequestEncoder& encoder, const History& history,
                 const RequestVariant& variant = {}) {
  const std::string tail = encoder.tail(variant);
  std::string text;
  for (const std::string_view segment : encoder.body(history, tail)) text += segment;
  return text;
}

TEST(RequestEncoder, EncodesEverythingInOneBody) {
  const RequestEncoder encoder(
      model_info("gemini-3.8-flash"),
      {.system_instruction = "Be \xC3\xA9xact.\n",
       .functions = {
           {.name = "Read",
            .description = "Reads.",
            .parameters =
                {R"({ "type": "object", "$schema": "x", "properties": {"path": {"type": "string"}}})"}},
           {.name = "Bash", .description = "Runs.", .parameters = {"{}"}}}});
  History history;
  history.add_user_text("hi");
  EXPECT_EQ(body(encoder, history),
            R"({"systemInstruction":{"parts":[{"text":"Be \u00e9xact.\n"}]},)"
            R"("tools":[{"functionDeclarations":[)"
            R"({"name":"Read","description":"Reads.","parametersJsonSchema":{"type":"object",)"
            R"("properties":{"path":{"type":"string"}}}},)"
            R"({"name":"Bash","description":"Runs."}]}],)"
            R"("contents":[{"role":"user","parts":[{"text":"hi"}]}],)"
            R"("toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},)"
            R"("generationConfig":{"maxOutputTokens":65536,)"
            R"("thinkingConfig":{"includeThoughts":true}},)"
            R"("safetySettings":[)"
            R"({"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"},)"
            R"({"category":"HARM_CATEGORY_HATE_SPEECH","threshold":"OFF"},)"
            R"({"category":"HARM_CATEGORY_SEXUALLY_EXPLICIT","threshold":"OFF"},)"
            R"({"category":"HARM_CATEGORY_DANGEROUS_CONTENT","threshold":"OFF"}]})");
}

TEST(RequestEncoder, SendsACleanSchemaAsItIs) {
  const auto text = [](const char* schema) {
    const RequestEncoder encoder(
        model_info("gemini-3.8-flash"),
        {.functions = {
             {.name = "f", .description = "d", .parameters = {schema}, .is_clean = true}}});
    return body(encoder, History());
  };
  EXPECT_THAT(text(R"({"type":"object","marked":true})"),
              testing::HasSubstr(R"("parametersJsonSchema":{"type":"object","marked":true})"));
  EXPECT_THAT(text(R"({"type":"object","properties":{}})"),
              testing::Not(testing::HasSubstr("parametersJsonSchema")));
}

TEST(RequestEncoder, LeavesOutWhatIsNotThere) {
  const RequestEncoder encoder(model_info("gemini-2.0-flash"), {.safety = Safety::server});
  History history;
  history.add_user_text("hi");
  EXPECT_EQ(body(encoder, history), R"({"contents":[{"role":"user","parts":[{"text":"hi"}]}],)"
                                    R"("generationConfig":{"maxOutputTokens":8192}})");
}

TEST(RequestEncoder, KeepsThePrefixTheSameWhileTheHistoryGrows) {
  const RequestEncoder encoder(model_info("gemini-3.8-flash"), {.system_instruction = "s"});
  History history;
  history.add_user_text("one");
  const std::string first = body(encoder, history);
  history.add_model_parts({R"({"text":"two"})"});
  const std::string second = body(encoder, history);
  EXPECT_TRUE(second.starts_with(first.substr(0, first.find("]}],\"generation"))));
}

std::string config(const std::string& model, RequestSettings settings,
                   const RequestVariant& variant = {}) {
  settings.safety = Safety::server;
  return RequestEncoder(model_info(model), std::move(settings)).tail(variant);
}

TEST(RequestEncoder, SendsLevelOrBudgetAndNeverBoth) {
  const ThinkingRequest high{.effort = Effort::high, .max_tokens = {}, .mode = {}};
  EXPECT_EQ(config("gemini-3.8-flash", {.thinking = high}),
            R"(,"generationConfig":{"maxOutputTokens":65536,)"
            R"("thinkingConfig":{"includeThoughts":true,"thinkingLevel":"HIGH"}}})");
  EXPECT_EQ(config("gemini-2.5-flash", {.thinking = high}),
            R"(,"generationConfig":{"maxOutputTokens":65536,)"
            R"("thinkingConfig":{"includeThoughts":true,"thinkingBudget":24576}}})");
  EXPECT_EQ(config("gemini-2.0-flash", {.thinking = high}),
            R"(,"generationConfig":{"maxOutputTokens":8192}})");
  EXPECT_EQ(config("gemini-3.8-flash", {.thinking = high}, {.thinking = false}),
            R"(,"generationConfig":{"maxOutputTokens":65536}})");
  EXPECT_EQ(config("gemini-3.8-flash", {.thinking = high}, {.least_thinking = true}),
            R"(,"generationConfig":{"maxOutputTokens":65536,)"
            R"("thinkingConfig":{"includeThoughts":true,"thinkingLevel":"LOW"}}})");
}

TEST(RequestEncoder, KeepsTheOutputWithinTheModelsLimit) {
  const auto tokens = [](const std::string& model, std::int64_t wanted) {
    const std::string text = config(model, {.max_output_tokens = wanted}, {.thinking = false});
    return text.substr(text.find("Tokens\":") + 8);
  };
  EXPECT_EQ(tokens("gemini-3.8-flash", 1000), "1000}}");
  EXPECT_EQ(tokens("gemini-3.8-flash", 100'000), "65536}}");
  EXPECT_EQ(tokens("gemini-4-argon", 100'000), "100000}}") << "over several streams";
}

TEST(RequestEncoder, AddsWhatATryNeeds) {
  const RequestSettings tools{.functions = {{"T", "d", {"{}"}}}};
  const RequestVariant special{
      .thinking = false, .validated_calls = true, .stream_arguments = true, .continuation = "dG9r"};
  EXPECT_EQ(config("gemini-3.8-flash", tools, special),
            R"(,"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED",)"
            R"("streamFunctionCallArguments":true}},)"
            R"("generationConfig":{"maxOutputTokens":65536},"continuationToken":"dG9r"})");
  const RequestVariant plain{
      .thinking = false, .options = false, .validated_calls = true, .stream_arguments = true};
  const RequestEncoder encoder(model_info("gemini-3.8-flash"), tools);
  EXPECT_EQ(encoder.tail(plain), R"(,"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},)"
                                 R"("generationConfig":{"maxOutputTokens":65536}})");
}

TEST(RequestEncoder, PutsThePromptIntoTheFirstTurnOfAModelWithoutSystemInstruction) {
  const RequestEncoder encoder(model_info("gemma-4-31b-it"),
                               {.system_instruction = "Be exact.", .safety = Safety::server});
  History history;
  history.add_user_text("hi");
  EXPECT_TRUE(body(encoder, history, {.thinking = false})
                  .starts_with(R"({"contents":[{"role":"user","parts":[{"text":"Be exact."}]},)"
                               R"({"role":"model","parts":[{"text":"Understood."}]},)"
                               R"({"role":"user","parts":[{"text":"hi"}]}],)"));
}

}  // namespace
}  // namespace yume::gemini
