// SPDX-License-Identifier: MIT
#include "app/sessions_command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

#include "app/sessions/call_summary.h"
#include "app/sessions/diff_view.h"
#include "app/sessions/html_script.h"
#include "app/sessions/session_texts.h"
#include "app/sessions/sessions_arguments.h"
#include "auth/sha256.h"
#include "platform/append_file.h"
#include "platform/kept_files.h"
#include "support/enum_name.h"
#include "support/temporary_directory.h"
#include "transcript/alias_book.h"
#include "transcript/session_index.h"
#include "transcript/session_paths.h"
#include "transcript/short_ids.h"
#include "util/base64.h"
#include "util/display_width.h"

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using Kind = transcript::ShownItem::Kind;

std::string parsed(const std::vector<std::string>& tokens) {
  const auto arguments = parse_sessions_arguments(tokens);
  if (!arguments.ok()) return arguments.error().message;
  return test::enum_name(arguments->verb) + " id " + arguments->id +
         (arguments->all ? " all" : "") + (arguments->json ? " json" : "") +
         (arguments->yes ? " yes" : "") + " " + arguments->output.value_or("");
}

TEST(SessionsArguments, AreReadStrictly) {
  const std::string see = "; see `yume-cli sessions --help`";
  EXPECT_EQ(parsed({"list", "--all", "--json"}), "list id  all json ");
  EXPECT_EQ(parsed({"show", "abc"}), "show id abc ");
  EXPECT_EQ(parsed({"export", "abc", "--format=html", "-o", "x"}), "export_one id abc x");
  EXPECT_EQ(parsed({"export", "--format", "md", "--output=x", "abc"}), "export_one id abc x");
  EXPECT_EQ(parsed({"delete", "abc", "--yes"}), "delete_one id abc yes ");
  EXPECT_EQ(parsed({"show", "--help"}), "help id  ");
  EXPECT_EQ(
      parsed({}),
      "`sessions` needs to know what to do: list, show, export, delete, convert, import or stats" +
          see);
  EXPECT_EQ(
      parsed({"remove"}),
      "there is no `sessions remove`, only list, show, export, delete, convert, import or stats" +
          see);
  EXPECT_EQ(parsed({"list", "--yes"}), "`sessions list` has no --yes" + see);
  EXPECT_EQ(parsed({"show", "a", "--bogus"}), "`sessions show` has no --bogus" + see);
  EXPECT_EQ(parsed({"show"}), "`sessions show` needs a session's id" + see);
  EXPECT_EQ(parsed({"show", "a", "b"}), "'b' is one word too many" + see);
  EXPECT_EQ(parsed({"list", "a"}), "'a' is one word too many" + see);
  EXPECT_EQ(parsed({"export", "a"}), "`sessions export` needs --format md, html or jsonl" + see);
  EXPECT_EQ(parsed({"export", "a", "--format", "pdf"}),
            "--format is 'pdf'; it can be md, html or jsonl" + see);
  EXPECT_EQ(parsed({"export", "a", "--format"}), "--format needs a value" + see);
  EXPECT_EQ(parsed({"list", "--all=1"}), "--all takes no value" + see);
  EXPECT_EQ(parsed({"list", "--all", "--from", "gemini-cli"}),
            "--from lists the sessions of one directory; leave out --all" + see);
}

TEST(SessionsArguments, SayWhereAllAreExported) {
  const std::string see = "; see `yume-cli sessions --help`";
  EXPECT_EQ(parsed({"export", "--all", "--format=html", "-o", "d"}), "export_one id  all d");
  EXPECT_EQ(parsed({"export", "--all", "--format=html"}),
            "`sessions export --all` needs a folder: --output <folder>" + see);
  EXPECT_EQ(parsed({"export", "a", "--all", "--format=md", "-o", "d"}),
            "--all exports every session; leave out 'a'" + see);
  EXPECT_EQ(parsed({"stats", "--all"}), "stats id  all ");
  EXPECT_EQ(parsed({"stats", "--json", "--html"}),
            "--json and --html are two forms; give one of them" + see);
}

