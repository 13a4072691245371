// SPDX-License-Identifier: MIT
#include "golden/runner/standard_values.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "demo/scripted_server.h"
#include "golden/runner/expectation.h"

namespace yume::golden {
namespace {

const std::string k_body = R"({"systemInstruction":{"parts":[{"text":"Be \"brief\".\nNow."}]},)"
                           R"("tools":[{"functionDeclarations":[{"name":"Ls","parameters":{}},)"
                           R"({"name":"Rm","parameters":{"a":1}}]}]})";

std::string shown(const std::string& body, RequestDetail detail) {
  demo::RecordedRequest request;
  request.body = body;
  return request_text(request, detail);
}

FileTree sample(const std::string& body = k_body) {
  FileTree tree;
  tree["stdout.ndjson"].bytes = R"({"type":"system","tools":["Ls","Rm"]})"
                                "\n{}\n";
  tree["requests/01.json"].bytes = shown(body, RequestDetail::full);
  return tree;
}

std::vector<Literal> all_values() {
  std::vector<Literal> out;
  for (const char* name : {"tools", "declarations", "system_prompt"}) {
    for (Literal& literal : literals_of(standard_value(name), sample())) {
      out.push_back(std::move(literal));
    }
  }
  return out;
}

TEST(StandardValues, StandForTheWholeListOfTools) {
  EXPECT_EQ(with_macros(R"({"tools":["Ls","Rm"],"a":1})", all_values()),
            R"({"tools":["%{tools}"],"a":1})");
  EXPECT_EQ(with_macros(R"({"tools":["Ls","Rm","Ask"]})", all_values()),
            R"({"tools":["%{tools}","Ask"]})");
}

TEST(StandardValues, LeaveAnotherListAsItIs) {
  for (const std::string other :
       {R"({"tools":["Ls"]})", R"({"tools":["Rm","Ls"]})", R"({"tools":["Ls","Cp","Rm"]})"}) {
    EXPECT_EQ(with_macros(other, all_values()), other);
  }
}

TEST(StandardValues, StandForTheNamesInARequest) {
  EXPECT_NE(with_macros(shown(k_body, RequestDetail::contents), all_values())
                .find("\"functions\": [\n    \"%{tools}\"\n  ]"),
            std::string::npos);
}

TEST(StandardValues, StandForDeclarationsAndSystemPromptInAWholeRequest) {
  EXPECT_EQ(with_macros(sample()["requests/01.json"].bytes, all_values()),
            shown(R"({"systemInstruction":{"parts":[{"text":"%{system_prompt}"}]},)"
                  R"("tools":[{"functionDeclarations":["%{declarations}"]}]})",
                  RequestDetail::full));
}

TEST(StandardValues, ShowADeclarationThatDiffersInOneCharacter) {
  std::string body = k_body;
  body.replace(body.find("\"a\":1"), 5, "\"a\":2");
  const std::string text = with_macros(sample(body)["requests/01.json"].bytes, all_values());
  EXPECT_EQ(text.find("%{declarations}"), std::string::npos);
  EXPECT_NE(text.find("\"a\": 2"), std::string::npos);
}

TEST(StandardValues, AreAnErrorWhereTheRunDoesNotShowThem) {
  EXPECT_THROW((void)literals_of(StandardValue::tools, {}), std::runtime_error);
  EXPECT_THROW((void)literals_of(StandardValue::system_prompt, sample("{}")), std::runtime_error);
  EXPECT_THROW((void)standard_value("prices"), std::runtime_error);
}

}  // namespace
}  // namespace yume::golden
