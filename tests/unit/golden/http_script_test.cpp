// SPDX-License-Identifier: MIT
#include "support/http_script.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::test {
namespace {

using demo::CloseConnection;
using demo::ResetConnection;
using demo::Script;
using demo::SendBytes;
using demo::Stall;
using demo::Step;
using demo::WaitForGate;

HttpScript parsed(std::string_view text) {
  auto script = parse_http_script(text);
  EXPECT_TRUE(script.ok()) << (script.ok() ? "" : script.error().message);
  return script.ok() ? std::move(script).value() : HttpScript{};
}

std::string parse_error(std::string_view text) {
  const auto script = parse_http_script(text);
  return script.ok() ? "" : script.error().message;
}

TEST(HttpScript, MakesEachStretchOnePieceWithCrlfForEventStreams) {
  const Script expected{.headers = {{"Content-Type", "text/event-stream"}},
                        .steps = {SendBytes{"data: 1\r\n\r\n"}, WaitForGate{"one two"},
                                  SendBytes{"data: 2\r\n\r\n"}, SendBytes{"data: 3\r\n\r\n"}}};
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\n"
                   "data: 1\n\n#gate one two\n## a comment\ndata: 2\n\n#chunk\ndata: 3\n\n"),
            HttpScript(expected));
}

TEST(HttpScript, SendsOtherBodiesWithLfAndTheirLastLineAsWritten) {
  EXPECT_EQ(
      parsed("HTTP/1.1 429 Too Many\nContent-Length: 5\n\na\nb\nc"),
      HttpScript(Script{
          .status = 429, .headers = {{"Content-Length", "5"}}, .steps = {SendBytes{"a\nb\nc"}}}));
}

TEST(HttpScript, LineEndDirectivesOverrideFromTheirLineOn) {
  EXPECT_EQ(steps_of(parsed("HTTP/1.1 200 OK\nContent-Length: 6\n\na\n#crlf\nb\n#lf\nc\n")).at(0),
            Step(SendBytes{"a\nb\r\nc\n"}));
}

TEST(HttpScript, RawJoinsItsStretchWithoutALineEnd) {
  EXPECT_EQ(steps_of(parsed("HTTP/1.1 200 OK\nContent-Length: 9\n\n"
                            "#raw #\\x41\\n\\r\\t\\\\\\\"\\0\nz\n"))
                .at(0),
            Step(SendBytes{std::string("#A\n\r\t\\\"\0z\n", 10)}));
}

TEST(HttpScript, IsRawWhenItFramesItsChunksItself) {
  EXPECT_EQ(
      parsed("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n#raw ff\\r\\nhalf\n#close\n"),
      HttpScript(RawScript{{SendBytes{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"},
                            SendBytes{"ff\r\nhalf"}, CloseConnection{}}}));
}

TEST(HttpScript, IsRawWithoutAHead) {
  EXPECT_EQ(parsed("## nothing said\n#reset\n"), HttpScript(RawScript{{ResetConnection{}}}));
  EXPECT_EQ(parsed("#raw SSH-2.0\\r\\n\n#stall\n"),
            HttpScript(RawScript{{SendBytes{"SSH-2.0\r\n"}, Stall{}}}));
}

TEST(HttpScript, IsRawInHttp10AndClosesThen) {
  EXPECT_EQ(parsed("HTTP/1.0 200 OK\n\nx\n"),
            HttpScript(RawScript{
                {SendBytes{"HTTP/1.0 200 OK\r\n\r\n"}, SendBytes{"x\n"}, CloseConnection{}}}));
}

TEST(HttpScript, NeedsNoBody) {
  EXPECT_EQ(parsed("HTTP/1.1 204 No Content\n"), HttpScript(Script{.status = 204}));
}

TEST(HttpScript, AcceptsFilesWithCrlfLines) {
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na\r\n"),
            parsed("HTTP/1.1 200 OK\nContent-Length: 2\n\na\n"));
}

TEST(HttpScript, NamesTheLineOfAMistake) {
  EXPECT_EQ(parse_error("hello\n"), "line 1: expected a status line or a directive");
  EXPECT_EQ(parse_error("HTTP/1.1 fine\n"), "line 1: expected a status of three digits");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\nnonsense\n"),
            "line 2: expected a header or an empty line");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#gate\n"), "line 3: #gate needs a name");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#sleep 5\n"), "line 3: #sleep takes no argument");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#sleep\n"), "line 3: unknown directive #sleep");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#close\nmore\n"),
            "line 4: nothing can follow #close, #reset or #stall");
  EXPECT_NE(parse_error("HTTP/1.1 200 OK\n\n#raw \\q\n"), "");
  EXPECT_NE(parse_error("HTTP/1.1 200 OK\n\n#raw \\x4\n"), "");
  EXPECT_NE(parse_error(""), "");
}

}  // namespace
}  // namespace yume::test