TEST(SessionsArguments, SayWhichSessionIsConverted) {
  const std::string see = "; see `yume-cli sessions --help`";
  const auto convert = parse_sessions_arguments(
      {"convert", "f.json", "--from=gemini-cli", "--to", "claude", "--jsonl"});
  ASSERT_TRUE(convert.ok());
  EXPECT_EQ(convert->file, "f.json");
  EXPECT_EQ(convert->from, transcript::SessionSource::gemini_cli);
  EXPECT_EQ(convert->to, ConvertTarget::claude);
  EXPECT_TRUE(convert->jsonl);
  const auto import = parse_sessions_arguments({"import", "--session", "abc", "--from", "auto"});
  ASSERT_TRUE(import.ok());
  EXPECT_EQ(import->session, "abc");
  EXPECT_EQ(import->from, std::nullopt);
  EXPECT_EQ(parsed({"convert", "f"}),
            "`sessions convert` needs --to unified, claude or gemini" + see);
  EXPECT_EQ(parsed({"convert", "f", "--session", "x", "--to", "claude"}),
            "a file and --session name two sessions; give one of them" + see);
  EXPECT_EQ(parsed({"convert", "--from", "codex", "--to", "claude"}),
            "--from is 'codex'; it can be auto, gemini-cli, claude or yume" + see);
}

transcript::ShownItem item(Kind kind, std::string text) {
  transcript::ShownItem one;
  one.kind = kind;
  one.text = std::move(text);
  return one;
}

transcript::ShownItem call(std::string name, std::string input, std::string result,
                           core::Patch patch = {}) {
  transcript::ShownItem one;
  one.kind = Kind::call;
  one.call = {.id = "c", .name = std::move(name), .input = {std::move(input)}};
  one.result = transcript::ShownResult{.text = std::move(result), .patch = std::move(patch)};
  return one;
}

std::string told(const std::vector<DiffLine>& lines) {
  std::string text;
  for (const DiffLine& line : lines) text += sign_of(line.kind) + line.text + "|";
  return text;
}

TEST(SessionDiff, ComesFromThePatchElseFromTheInput) {
  EXPECT_EQ(told(diff_of(call("Edit", R"({"old_string":"x","new_string":"y"})", "ok",
                              {{.old_start = 1,
                                .old_lines = 2,
                                .new_start = 1,
                                .new_lines = 2,
                                .lines = {" a", "-b", "+c"}}}))),
            " @@ -1,2 +1,2 @@| a|-b|+c|");
  EXPECT_EQ(told(diff_of(call("Edit", R"({"old_string":"x\ny","new_string":"z"})", "ok"))),
            "-x|-y|+z|");
  EXPECT_EQ(told(diff_of(
                call("MultiEdit", R"({"edits":[{"old_string":"a","new_string":"b"},7]})", "ok"))),
            "-a|+b|");
  EXPECT_EQ(told(diff_of(call("Write", R"({"content":"a\n\nb\n"})", "ok"))), "+a|+|+b|");
  EXPECT_EQ(told(diff_of(call("Bash", R"({"command":"x"})", "ok"))), "");
  auto failed = call("Edit", R"({"old_string":"x","new_string":"y"})", "no");
  failed.result->is_error = true;
  EXPECT_EQ(told(diff_of(failed)), "");
}

std::string list_of(std::optional<int> width, std::string title) {
  const transcript::SessionSummary one{.id = "11111111-1111-4111-8111-111111111111",
                                       .file = {},
                                       .cwd = "/a/rather/long/path/to/a/project/of/somebody/else",
                                       .title = std::move(title),
                                       .model = {},
                                       .updated = "2026-01-02T03:04:05.678Z",
                                       .messages = 12};
  return list_text({one}, {{one.id, "11111111"}}, {.folders = WithFolders::yes, .width = width});
}

TEST(SessionList, IsCutOnlyForATerminal) {
  const std::string title = "a title that is longer than a narrow terminal has columns for it";
  const std::string list = list_of(std::nullopt, title);
  EXPECT_NE(list.find("12  " + title + "\n"), std::string::npos) << list;
  EXPECT_NE(list.find("  /a/rather/long/path/to/a/project/of/somebody/else\n"), std::string::npos);
}

