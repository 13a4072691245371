// SPDX-License-Identifier: MIT
#include "gemini/request.h"

#include "gemini/model_catalog.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::gemini {
namespace {

std::string body(const RequestEncoder& encoder, const History& history) {
  std::string text;
  for (const std::string_view segment : encoder.body(history)) text += segment;
  return text;
}

TEST(RequestEncoder, EncodesEverythingInOneBody) {
  const RequestEncoder encoder(
      model_info("gemini-3.8-flash"),
      {.system_instruction = "Be \xC3\xA9xact.\n",
       .functions = {
           {.name = "Read", .description = "Reads.", .parameters = {R"({ "type": "object" })"}},
           {.name = "Bash", .description = "Runs.", .parameters = {"{}"}}}});
  History history;
  history.add_user_text("hi");
  EXPECT_EQ(body(encoder, history),
            R"({"systemInstruction":{"parts":[{"text":"Be \u00e9xact.\n"}]},)"
            R"("tools":[{"functionDeclarations":[)"
            R"({"name":"Read","description":"Reads.","parametersJsonSchema":{"type":"object"}},)"
            R"({"name":"Bash","description":"Runs.","parametersJsonSchema":{}}]}],)"
            R"("toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},)"
            R"("generationConfig":{"maxOutputTokens":65536,)"
            R"("thinkingConfig":{"includeThoughts":true}},)"
            R"("contents":[{"role":"user","parts":[{"text":"hi"}]}]})");
}

TEST(RequestEncoder, LeavesOutWhatIsNotThere) {
  const RequestEncoder encoder(model_info("gemini-2.0-flash"),
                               {.system_instruction = "", .functions = {}});
  History history;
  history.add_user_text("hi");
  EXPECT_EQ(body(encoder, history), R"({"generationConfig":{"maxOutputTokens":8192},)"
                                    R"("contents":[{"role":"user","parts":[{"text":"hi"}]}]})");
}

TEST(RequestEncoder, KeepsThePrefixTheSameWhileTheHistoryGrows) {
  const RequestEncoder encoder(model_info("gemini-3.8-flash"),
                               {.system_instruction = "s", .functions = {}});
  History history;
  history.add_user_text("one");
  const std::string first = body(encoder, history);
  history.add_model_parts({R"({"text":"two"})"});
  const std::string second = body(encoder, history);
  EXPECT_TRUE(second.starts_with(first.substr(0, first.size() - 2)));
}

}  // namespace
}  // namespace yume::gemini
