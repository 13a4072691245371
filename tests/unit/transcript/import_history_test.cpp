// SPDX-License-Identifier: MIT
#include "transcript/importers/import_history.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "support/fake_clock.h"
#include "support/key_orders.h"
#include "support/memory_append_file.h"
#include "transcript/journal.h"
#include "transcript/record_history.h"
#include "transcript/transcript_reader.h"

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;

std::string told(const core::UserMessage& message) {
  std::string text;
  for (const core::UserBlock& block : message.blocks) {
    const auto* media = std::get_if<core::Media>(&block);
    text += media != nullptr ? "[" + media->mime_type + "]" : std::get<std::string>(block);
    if (&block != &message.blocks.back()) text += "+";
  }
  return text;
}

// "U:question A:answer{Read#id{"x":1}} R:id=text" and so on; a bad result has "!=".
enum class Members { as_they_came, sorted };

std::string input_text(const std::string& input, Members members) {
  if (members == Members::sorted) return nlohmann::json::parse(input).dump();
  return nlohmann::ordered_json::parse(input).dump();
}

std::string told(const core::Conversation& conversation, Members members = Members::as_they_came) {
  std::string text;
  for (const core::PastEntry& entry : conversation.entries) {
    if (const auto* prompt = std::get_if<core::PastPrompt>(&entry)) {
      text += (prompt->is_synthetic ? "(U):" : "U:") + told(prompt->message) + "\n";
    } else if (const auto* reply = std::get_if<core::PastReply>(&entry)) {
      text += "A:" + reply->text;
      for (const core::PastCall& call : reply->calls) {
        text += "{" + call.name + "#" + call.id + input_text(call.input.text, members) + "}";
      }
      text += "\n";
    } else {
      for (const core::PastResult& result : std::get<core::PastResults>(entry).results) {
        text += "R:" + result.call_id + (result.is_error ? "!=" : "=") + result.text;
        for (const core::Media& media : result.media) text += "[" + media.mime_type + "]";
        text += "\n";
      }
    }
  }
  return text;
}

std::string imported(const std::string& bytes, Members members = Members::as_they_came) {
  const auto history = import_history(bytes);
  return history.ok() ? told(history->conversation, members) : "error: " + history.error().message;
}

const std::string k_open =
    "The result of this call is not in the history that was brought here; whether it had an effect "
    "is not known. Look before you repeat it.";
const std::string k_start =
    "(U):(This conversation was brought here from elsewhere; its beginning is missing.)\n";

struct Row {
  const char* claim;
  std::string bytes;
  std::string told;
};

// The same history with the members of its objects in other orders; none for what is not JSON.
std::vector<std::string> other_orders(const std::string& bytes) {
  if (nlohmann::json::accept(bytes)) return test::key_orders(bytes);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    if (!nlohmann::json::accept(bytes.substr(at, end - at))) return {};
    at = end + 1;
  }
  return test::key_orders_of_lines(bytes);
}

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(imported(row.bytes), row.told) << row.claim;
    for (const std::string& order : other_orders(row.bytes)) {
      EXPECT_EQ(imported(order, Members::sorted), imported(row.bytes, Members::sorted))
          << row.claim << "\n"
          << order;
    }
  }
}

