// SPDX-License-Identifier: MIT
#include "transcript/gemini_cli/session_reader.h"

#include <gtest/gtest.h>

#include "transcript/convert/byte_source.h"
#include "transcript/convert/claude_target.h"
#include "transcript/convert/gemini_target.h"
#include "transcript/convert/iso_milliseconds.h"
#include "transcript/convert/unified_target.h"
#include "util/json_tree.h"

namespace yume::transcript {
namespace {

using nlohmann::json;

// Which messages there are: "u1 g2" and so on.
class Ids final : public RecordTarget {
 public:
  void begin(const SessionFacts& facts) override { text = facts.id + ":"; }
  void record(SessionRecord record) override {
    text += " " + record.id;
    if (record.is_for_people) text += "?";
    for (const SaidBlock& block : record.blocks) {
      if (const auto* said = std::get_if<SaidText>(&block)) text += "=" + said->text;
    }
  }
  void end() override { text += "."; }

  std::string text;
};

std::string ids_of(std::string_view bytes) {
  TextBytes source(bytes);
  Ids target;
  const auto read = read_gemini_session(source, target);
  return read.ok() ? target.text : "error: " + read.error().message;
}

std::string message(const std::string& id, const std::string& type, const std::string& text) {
  return R"({"id":")" + id + R"(","timestamp":"2026-01-01T00:00:00.000Z","type":")" + type +
         R"(","content":")" + text + R"("})";
}

const std::string k_header =
    R"({"sessionId":"S","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
    R"("lastUpdated":"2026-01-01T00:00:00.000Z"})"
    "\n";
const std::string k_context = message("c", "user", "<session_context> the folder");

TEST(GeminiSession, AppliesTheLinesOfALog) {
  const std::string u1 = message("u1", "user", "one") + "\n";
  const std::string g1 = message("g1", "gemini", "two") + "\n";
  struct Row {
    const char* claim;
    std::string lines;
    const char* expected;
  };
  const std::vector<Row> rows = {
      {"in order", u1 + g1, "S: u1=one g1=two."},
      {"a repeated id keeps its place", u1 + g1 + message("u1", "user", "new"),
       "S: u1=new g1=two."},
      {"a rewind drops the message and what follows",
       u1 + g1 + message("u2", "user", "x") + "\n{\"$rewindTo\":\"g1\"}\n", "S: u1=one."},
      {"a rewind to what is not there drops all",
       u1 + g1 + "{\"$rewindTo\":\"zz\"}\n" + message("u3", "user", "y"), "S: u3=y."},
      {"what was dropped can come again", u1 + g1 + "{\"$rewindTo\":\"g1\"}\n" + g1,
       "S: u1=one g1=two."},
      {"a checkpoint replaces all",
       u1 + g1 + R"({"$set":{"messages":[)" + message("g9", "gemini", "nine") + "]}}\n" +
           message("u9", "user", "ten"),
       "S: g9=nine u9=ten."},
      {"and is looked into by id",
       u1 + R"({"$set":{"messages":[)" + message("g9", "gemini", "nine") + "]}}\n" +
           message("g9", "gemini", "new"),
       "S: g9=new."},
      {"a checkpoint that erases everything real is not believed",
       u1 + g1 + R"({"$set":{"messages":[)" + k_context + "]}}\n", "S: u1=one g1=two."},
      {"unless somebody spoke since",
       u1 + g1 + R"({"$set":{"messages":[)" + k_context + "]}}\n" + message("u2", "user", "on"),
       "S: c?=<session_context> the folder u2=on."},
      {"a header again", u1 + k_header + g1, "S: u1=one g1=two."},
      {"broken lines are passed over", "{\"id\":\"x\",\n" + u1 + "\n\nnull\n" + g1 + "{\"id\":\"g1",
       "S: u1=one g1=two."},
      {"notes are for people", u1 + message("i", "info", "a note"), "S: u1=one i?=a note."},
  };
  for (const Row& row : rows) EXPECT_EQ(ids_of(k_header + row.lines), row.expected) << row.claim;
}

