// SPDX-License-Identifier: MIT
#include "protocol/acp/inbound.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "protocol/acp/ticket.h"
#include "protocol/line_outline.h"

namespace yume::protocol {
namespace {

std::string request(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":)" + params + "}";
}

// The command in the line; fails the test when it has another one.
template <class Command>
Command read(const std::string& line) {
  const HostMessage message = parse_acp_line(line);
  const auto* command = std::get_if<core::Command>(&message.content);
  const auto* wanted = command == nullptr ? nullptr : std::get_if<Command>(command);
  EXPECT_NE(wanted, nullptr) << line;
  return wanted == nullptr ? Command{} : *wanted;
}

std::string refusal(const std::string& line) {
  const auto refused = read<core::Refused>(line);
  return refused.code + ": " + refused.why;
}

TEST(AcpInbound, ReadsWhatAClientCanDo) {
  const auto said = read<core::Greet>(request(
      "initialize", R"({"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,)"
                    R"("writeTextFile":false},"session":{"notices":{}}}})"));
  EXPECT_EQ(said, (core::Greet{.abilities = {.reads_files = true}, .takes_notices = true}));
  EXPECT_EQ(read<core::Greet>(request("initialize", R"({"protocolVersion":999})")), core::Greet{});
  EXPECT_EQ(read<core::Greet>(request(
                "initialize", R"({"protocolVersion":1,"clientCapabilities":{"terminal":true}})")),
            (core::Greet{.abilities = {.shows_terminals = true}}));
}

TEST(AcpInbound, KeepsWhatTheReplyNeeds) {
  const HostMessage message =
      parse_acp_line(R"({"jsonrpc":"2.0","id":"a\"b","method":"session/set_config_option",)"
                     R"("params":{"sessionId":"s","configId":"thinking","value":"low"}})");
  EXPECT_EQ(message.session_id, "s");
  EXPECT_EQ(decode_ticket(message.reply_to), (AcpTicket{.id = {R"("a\"b")"},
                                                        .method = "session/set_config_option",
                                                        .session_id = "s",
                                                        .option = "thinking",
                                                        .value = "low"}));
  EXPECT_EQ(std::get<core::Command>(message.content), core::Command(core::SetThinking{1024}));
}