TEST(SessionList, FitsNarrowTerminals) {
  for (const char* title : {"a title that is longer than a narrow terminal has columns for it",
                            "\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22"
                            "\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57"}) {
    for (const int width : {30, 40, 57, 58, 60, 80}) {
      std::istringstream lines(list_of(width, title));
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
      }
    }
  }
  EXPECT_NE(list_of(60, "x").find("MESSAGES"), std::string::npos);
  EXPECT_EQ(list_of(50, "x").find("MESSAGES"), std::string::npos);
  EXPECT_NE(list_of(40, "x").find("…to/a/project/of/somebody/else\n"), std::string::npos)
      << list_of(40, "x");
}

TEST(ShortIds, AreUniqueAndNotShorterThanEight) {
  using Ids = std::map<std::string, std::string>;
  EXPECT_EQ(transcript::short_ids({}), Ids());
  EXPECT_EQ(transcript::short_ids({"11111111-1", "11111111-2", "2222222222", "short"}),
            (Ids{{"11111111-1", "11111111-1"},
                 {"11111111-2", "11111111-2"},
                 {"2222222222", "22222222"},
                 {"short", "short"}}));
  EXPECT_EQ(transcript::short_ids({"abcdefghi", "abcdefghijk", "abcdefghi"}),
            (Ids{{"abcdefghi", "abcdefghi"}, {"abcdefghijk", "abcdefghij"}}))
      << "an id that another begins with is meant when it is given whole";
}