TEST(GeminiSession, ReadsEveryFormOfAFile) {
  const std::string u1 = message("u1", "user", "one");
  const std::string g1 = message("g1", "gemini", "two");
  const std::string object = R"({"sessionId":"S","projectHash":"h","messages":[)";
  EXPECT_EQ(ids_of(object + u1 + "," + g1 + "]}"), "S: u1=one g1=two.");
  EXPECT_EQ(
      ids_of("{\n \"messages\": [\n  " + u1 + ",\n  " + g1 + "\n ],\n \"sessionId\": \"S\"\n}"),
      "S: u1=one g1=two.");
  EXPECT_EQ(ids_of("[" + u1 + "," + g1 + "]"), ": u1=one g1=two.");
  EXPECT_EQ(ids_of(g1), ": g1=two.");
  EXPECT_EQ(ids_of("\xEF\xBB\xBF" + k_header + g1), "S: g1=two.");
  EXPECT_EQ(ids_of(u1 + "\n" + g1 + "\n"), ": u1=one g1=two.") << "a log without its header";
  for (const char* other : {"", "{}", "[1", "text", "{\"role\":\"user\",\"content\":\"x\"}",
                            "{\"uuid\":\"u\",\"sessionId\":\"S\",\"type\":\"user\","
                            "\"message\":{\"role\":\"user\",\"content\":\"x\"}}"}) {
    EXPECT_EQ(ids_of(other), "error: it is no session of Gemini CLI") << other;
  }
}

json unified(const std::string& messages) {
  TextBytes source(messages);
  std::string text;
  UnifiedTarget target(JsonForm::whole, [&text](std::string_view more) { text += more; });
  EXPECT_TRUE(read_gemini_session(source, target).ok());
  return read_json(text);
}

std::vector<json> claude(const std::string& messages) {
  TextBytes source(messages);
  std::vector<json> lines;
  std::string text;
  ClaudeTarget target("2.1", [&](std::string_view more) {
    text += more;
    if (text.ends_with('\n')) lines.push_back(read_json(std::exchange(text, {})));
  });
  EXPECT_TRUE(read_gemini_session(source, target).ok());
  return lines;
}

std::string call(const std::string& name, const std::string& args, const std::string& more) {
  return R"({"id":"k","name":")" + name + R"(","args":)" + args + more + "}";
}

std::string reply_with(const std::string& members) {
  return R"({"id":"g","timestamp":"2026-01-01T00:00:01.250Z","type":"gemini",)" + members + "}";
}

TEST(UnifiedMessages, HaveThoughtsThenCallsWithResultsThenText) {
  const std::string result =
      R"(,"result":[{"functionResponse":{"id":"k","response":{"output":"o"}}}],"status":"success")";
  const std::string written = reply_with(
      R"("content":"text","model":"m","tokens":{"input":3,"output":2,"cached":1,"total":9},)"
      R"("thoughts":[{"subject":"S","description":"d"}],"toolCalls":[)" +
      call("read_file", R"({"absolute_path":"/a","offset":1})", result) + "]");
  const json messages = unified(written);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0],
            read_json(R"({"id":"g","role":"assistant","content":[)"
                      R"({"type":"thinking","thinking":"S: d"},)"
                      R"({"type":"tool_use","id":"k","name":"Read","input":{"file_path":"/a"}},)"
                      R"({"type":"tool_result","tool_use_id":"k","content":"o","is_error":false},)"
                      R"({"type":"text","text":"text"}],"timestamp":1767225601250,"tool":"gemini",)"
                      R"("model":"m","usage":{"inputTokens":3,"outputTokens":2,"totalTokens":9,)"
                      R"("input_tokens":3,"output_tokens":2,"total_tokens":9},"_original":)" +
                      written + "}"));
}

