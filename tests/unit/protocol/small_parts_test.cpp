// SPDX-License-Identifier: MIT
// The small parts of the host side: control lines, overflow, the line writer.
#include "protocol/claude/control_lines.h"
#include "protocol/line_writer.h"
#include "protocol/overflow.h"
#include "support/line_checks.h"
#include "support/recorded_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::protocol {
namespace {

TEST(ControlLines, AnswerWithSuccess) {
  const std::string line = control_success("r\"1", {R"({"still_queued": []})"});
  EXPECT_EQ(line, R"({"type":"control_response","response":{"subtype":"success",)"
                  R"("request_id":"r\"1","response":{"still_queued":[]}}})");
  test::expect_good_line(line);
}

TEST(ControlLines, AnswerWithAnError) {
  const std::string line = control_error("r1", "Unsupported: \xC3\xA9", "unsupported_request");
  EXPECT_EQ(line, R"({"type":"control_response","response":{"subtype":"error","request_id":"r1",)"
                  R"("error":"Unsupported: \u00e9","error_code":"unsupported_request"}})");
  test::expect_good_line(line);
}

TEST(ControlLines, AnswerInitializeWithWhatTheSdksWant) {
  const InitializeDone done{
      .models = {{.id = "gemini-x", .description = "Google Gemini", .thinks = true}},
      .commands = {},
      .agents = {{.name = "Plan", .description = "Plans"},
                 {.name = "x", .description = "", .model = "m"}},
      .credential_source = "GEMINI_API_KEY"};
  EXPECT_EQ(initialize_response(done).text,
            R"({"commands":[],"agents":[{"name":"Plan","description":"Plans"},)"
            R"({"name":"x","description":"","model":"m"}],"output_style":"default",)"
            R"("available_output_styles":["default"],"models":[{"value":"gemini-x",)"
            R"("resolvedModel":"gemini-x","displayName":"gemini-x","description":"Google Gemini",)"
            R"("supportsEffort":true,"supportedEffortLevels":["low","medium","high"]}],)"
            R"("account":{"apiProvider":"gemini",)"
            R"("apiKeySource":"GEMINI_API_KEY"},"claude_code_version":"2.1.325",)"
            R"("current_permission_mode":"default","session_state":"idle"})");
}

std::size_t quoted_size(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out.size();
}

TEST(Fit, LeavesWhatFitsAlone) {
  test::MemoryOverflow store;
  const std::string text(9'998, 'x');
  EXPECT_EQ(fit(text, 10'000, "name", store), text);
  EXPECT_TRUE(store.kept.empty());
}

TEST(Fit, CutsAndSaysWhereTheWholeTextIs) {
  test::MemoryOverflow store;
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += "\xC3\xA9";
  const std::string cut = fit(text, 10'000, "name", store);
  EXPECT_LE(quoted_size(cut), 10'000U);
  const std::size_t shown = cut.find("\n\n[cut here: ");
  ASSERT_NE(shown, std::string::npos);
  EXPECT_EQ(cut.substr(0, shown), text.substr(0, shown));
  EXPECT_EQ(cut.substr(shown), "\n\n[cut here: " + std::to_string(10'000 - shown) +
                                   " of 10000 bytes are not shown; the whole text is in "
                                   "/kept/name.txt]");
  EXPECT_EQ(store.kept["name"], text);
}

TEST(Fit, AdmitsThatItCouldNotKeepTheText) {
  test::MemoryOverflow store;
  store.works = false;
  EXPECT_TRUE(fit(std::string(20'000, 'x'), 10'000, "n", store).ends_with(" bytes are not shown]"));
}

class FailingStream final : public platform::OutputStream {
 public:
  explicit FailingStream(int good) : good_(good) {}
  Result<void> write(std::string_view bytes) override {
    writes.emplace_back(bytes);
    if (good_-- > 0) return {};
    return Error{.code = ErrorCode::io, .message = "broken pipe"};
  }
  std::vector<std::string> writes;

 private:
  int good_;
};

TEST(LineWriter, WritesALineWithOneCall) {
  FailingStream stream(9);
  LineWriter writer(stream);
  writer.line("{}");
  writer.bytes("x");
  EXPECT_EQ(stream.writes, (std::vector<std::string>{"{}\n", "x"}));
  EXPECT_FALSE(writer.broken());
}

TEST(LineWriter, WritesNothingAfterTheReaderHasGone) {
  FailingStream stream(1);
  LineWriter writer(stream);
  writer.line("one");
  writer.line("two");
  EXPECT_TRUE(writer.broken());
  writer.line("three");
  writer.bytes("four");
  EXPECT_EQ(stream.writes, (std::vector<std::string>{"one\n", "two\n"}));
  EXPECT_TRUE(writer.broken());
}

}  // namespace
}  // namespace yume::protocol