TEST(ImportHistory, ReadsYumesArray) {
  check({
      {"strings", R"([{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}])",
       "U:hi\nA:hello\n"},
      {"blocks and a picture",
       R"([{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":
         {"type":"base64","media_type":"image/png","data":"QUJD"}}]}])",
       "U:see+[image/png]\n"},
      {"neighbours become one",
       R"([{"role":"user","content":"a"},{"role":"user","content":"b"},
          {"role":"assistant","content":"c"},{"role":"assistant","content":"d"}])",
       "U:a+b\nA:c\n\nd\n"},
      {"both spellings of calls, open ones closed",
       R"([{"role":"user","content":"go"},
          {"role":"assistant","content":"","toolCalls":[{"id":"c1","name":"Read","input":{"x":1}}]},
          {"role":"assistant","tool_calls":[{"id":"c2","name":"LS","input":"{\"y\":2}"}]},
          {"role":"tool","tool_call_id":"c2","content":"listed"}])",
       "U:go\nA:{Read#c1{\"x\":1}}\nR:c1!=" + k_open + "\nA:{LS#c2{\"y\":2}}\nR:c2=listed\n"},
      {"OpenAI's envelope",
       R"([{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":
         [{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}])",
       "U:go\nA:{f#c{\"a\":1}}\nR:c!=" + k_open + "\n"},
      {"rows of the window come as role system",
       R"([{"role":"user","content":"go"},
          {"role":"system","content":[{"type":"tool_use","id":"c1","name":"Read","input":{}}]},
          {"role":"system","content":{"tool_use_id":"c1","content":"found","is_error":false}},
          {"role":"system","content":"Session started"},
          {"role":"system","content":{"subtype":"success","duration_ms":12}},
          {"role":"assistant","content":"done"}])",
       "U:go\nA:{Read#c1{}}\nR:c1=found\nA:done\n"},
      {"noise of hosts goes",
       R"([{"role":"user","content":"<system-reminder>x</system-reminder>hi"},
          {"role":"user","content":"<local-command-stdout>x</local-command-stdout>"},
          {"role":"user","content":"   "},{"role":"assistant","content":[
            {"type":"thinking","thinking":"hm","signature":""},{"type":"text","text":"yo"}]}])",
       "U:hi\nA:yo\n"},
      {"commands stay as they were typed",
       R"([{"role":"user","content":
         "<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>a b</command-args>"}])",
       "U:/x a b\n"},
      {"a reply cannot come first", R"([{"role":"model","content":"so"}])", k_start + "A:so\n"},
      {"names and inputs are made fit",
       R"([{"role":"user","content":"go"},{"role":"assistant","toolCalls":[
         {"id":"c","name":"my tool!","input":[1]}]}])",
       "U:go\nA:{my_tool_#c{\"value\":[1]}}\nR:c!=" + k_open + "\n"},
      {"elements that are nothing",
       R"([1,null,"x",{},{"role":"user"},{"role":"user","content":"a"}])", "U:a\n"},
      {"an empty one", "[]", ""},
      {"a view of Yume's", R"({"id":"S","history":[{"role":"user","content":"hi"}]})", "U:hi\n"},
      {"with a byte order mark", "\xEF\xBB\xBF[{\"role\":\"user\",\"content\":\"hi\"}]", "U:hi\n"},
      {"bytes that are not UTF-8", "[{\"role\":\"user\",\"content\":\"\xff\"}]",
       "U:\xEF\xBF\xBD\n"},
  });
}

TEST(ImportHistory, GivesEveryCallAnIdOfItsOwn) {
  const auto history = import_history(
      R"([{"role":"user","content":"go"},
         {"role":"assistant","toolCalls":[{"name":"A","input":{}},{"id":"same","name":"B"}]},
         {"role":"tool","toolCallId":"same","content":"first"},
         {"role":"assistant","toolCalls":[{"id":"same","name":"C"}]},
         {"role":"tool","toolCallId":"same","content":"second"}])");
  ASSERT_TRUE(history.ok());
  std::vector<std::string> ids = history->conversation.call_ids;
  ASSERT_EQ(ids.size(), 3U);
  const auto& last = std::get<core::PastResults>(history->conversation.entries.back());
  EXPECT_EQ(last.results[0].text, "second");
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST(ImportHistory, ReadsTheUnifiedFormat) {
  check({
      {"contents, calls and results",
       R"({"version":"1.0","id":"x","messages":[
         {"role":"user","content":[{"type":"text","text":"go"},
           {"type":"image","mediaType":"image/png","data":"QUJD"}]},
         {"role":"assistant","model":"m","content":[{"type":"thinking","text":"hm"},
           {"type":"text","text":"so"},{"type":"code","language":"c","code":"int x;"}],
          "toolCalls":[{"id":"u1","originalId":"o1","name":"Read","input":{"a":1}},
                       {"id":"u2","originalId":"o2","name":"LS","input":{},"status":"pending"}]},
         {"role":"user","content":[],"toolResults":[
           {"originalToolCallId":"o1","content":"found","isError":false}]},
         {"role":"assistant","content":[{"type":"error","text":"boom"},
           {"type":"artifact","title":"T","content":"body"}]}]})",
       "U:go+[image/png]\nA:so```c\nint x;\n```{Read#u1{\"a\":1}}{LS#u2{}}\nR:u1=found\nR:u2!=" +
           k_open + "\nA:T\n```\nbody\n```\n"},
      {"contents as strings", R"({"messages":[{"role":"user","content":"hi"}]})", "U:hi\n"},
      {"no messages", R"({"version":"1.0","messages":[]})", ""},
  });
}