TEST(UnifiedMessages, NameToolsAsTheirReadersDo) {
  const auto named = [](const std::string& name, const std::string& args) {
    const json messages =
        unified(reply_with(R"("content":"","toolCalls":[)" + call(name, args, "") + "]"));
    const json& block = messages.at(0).at("content").at(0);
    return block.at("name").get<std::string>() + block.at("input").dump();
  };
  EXPECT_EQ(named("list_directory", R"({"dir_path":"/d","ignore":["x"]})"),
            R"(Glob{"path":"/d","pattern":"*"})");
  EXPECT_EQ(
      named("replace", R"({"file_path":"/f","instruction":"i","old_string":"a","new_string":"b"})"),
      R"(Edit{"file_path":"/f","new_string":"b","old_string":"a"})");
  EXPECT_EQ(named("run_shell_command", R"({"command":"ls","dir_path":"x"})"),
            R"(Bash{"command":"ls"})");
  EXPECT_EQ(named("google_web_search", R"({"query":"q"})"), R"(WebSearch{"query":"q"})");
  EXPECT_EQ(named("glob", R"({"pattern":"*"})"), R"(glob{"pattern":"*"})");
  EXPECT_EQ(
      named("write_todos",
            R"({"todos":[{"description":"a","status":"cancelled"},)"
            R"({"description":" ","status":"pending"},{"description":"b","status":"blocked"}]})"),
      R"(write_todos{"todos":[{"description":"a","status":"completed"},)"
      R"({"description":"b","status":"pending"}]})");
}

TEST(UnifiedMessages, SayWhetherACallFailed) {
  const auto result = [](const std::string& more) {
    const json messages =
        unified(reply_with(R"("content":"","toolCalls":[)" + call("x", "{}", more) + "]"));
    const json& content = messages.at(0).at("content");
    if (content.size() == 1) return std::string("none");
    return content.at(1).at("content").get<std::string>() +
           (content.at(1).at("is_error").get<bool>() ? "!" : "");
  };
  const auto response = [](const std::string& body) {
    return R"(,"result":[{"functionResponse":{"response":)" + body + "}}]";
  };
  EXPECT_EQ(result(response(R"({"output":"o"})") + R"(,"status":"success")"), "o");
  EXPECT_EQ(result(response(R"({"error":"e"})") + R"(,"status":"error")"), "e!");
  EXPECT_EQ(result(response(R"({"error":"e"})") + R"(,"status":"cancelled")"), "e!");
  EXPECT_EQ(result(response(R"({"output":"o"})") + R"(,"status":"error")"), "o!");
  EXPECT_EQ(result(response(R"({"other":1})") + R"(,"status":"success")"), "");
  EXPECT_EQ(result(R"(,"result":"text","status":"success")"), "text");
  EXPECT_EQ(result(R"(,"result":null,"status":"executing")"), "none");
  EXPECT_EQ(result(R"(,"result":[],"status":"cancelled")"), "none");
}

TEST(UnifiedMessages, TakeResultsFromTheMessageBehind) {
  const json messages = unified(
      k_header +
      reply_with(R"("content":[{"text":"**S** d","thought":true},{"text":"a"},{"text":"b"},)"
                 R"({"functionCall":{"id":"k","name":"glob","args":{}}}])") +
      "\n" +
      R"({"id":"r","type":"user","content":[{"functionResponse":{"id":"k","response":{"output":"o"}}}]})");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].at("content"),
            read_json(R"([{"type":"thinking","thinking":"**S** d"},)"
                      R"({"type":"tool_use","id":"k","name":"glob","input":{}},)"
                      R"({"type":"tool_result","tool_use_id":"k","content":"o","is_error":false},)"
                      R"({"type":"text","text":"ab"}])"));
}

TEST(UnifiedMessages, HaveATextWhereThereIsNoBlock) {
  EXPECT_EQ(unified(reply_with(R"("content":"")")).at(0).at("content"), "");
  EXPECT_EQ(unified(reply_with(R"("content":"  ")")).at(0).at("content"), "  ");
}