TEST(SessionTexts, KeepTerminalsSafe) {
  transcript::ShownSession session;
  session.title = "\x1b[2Jtitle";
  session.cwd = "/\x1b[31m";
  session.items = {item(Kind::prompt, "\x1b[1m"),
                   item(Kind::text, "\x1b[1m"),
                   item(Kind::thought, "\x1b[1m"),
                   item(Kind::failure, "\x1b[1m"),
                   item(Kind::interruption, "\x1b[1m"),
                   call("\x1b[1m", R"({"command":"\u001b[1m"})", "\x1b[1m")};
  EXPECT_EQ(terminal_text(session, Colours::off).find('\x1b'), std::string::npos);
  EXPECT_NE(terminal_text(session, Colours::on).find("\x1b[1m"), std::string::npos);
}

const std::string k_hostile = "<script>alert('1')</script>]]>\"'&<img src=x onerror=y>\x01";

TEST(SessionHtml, LetsNoTextBecomeMarkup) {
  std::string quoted;
  append_json_string(quoted, k_hostile);
  transcript::ShownSession session;
  session.id = session.title = session.model = session.cwd = k_hostile;
  session.created = session.updated = k_hostile;
  for (const Kind kind : {Kind::prompt, Kind::text, Kind::thought, Kind::failure,
                          Kind::interruption, Kind::compaction}) {
    session.items.push_back(item(kind, k_hostile + "\n# " + k_hostile + "\n- " + k_hostile +
                                           "\n\n```" + k_hostile + "\n" + k_hostile + "\n```\n`" +
                                           k_hostile + "` **" + k_hostile + "**"));
    session.items.back().time = k_hostile;
    session.items.back().media = {{.mime_type = k_hostile, .base64 = k_hostile},
                                  {.mime_type = "image/png", .base64 = k_hostile},
                                  {.mime_type = "image/svg+xml", .base64 = "QUJD"}};
  }
  auto hostile = call(k_hostile, R"({"file_path":)" + quoted + R"(,"content":)" + quoted + "}",
                      k_hostile + "\n" + k_hostile, {{.lines = {k_hostile}}});
  hostile.result->media = {{.mime_type = "text/html", .base64 = k_hostile}};
  session.items.push_back(hostile);
  hostile.result->is_error = true;
  session.items.push_back(hostile);
  const std::string page = html_text(session);
  const std::string script = "<script>" + std::string(k_html_script) + "</script>";
  ASSERT_NE(page.find(script), std::string::npos);
  const std::string html = page.substr(0, page.find(script));
  EXPECT_EQ(page.substr(html.size() + script.size()), "\n</body>\n</html>\n");
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("]]>"), std::string::npos);
  EXPECT_EQ(html.find("<img src=x"), std::string::npos);
  EXPECT_EQ(html.find("alert('"), std::string::npos);
  EXPECT_EQ(html.find("data:image/png"), std::string::npos) << "what is no base64 is no picture";
  EXPECT_EQ(html.find("data:image/svg"), std::string::npos);
  EXPECT_EQ(html.find('\x01'), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(&#39;1&#39;)"), std::string::npos);
}

TEST(SessionHtml, NamesItsOneScriptByItsHash) {
  const std::string hex = auth::sha256_hex(k_html_script);
  std::string bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
  }
  EXPECT_EQ(k_html_script_hash, "sha256-" + base64(bytes));
  EXPECT_NE(html_text({}).find("script-src '" + std::string(k_html_script_hash) + "'\""),
            std::string::npos);
}

TEST(SessionHtml, ListsThePromptsAndWhatEachTurnUsed) {
  transcript::ShownSession session;
  session.items = {item(Kind::prompt, "first\nmore"), item(Kind::text, "a"), item(Kind::text, "b"),
                   item(Kind::prompt, "second"), item(Kind::text, "c")};
  session.items[1].message_id = session.items[2].message_id = "m1";
  session.items[4].message_id = "m2";
  session.requests = {{.message_id = "m1",
                       .model = "gemini-3.8-flash",
                       .usage = {.prompt_tokens = 12'345, .output_tokens = 10}},
                      {.message_id = "m2",
                       .model = "claude-somebody-else",
                       .usage = {.prompt_tokens = 7, .output_tokens = 1}}};
  const std::string html = html_text(session);
  EXPECT_NE(html.find("<li><a href=\"#turn-1\">first</a></li>\n"
                      "<li><a href=\"#turn-2\">second</a></li>"),
            std::string::npos);
  EXPECT_NE(html.find("<article class=\"you\" id=\"turn-2\">"), std::string::npos);
  EXPECT_NE(html.find("12,345 tokens in, 10 out · $"), std::string::npos);
  EXPECT_NE(html.find("<p class=\"used\">7 tokens in, 1 out</p>"), std::string::npos)
      << "nobody knows that price";
  EXPECT_NE(html.find("12,352 tokens in, 11 out · at least $"), std::string::npos);
}

TEST(SessionHtml, ShowsTodosAsAList) {
  transcript::ShownSession session;
  session.items = {call("TodoWrite",
                        R"({"todos":[{"content":"<a>","status":"completed"},)"
                        R"({"content":"b","status":"in_progress"},)"
                        R"({"content":"c","status":"pending"}]})",
                        "ok", {})};
  EXPECT_NE(html_text(session).find("<ul class=\"todos\">\n"
                                    "<li class=\"done\"><span>☑</span> &lt;a&gt;</li>\n"
                                    "<li class=\"doing\"><span>▶</span> b</li>\n"
                                    "<li class=\"open\"><span>☐</span> c</li>\n</ul>"),
            std::string::npos);
}

TEST(SessionHtml, NeedsNothingFromElsewhere) {
  transcript::ShownSession session;
  session.items = {item(Kind::prompt, "see https://example.test/a.png")};
  session.items[0].media = {{.mime_type = "image/png", .base64 = "QUJD"}};
  const std::string html = html_text(session);
  for (const char* outside : {"src=\"http", "<link", "@import", "url("}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(html.find("src=\"data:image/png;base64,QUJD\""), std::string::npos);
  EXPECT_NE(html.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(SessionMarkdown, FencesWhatHasFences) {
  transcript::ShownSession session;
  session.title = "a *b* <c>";
  session.items = {call("Read", R"({"file_path":"a`b"})", "```\n````\n")};
  const std::string text = markdown_text(session);
  EXPECT_NE(text.find("# a \\*b\\* \\<c>"), std::string::npos) << text;
  EXPECT_NE(text.find("`````text\n```\n````\n`````\n"), std::string::npos) << text;
  EXPECT_NE(text.find("`` a`b ``"), std::string::npos) << text;
}

struct Collected final : protocol::Output {
  std::string text;
  void line(std::string_view more) override { text.append(more).append("\n"); }
  void bytes(std::string_view more) override { text.append(more); }
};

struct Scene {
  test::TemporaryDirectory directory;
  platform::Environment environment;
  platform::SystemClock clock;
  fs::path cwd = directory.path() / "work";
  Collected out;

  Scene() {
    fs::create_directories(cwd);
    environment.home = directory.path();
    environment.cwd = cwd;
  }
  fs::path session(const std::string& root, const std::string& id, const std::string& prompt,
                   const std::string& time, std::size_t replies = 1) const {
    const fs::path file = transcript::session_file(directory.path() / root, cwd, id);
    fs::create_directories(file.parent_path());
    std::ofstream stream(file);
    stream << R"({"type":"user","uuid":"u","parentUuid":null,"sessionId":")" << id
           << R"(","cwd":"/w","timestamp":")" << time << R"(","message":{"role":"user","content":")"
           << prompt << "\"}}\n";
    for (std::size_t i = 0; i < replies; ++i) {
      stream << R"({"type":"assistant","uuid":"a)" << i << R"(","timestamp":")" << time
             << R"(","message":{"id":"m)" << i
             << R"(","model":"m","content":[{"type":"text","text":")" << std::string(1000, 'x')
             << "\"}]}}\n";
    }
    return file;
  }
  ExitCode run(const std::vector<std::string>& tokens) {
    out.text.clear();
    return run_sessions(tokens, environment, out);
  }
};

TEST(SessionsCommand, ListsBothRootsTheLastFirst) {
  Scene scene;
  scene.session(".claude", "aaa1", "older", "2026-01-01T00:00:00.000Z");
  scene.session(".yume", "bbb1", "newer", "2026-01-02T00:00:00.000Z", 3);
  ASSERT_EQ(scene.run({"list", "--json"}), ExitCode::success);
  const auto list = nlohmann::json::parse(scene.out.text)["sessions"];
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["title"], "newer");
  EXPECT_EQ(list[0]["messageCount"], 4);
  EXPECT_EQ(list[0]["messageCountIsEstimate"], false);
  EXPECT_EQ(list[1]["title"], "older");
  ASSERT_EQ(scene.run({"list", "--cwd", "/elsewhere", "--json"}), ExitCode::success);
  EXPECT_EQ(scene.out.text, "{\"sessions\":[]}\n");
  ASSERT_EQ(scene.run({"list", "--all", "--cwd", "/elsewhere", "--json"}), ExitCode::success);
  EXPECT_EQ(nlohmann::json::parse(scene.out.text)["sessions"].size(), 2U);
}

TEST(SessionsCommand, EstimatesLongSessionsFromTheirEnds) {
  Scene scene;
  const fs::path file = scene.session(".claude", "aaa1", "long", "2026-01-01T00:00:00.000Z", 2'000);
  // What lies between is not read, so it does not matter that it is no session at all.
  const auto size = fs::file_size(file);
  std::fstream stream(file, std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(size / 2));
  stream << std::string(1'000, '#');
  stream.close();
  ASSERT_EQ(scene.run({"list", "--json"}), ExitCode::success);
  const auto one = nlohmann::json::parse(scene.out.text)["sessions"][0];
  EXPECT_EQ(one["messageCountIsEstimate"], true);
  EXPECT_NEAR(one["messageCount"].get<double>(), 2'001, 250);
  EXPECT_EQ(one["title"], "long");
}

TEST(SessionsCommand, BelievesTheIndexOnlyAboutTheSameBytes) {
  Scene scene;
  const fs::path file = scene.session(".yume", "aaa1", "said", "2026-01-01T00:00:00.000Z");
  const transcript::SessionIndex index(transcript::views_folder(scene.directory.path() / ".yume"),
                                       scene.clock);
  const auto size = static_cast<std::int64_t>(fs::file_size(file));
  ASSERT_TRUE(
      index.put({.id = "aaa1", .title = "indexed", .message_count = 77, .log_bytes = size}).ok());
  ASSERT_EQ(scene.run({"list", "--json"}), ExitCode::success);
  EXPECT_EQ(nlohmann::json::parse(scene.out.text)["sessions"][0]["title"], "indexed");
  ASSERT_TRUE(
      index.put({.id = "aaa1", .title = "indexed", .message_count = 77, .log_bytes = 5}).ok());
  ASSERT_EQ(scene.run({"list", "--json"}), ExitCode::success);
  EXPECT_EQ(nlohmann::json::parse(scene.out.text)["sessions"][0]["title"], "said");
}

TEST(SessionsCommand, TakesIdsByTheirBeginningAndByName) {
  Scene scene;
  scene.session(".claude", "aaa1", "one", "2026-01-01T00:00:00.000Z");
  scene.session(".yume", "aaa2", "two", "2026-01-01T00:00:00.000Z");
  ASSERT_TRUE(
      transcript::AliasBook(transcript::views_folder(scene.directory.path() / ".yume"), scene.clock)
          .bind("syn_x", "aaa2")
          .ok());
  EXPECT_EQ(scene.run({"show", "aaa1"}), ExitCode::success);
  EXPECT_EQ(scene.run({"show", "aaa"}), ExitCode::failure) << "two begin so";
  EXPECT_EQ(scene.run({"show", "b"}), ExitCode::failure);
  ASSERT_EQ(scene.run({"show", "syn_x", "--json"}), ExitCode::success);
  EXPECT_EQ(nlohmann::json::parse(scene.out.text)["id"], "aaa2");
}

TEST(SessionsCommand, ExportsToAFile) {
  Scene scene;
  const fs::path file = scene.session(".claude", "aaa1", "one", "2026-01-01T00:00:00.000Z");
  ASSERT_EQ(scene.run({"export", "aaa1", "--format", "jsonl", "--output", "copy", "--json"}),
            ExitCode::success);
  EXPECT_EQ(*platform::read_part(scene.cwd / "copy", 0, 100'000),
            *platform::read_part(file, 0, 100'000));
  EXPECT_EQ(nlohmann::json::parse(scene.out.text)["output"], (scene.cwd / "copy").string());
  EXPECT_EQ(scene.run({"export", "aaa1", "--format", "md", "--output", "no/such/folder/x"}),
            ExitCode::failure);
}

TEST(SessionsCommand, DeletesAllThatBelongsToASession) {
  Scene scene;
  const fs::path views = transcript::views_folder(scene.directory.path() / ".yume");
  const fs::path gone = scene.session(".yume", "aaa1", "one", "2026-01-01T00:00:00.000Z");
  const fs::path kept = scene.session(".yume", "bbb1", "two", "2026-01-01T00:00:00.000Z");
  fs::create_directories(transcript::tool_results_folder(gone));
  fs::create_directories(views);
  std::ofstream(views / "aaa1.json") << "{}";
  std::ofstream(views / "bbb1.json") << "{}";
  const transcript::AliasBook book(views, scene.clock);
  const transcript::SessionIndex index(views, scene.clock);
  for (const char* id : {"aaa1", "bbb1"}) {
    ASSERT_TRUE(book.bind("syn_" + std::string(id), id).ok());
    ASSERT_TRUE(index.put({.id = id}).ok());
  }
  ASSERT_EQ(scene.run({"delete", "aaa1", "--yes"}), ExitCode::success);
  EXPECT_FALSE(fs::exists(gone));
  EXPECT_FALSE(fs::exists(transcript::session_folder(gone)));
  EXPECT_FALSE(fs::exists(views / "aaa1.json"));
  EXPECT_EQ(book.find("syn_aaa1"), std::nullopt);
  ASSERT_EQ(index.read().size(), 1U);
  EXPECT_EQ(index.read()[0].id, "bbb1");
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_TRUE(fs::exists(views / "bbb1.json"));
  EXPECT_EQ(book.find("syn_bbb1"), "bbb1");
}

TEST(SessionsCommand, DeletesNothingThatIsOpen) {
  Scene scene;
  const fs::path file = scene.session(".claude", "aaa1", "one", "2026-01-01T00:00:00.000Z");
  auto open = platform::open_append_file(
      {.path = file, .purpose = platform::OpenFor::appending, .classify_tail = [](auto) {
         return platform::Tail::whole;
       }});
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(scene.run({"delete", "aaa1", "--yes"}), ExitCode::failure);
  EXPECT_TRUE(fs::exists(file));
  open->reset();
  EXPECT_EQ(scene.run({"delete", "aaa1", "--yes"}), ExitCode::success);
  EXPECT_FALSE(fs::exists(file));
}

}  // namespace
}  // namespace yume::app