TEST(ImportHistory, ReadsClaudesLines) {
  const std::string user =
      R"({"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"hi"}})";
  const std::string call =
      R"({"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"a","model":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Read","input":{"p":1}}]}})";
  const std::string result =
      R"({"type":"user","uuid":"3","parentUuid":"2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"found"}]}})";
  check({
      {"a whole session", user + "\n" + call + "\n" + result + "\n",
       "U:hi\nA:{Read#t{\"p\":1}}\nR:t=found\n"},
      {"one line", user, "U:hi\n"},
      {"a line in the middle alone", call,
       k_start +
           "A:{Read#t{\"p\":1}}\nR:t!=The call was "
           "interrupted before it finished; whether it had an effect is not known. Look before you "
           "repeat it.\n"},
      {"a torn end", user + "\n" + call.substr(0, 60), "U:hi\n"},
      {"behind lines of other kinds",
       R"({"type":"summary","summary":"x","leafUuid":"9"})"
       "\n" +
           user,
       "U:hi\n"},
  });
}

TEST(ImportHistory, ReadsGeminisObject) {
  check({
      {"October 2025",
       R"({"sessionId":"s","projectHash":"h","messages":[
         {"id":"1","type":"user","content":"list\n"},
         {"id":"2","type":"gemini","content":"","thoughts":[{"subject":"S","description":"D"}],
          "model":"gemini-2.5-pro","toolCalls":[{"id":"read_file-1","name":"read_file",
            "args":{"absolute_path":"/a","offset":0,"limit":5},"status":"success","result":[
            {"functionResponse":{"id":"read_file-1","name":"read_file",
             "response":{"output":"text"}}}]}]},
         {"id":"3","type":"info","content":"noise"},
         {"id":"4","type":"gemini","content":"done"}]})",
       "U:list\n\nA:{Read#read_file-1{\"offset\":1,\"limit\":5,\"file_path\":\"/a\"}}\n"
       "R:read_file-1=text\nA:done\n"},
      {"every end a call can have",
       R"([{"id":"0","type":"user","content":"go"},{"id":"1","type":"gemini","content":"",
         "toolCalls":[
          {"id":"a","name":"x","args":{},"status":"error","result":[{"functionResponse":
            {"response":{"error":"bad"}}}]},
          {"id":"b","name":"x","args":{},"status":"cancelled"},
          {"id":"c","name":"x","args":{},"status":"executing","result":null},
          {"id":"d","name":"x","args":{},"status":"success","result":"plain"},
          {"id":"e","name":"x","args":{},"status":"success","result":[{"functionResponse":
            {"response":{"k":1}}},{"inlineData":{"mimeType":"image/png","data":"QUJD"}}]},
          {"id":"f","name":"run_shell_command","args":{"command":"c"},"status":"success","result":[
            {"functionResponse":{"response":{"output":
             "<untrusted_context>\nOutput: x\n</untrusted_context>"}}}]}]}])",
       "U:go\nA:{x#a{}}{x#b{}}{x#c{}}{x#d{}}{x#e{}}{Bash#f{\"command\":\"c\"}}\nR:a!=bad\n"
       "R:b!=[cancelled by user]\nR:c!=[interrupted]\nR:d=plain\nR:e={\"k\":1}[image/png]\n"
       "R:f=Output: x\n"},
      {"parts, also of calls and thoughts",
       R"({"sessionId":"s","projectHash":"h","messages":[
         {"id":"0","type":"user","content":[{"text":"<session_context>x</session_context>"}]},
         {"id":"1","type":"user","content":["a",{"text":"b"},
           {"inlineData":{"mimeType":"image/png","data":"QUJD"}}]},
         {"id":"2","type":"gemini","content":[{"text":"**T** hm","thought":true},{"text":"so"},
           {"functionCall":{"id":"q","name":"glob","args":{"pattern":"*"}}}]},
         {"id":"3","type":"user","content":[{"functionResponse":{"id":"q","name":"glob",
           "response":{"output":"a.txt"}}}]}]})",
       "U:a+b+[image/png]\nA:so{Glob#q{\"pattern\":\"*\"}}\nR:q=a.txt\n"},
      {"one message", R"({"id":"1","type":"gemini","content":"so"})", k_start + "A:so\n"},
      {"nothing but a header", R"({"sessionId":"s","projectHash":"h"})", ""},
  });
}