TEST(ClaudeLines, FollowEachOtherWithTheResultsOfAReplyInOne) {
  const std::string wrapped =
      R"(,"result":[{"functionResponse":{"response":{"output":"<untrusted_context>\nOutput: x\n)"
      R"(</untrusted_context>"}}}],"status":"success")";
  const auto lines = claude(
      k_header + message("u", "user", "do") + "\n" +
      reply_with(
          R"("content":"text","model":"m","thoughts":[{"subject":"S","description":"d"}],)"
          R"("tokens":{"input":30,"output":2,"cached":10,"thoughts":4,"total":36},"toolCalls":[)" +
          call("run_shell_command", R"({"command":"ls"})", wrapped) + "," +
          R"({"id":"l","name":"list_directory","args":{"path":"/d"},"status":"cancelled"},)" +
          R"({"id":"e","name":"read_file","args":{"start_line":3,"end_line":5},"status":"executing"})" +
          "]"));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].at("parentUuid"), nullptr);
  EXPECT_EQ(lines[0].at("message").at("content"), read_json(R"([{"type":"text","text":"do"}])"));
  EXPECT_EQ(lines[1].at("parentUuid"), "u");
  EXPECT_EQ(
      lines[1].at("message").at("content"),
      read_json(R"([{"type":"thinking","thinking":"**S**\nd","signature":""},)"
                R"({"type":"text","text":"text"},)"
                R"({"type":"tool_use","id":"k","name":"Bash","input":{"command":"ls"}},)"
                R"({"type":"tool_use","id":"l","name":"LS","input":{"path":"/d"}},)"
                R"({"type":"tool_use","id":"e","name":"Read","input":{"offset":3,"limit":3}}])"));
  EXPECT_EQ(lines[1].at("message").at("usage"),
            read_json(R"({"input_tokens":20,"cache_creation_input_tokens":0,)"
                      R"("cache_read_input_tokens":10,"output_tokens":6})"));
  EXPECT_EQ(lines[2].at("parentUuid"), "g");
  EXPECT_EQ(
      lines[2].at("message").at("content"),
      read_json(
          R"([{"type":"tool_result","tool_use_id":"k","content":"Output: x","is_error":false},)"
          R"({"type":"tool_result","tool_use_id":"l","content":"[cancelled by user]","is_error":true},)"
          R"({"type":"tool_result","tool_use_id":"e","content":"[interrupted]","is_error":true}])"));
}

TEST(ClaudeLines, TellTheDiffOfAnEdit) {
  const std::string display =
      R"(,"resultDisplay":{"fileDiff":"--- a\n+++ b\n@@ -1,2 +1 @@\n-x\n y\n","filePath":"/f",)"
      R"("originalContent":"x\ny","newContent":"y"},"result":[{"functionResponse":)"
      R"({"response":{"output":"ok"}}}],"status":"success")";
  const auto lines =
      claude(reply_with(R"("content":"","toolCalls":[)" + call("replace", "{}", display) + "]"));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(
      lines[1].at("toolUseResult"),
      read_json(R"({"filePath":"/f","originalFile":"x\ny","content":"y","structuredPatch":)"
                R"([{"oldStart":1,"oldLines":2,"newStart":1,"newLines":1,"lines":["-x"," y"]}]})"));
}

TEST(GeminiForm, KeepsItsOwnMessagesAndWhatTheFileSays) {
  TextBytes source(k_header);
  std::string text;
  GeminiTarget target(JsonForm::whole, [&text](std::string_view more) { text += more; });
  const std::string bytes =
      k_header + message("u", "user", "x") + "\n" +
      R"({"$set":{"summary":"about","lastUpdated":"2026-01-02T00:00:00.000Z"}})";
  TextBytes whole(bytes);
  ASSERT_TRUE(read_gemini_session(whole, target).ok());
  EXPECT_EQ(
      read_json(text),
      read_json(R"({"sessionId":"S","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z",)"
                R"("lastUpdated":"2026-01-02T00:00:00.000Z","summary":"about","messages":[)" +
                message("u", "user", "x") + "]}"));
}

TEST(IsoMilliseconds, ReadsTimesOfSessionFiles) {
  EXPECT_EQ(iso_milliseconds("1970-01-01T00:00:01.5Z"), 1500);
  EXPECT_EQ(iso_milliseconds("2026-11-16T11:34:00.123Z"), 1794828840123);
  EXPECT_EQ(iso_milliseconds("2026-11-16T12:34:00.123456+01:00"), 1794828840123);
  EXPECT_EQ(iso_milliseconds("2026-11-16T11:34:00"), 1794828840000);
  for (const char* other :
       {"", "today", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00x"}) {
    EXPECT_EQ(iso_milliseconds(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace yume::transcript