TEST(AcpInbound, ReadsSessionsWithTheirServers) {
  const auto wanted = read<core::OpenSession>(request(
      "session/load",
      R"({"sessionId":"s","cwd":"/p","additionalDirectories":["/q"],"mcpServers":[)"
      R"({"name":"a","command":"c","args":["x"],"env":[{"name":"N","value":"v"}]},)"
      R"({"type":"sse","name":"b","url":"http://h","headers":[{"name":"H","value":"w"}]}]})"));
  EXPECT_EQ(
      wanted,
      (core::OpenSession{
          .past = core::OpenSession::Past::replayed,
          .id = "s",
          .cwd = "/p",
          .more_directories = {"/q"},
          .servers = {{.name = "a",
                       .how = core::McpProgram{.command = "c", .args = {"x"}, .env = {{"N", "v"}}}},
                      {.name = "b",
                       .how = core::McpRemote{.form = core::McpRemote::Form::sse,
                                              .url = "http://h",
                                              .headers = {{"H", "w"}}}}}}));
}

TEST(AcpInbound, ReadsPromptsAsTurnsOfTheirOwn) {
  const auto prompt = read<core::Prompt>(request(
      "session/prompt", R"({"sessionId":"s","prompt":[{"type":"text","text":"a "},)"
                        R"({"type":"resource_link","name":"f","uri":"file:///p/a%20b"},)"
                        R"({"type":"text","text":" c"},)"
                        R"({"type":"resource","resource":{"uri":"file:///p/d","text":"in"}}]})"));
  EXPECT_EQ(prompt.message.blocks,
            (std::vector<core::UserBlock>{"a [@f](/p/a b) c[@d](/p/d)",
                                          "\n<context ref=\"/p/d\">\nin\n</context>"}));
  EXPECT_EQ(prompt.urgency, core::Prompt::Urgency::later);
  EXPECT_FALSE(prompt.uuid.empty());
}

TEST(AcpInbound, SaysWhatIsWrongWithParameters) {
  EXPECT_EQ(refusal(request("initialize", "{}")),
            R"(invalid_params: "protocolVersion" must be an integer)");
  EXPECT_EQ(refusal(request("session/new", R"({"cwd":"p"})")),
            R"(invalid_params: "cwd" must be an absolute path)");
  EXPECT_EQ(refusal(request("session/new", "[]")), R"(invalid_params: "params" must be an object)");
  EXPECT_EQ(refusal(request("session/prompt", R"({"prompt":[]})")),
            R"(invalid_params: "sessionId" must be a string)");
  EXPECT_EQ(refusal(request("session/set_mode", R"({"sessionId":"s","modeId":"x"})")),
            "invalid_params: there is no mode 'x'");
  EXPECT_EQ(refusal(request("session/new", R"({"cwd":"/p","mcpServers":[{"name":"a"}]})")),
            R"(invalid_params: "command" must be a string)");
}

TEST(AcpInbound, AnswersWhatIsNoMessage) {
  EXPECT_TRUE(refusal("{").starts_with("parse_error: "));
  EXPECT_TRUE(refusal("[]").starts_with("invalid_message: "));
  EXPECT_TRUE(refusal("17").starts_with("invalid_message: "));
  EXPECT_EQ(decode_ticket(parse_acp_line("{").reply_to).id.json, "null");
  EXPECT_EQ(read<core::Unsupported>(request("_vendor/x", "{}")).what, "_vendor/x");
}

TEST(AcpInbound, NeverAnswersNotificationsAndBlankLines) {
  for (const char* line : {"", "  \r", R"({"jsonrpc":"2.0","method":"_vendor/x"})",
                           R"({"jsonrpc":"2.0","method":"session/cancel","params":{}})"}) {
    const HostMessage message = parse_acp_line(line);
    EXPECT_EQ(std::get<core::Command>(message.content), core::Command(core::Ignored{})) << line;
    EXPECT_EQ(message.reply_to, "");
  }
  const HostMessage cancel =
      parse_acp_line(R"({"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}})");
  EXPECT_EQ(cancel, (HostMessage{.content = core::Command(core::Interrupt{.cancel_queued = true}),
                                 .session_id = "s"}));
}

TEST(AcpInbound, TakesAnswersToItsOwnRequests) {
  EXPECT_EQ(
      parse_acp_line(R"({"jsonrpc":"2.0","id":"q","result":{"a":1}})"),
      (HostMessage{.content = RawAnswer{.request_id = "q", .response = RawJson{R"({"a":1})"}}}));
  EXPECT_EQ(parse_acp_line(R"({"jsonrpc":"2.0","id":"q","error":{"code":1,"message":"no"}})"),
            (HostMessage{
                .content = RawAnswer{.request_id = "q", .response = std::nullopt, .error = "no"}}));
}

TEST(AcpInbound, AnswersALineThatIsTooLong) {
  const auto refused = [](const std::string& text) {
    LongLine line{.bytes = text.size(), .outline = JsonOutline(k_line_outline)};
    line.outline.feed(text);
    return refuse_acp_line(line, 8);
  };
  const HostMessage message = refused(R"({"params":{"id":5},"id":"x","method":"session/prompt"})");
  EXPECT_EQ(decode_ticket(message.reply_to).id.json, R"("x")");
  const HostMessage answer = refused(R"({"id":"q","result":{"content":"..."}})");
  EXPECT_EQ(std::get<RawAnswer>(answer.content).request_id, "q");
  EXPECT_NE(std::get<RawAnswer>(answer.content).error, "");
  EXPECT_EQ(std::get<core::Command>(refused(R"({"method":"m"})").content),
            core::Command(core::Ignored{}));
}

}  // namespace
}  // namespace yume::protocol