TEST(ImportHistory, AppliesGeminisLog) {
  const std::string head = R"({"sessionId":"s","projectHash":"h","kind":"main"})"
                           "\n";
  const std::string one = R"({"id":"1","type":"user","content":[{"text":"one"}]})"
                          "\n";
  const std::string two = R"({"id":"2","type":"gemini","content":"two"})"
                          "\n";
  const std::string three = R"({"id":"3","type":"user","content":"three"})"
                            "\n";
  const std::string context =
      R"({"$set":{"messages":[{"id":"c","type":"user","content":"<session_context>x"}]}})"
      "\n";
  check({
      {"lines in order", head + context + one + two, "U:one\nA:two\n"},
      {"a repeated id keeps its place",
       head + one + two + R"({"id":"1","type":"user","content":"ONE"})" + "\n", "U:ONE\nA:two\n"},
      {"a rewind", head + one + two + three + R"({"$rewindTo":"2"})" + "\n", "U:one\n"},
      {"a rewind to nowhere", head + one + R"({"$rewindTo":"9"})" + "\n" + three, "U:three\n"},
      {"a checkpoint",
       head + one + two + R"({"$set":{"messages":[)" + three.substr(0, three.size() - 1) + "]}}\n",
       "U:three\n"},
      {"a checkpoint that erased all is not believed", head + one + two + context,
       "U:one\nA:two\n"},
      {"broken lines", "{\n" + head + "garbage\n" + one + "{\"id\":\"2\",", "U:one\n"},
      {"results twice",
       head + one +
           R"({"id":"2","type":"gemini","content":"","toolCalls":[{"id":"t","name":"x","args":{},"status":"success","result":[{"functionResponse":{"id":"t","response":{"output":"r"}}}]}]})"
           "\n"
           R"({"id":"3","type":"user","content":[{"functionResponse":{"id":"t","response":{"output":"r"}}}]})"
           "\n"
           R"({"id":"4","type":"gemini","content":"so"})",
       "U:one\nA:{x#t{}}\nR:t=r\nA:so\n"},
  });
}

TEST(ImportHistory, MapsGeminisTools) {
  const auto call = [](const std::string& name, const std::string& args) {
    const std::string text =
        imported(R"([{"id":"0","type":"user","content":"go"},{"id":"1","type":"gemini","content":"",
        "toolCalls":[{"id":"c","name":")" +
                 name + R"(","args":)" + args + "}]}]");
    return text.substr(text.find('{'), text.find("}\nR:") - text.find('{') + 1);
  };
  EXPECT_EQ(call("read_file", R"({"file_path":"/a","start_line":3,"end_line":7})"),
            R"({Read#c{"file_path":"/a","offset":3,"limit":5}})");
  EXPECT_EQ(
      call("replace", R"({"file_path":"/a","old_string":"x","new_string":"y","instruction":"i",)"
                      R"("expected_replacements":2})"),
      R"({Edit#c{"file_path":"/a","old_string":"x","new_string":"y","replace_all":true}})");
  EXPECT_EQ(
      call("search_file_content", R"({"pattern":"p","include":"*.c","case_sensitive":false})"),
      R"({Grep#c{"pattern":"p","glob":"*.c","-i":true,"output_mode":"content"}})");
  EXPECT_EQ(call("list_directory", R"({"dir_path":"/d"})"), R"({LS#c{"path":"/d"}})");
  EXPECT_EQ(call("write_todos", R"({"todos":[{"description":"d","status":"blocked"}]})"),
            R"({TodoWrite#c{"todos":[{"status":"pending","content":"d","activeForm":"d"}]}})");
  EXPECT_EQ(call("web_fetch", R"({"prompt":"sum up https://x.test/a please"})"),
            R"({WebFetch#c{"prompt":"sum up https://x.test/a please","url":"https://x.test/a"}})");
  EXPECT_EQ(call("server__tool", "null"), "{mcp__server__tool#c{}}");
}

TEST(ImportHistory, SaysWhatIsWrongWithAFile) {
  check({
      {"empty", "", "error: it is empty"},
      {"white", " \n", "error: it is empty"},
      {"text", "hello", "error: it is not JSON"},
      {"binary", std::string("\x89PNG\r\n\0\0", 8), "error: it is not JSON"},
      {"other JSON", R"({"a":1})", "error: it is JSON, but no conversation that is known here"},
      {"an array of other things", "[1,2]", "error: it is an array, but not of messages"},
      {"cut off", R"([{"role":"user","content":"a"},)",
       "error: it is neither JSON nor lines of JSON that hold a conversation"},
      {"too deep", std::string(5'000, '['),
       "error: it is neither JSON nor lines of JSON that hold a conversation"},
  });
}

// Every call right before its result, every id once, the user first.
void expect_sound(const core::Conversation& conversation) {
  const core::PastReply* asked = nullptr;
  bool user_spoke = false;
  for (const core::PastEntry& entry : conversation.entries) {
    if (const auto* answers = std::get_if<core::PastResults>(&entry)) {
      ASSERT_NE(asked, nullptr);
      ASSERT_EQ(answers->results.size(), asked->calls.size());
      for (std::size_t i = 0; i < asked->calls.size(); ++i) {
        EXPECT_EQ(answers->results[i].call_id, asked->calls[i].id);
      }
      asked = nullptr;
      continue;
    }
    EXPECT_EQ(asked, nullptr) << "calls without results";
    if (const auto* reply = std::get_if<core::PastReply>(&entry)) {
      EXPECT_TRUE(user_spoke);
      if (!reply->calls.empty()) asked = reply;
      for (const core::PastCall& call : reply->calls) {
        EXPECT_TRUE(nlohmann::json::accept(call.input.text)) << call.input.text;
      }
    }
    user_spoke = true;
  }
  EXPECT_EQ(asked, nullptr);
}

// What was recorded and read again must be the same conversation.
void expect_recordable(core::Conversation conversation) {
  const std::string before = told(conversation);
  std::string bytes;
  const test::FakeClock clock;
  Journal journal(std::make_unique<test::MemoryAppendFile>(bytes), nullptr,
                  {.session_id = "S", .cwd = "/w", .version = "1"}, {}, clock);
  record_history(conversation, journal);
  const auto again = read_transcript({.bytes = bytes});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(told(*again), before);
  EXPECT_EQ(again->skipped, 0U);
  for (std::size_t i = 0; i < conversation.entries.size(); ++i) {
    const auto* prompt = std::get_if<core::PastPrompt>(&conversation.entries[i]);
    if (prompt == nullptr) continue;
    EXPECT_EQ(prompt->position, std::get<core::PastPrompt>(again->entries[i]).position);
  }
}

TEST(ImportHistory, BecomesOrdinaryRecords) {
  const auto history = import_history(
      R"([{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":
        {"media_type":"image/png","data":"QUJD"}}]},
        {"role":"assistant","content":"so","toolCalls":[{"id":"c1","name":"Read","input":{"x":1}}]},
        {"role":"tool","toolCallId":"c1","content":[{"type":"text","text":"t"},{"type":"image",
         "source":{"media_type":"image/png","data":"QUJD"}}]},
        {"role":"assistant","content":"done"}])");
  ASSERT_TRUE(history.ok());
  expect_sound(history->conversation);
  expect_recordable(history->conversation);
}

// ctest runs it by itself, too, as `recorded_sessions`, and so shows when it was skipped.
TEST(ImportHistory, TakesEveryRecordedFile) {
  const fs::path data = YUME_RECORDED_SESSIONS;
  if (!fs::is_directory(data)) {
    GTEST_SKIP() << "no recorded sessions in " << data
                 << ": set the CMake variable YUME_RECORDED_SESSIONS";
  }
  int files = 0;
  int empty = 0;
  for (const auto& entry : fs::recursive_directory_iterator(data)) {
    const fs::path& path = entry.path();
    const bool session = path.extension() == ".json" || path.extension() == ".jsonl";
    if (!entry.is_regular_file() || !session || path.filename() == "projects.json") continue;
    SCOPED_TRACE(path.string());
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    auto history = import_history(bytes);
    ASSERT_TRUE(history.ok()) << history.error().message;
    ++files;
    const bool claude = path.string().find("claude-sessions") != std::string::npos;
    EXPECT_EQ(history->format == HistoryFormat::claude, claude);
    if (history->conversation.entries.empty()) {
      ++empty;
      // Only a file without a word in it, or with a lone result, may have nothing to say.
      const bool says_something = bytes.find(R"("type":"gemini")") != std::string::npos ||
                                  bytes.find(R"("type": "gemini")") != std::string::npos;
      EXPECT_FALSE(says_something);
    }
    expect_sound(history->conversation);
    expect_recordable(std::move(history->conversation));
  }
  EXPECT_GT(files, 150);
  EXPECT_LT(empty, 5);
}

}  // namespace
}  // namespace yume::transcript
