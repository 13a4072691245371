// SPDX-License-Identifier: MIT
#include "transcript/yume_view.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "platform/kept_files.h"
#include "support/fake_clock.h"
#include "support/temporary_directory.h"
#include "transcript/session_index.h"
#include "transcript/session_store.h"

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

double dollar_a_token(const std::string& /*model*/, const core::Usage& usage) {
  return static_cast<double>(usage.prompt_tokens + usage.billed_output());
}

core::TurnDone done_after(std::int64_t prompt, std::int64_t all_prompts, double cost) {
  core::TurnDone done;
  done.last_request.prompt_tokens = prompt;
  done.by_model["m"].usage.prompt_tokens = all_prompts;
  done.by_model["m"].cost_usd = cost;
  return done;
}

struct Scene {
  test::TemporaryDirectory directory;
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  test::FakeClock clock;
  fs::path folder = directory.path() / "sessions" / "gemini";
  SessionStore store{{.roots = {directory.path()}, .cwd = "/w", .version = "1"}, *files, clock};

  // One process: its session and its view of it.
  struct Process {
    OpenedSession session;
    YumeView view;

    Process(OpenedSession opened, const Scene& scene)
        : session(std::move(opened)),
          view({.folder = scene.folder,
                .session_file = session.file,
                .size_at_open = session.size_at_open,
                .model = "m",
                .price = dollar_a_token},
               *session.journal, scene.clock) {}

    void turn(const std::string& prompt, const std::string& answer, const core::TurnDone& done) {
      session.journal->prompt(core::UserMessage(prompt));
      view.on_turn_begun();
      say("id-" + answer, answer);
      view.on_turn_done(done);
    }
    void say(const std::string& message_id, const std::string& text) const {
      const ReplyHead head{.message_id = message_id,
                           .model = "m",
                           .usage = {.prompt_tokens = 10, .output_tokens = 1}};
      session.journal->block(head, BlockKind::text, text);
    }
  };

  Process start() { return {store.create("S", Persistence::kept).value(), *this}; }
  Process resume() {
    return {store.resume(*store.find("S"), std::nullopt, Persistence::kept, {}).value(), *this};
  }
  Json view() const { return Json::parse(*platform::read_part(folder / "S.json", 0, 1U << 20U)); }
  std::string history() const {
    std::string text;
    const Json all = view();
    for (const Json& message : all["history"]) {
      text +=
          message["role"].get<std::string>() + ":" + message["content"].get<std::string>() + " ";
    }
    return text;
  }
};

TEST(YumeView, HasEveryFieldThatYumeReads) {
  Scene scene;
  {
    Scene::Process process = scene.start();
    process.turn("do\n it", "done", done_after(100, 150, 0.5));
    ASSERT_TRUE(process.view.after_result().ok());
  }
  Json view = scene.view();
  view["metadata"].erase("logBytes");
  EXPECT_EQ(view, Json::parse(R"({
    "id":"S","provider":"gemini","model":"m","cwd":"/w",
    "created":"2023-11-14T22:13:20.000Z","updated":"2023-11-14T22:13:20.000Z","title":"do it",
    "usage":{"inputTokens":100,"outputTokens":0,"cacheReadTokens":0,"cacheCreationTokens":0,
             "input_tokens":100,"output_tokens":0,"cache_read_input_tokens":0,
             "cache_creation_input_tokens":0,"total_input_tokens":150,"total_cached_tokens":0,
             "total_output_tokens":0,"total_cost_usd":0.5},
    "metadata":{"title":"do it","compactionCount":0},
    "history":[{"role":"user","content":"do\n it"},{"role":"assistant","content":"done"}]})"));
}

TEST(YumeView, ListsATurnThatWasKilled) {
  Scene scene;
  Scene::Process process = scene.start();
  process.session.journal->prompt(core::UserMessage("hello"));
  process.view.on_turn_begun();
  EXPECT_EQ(scene.history(), "user:hello ");
  ASSERT_EQ(SessionIndex(scene.folder, scene.clock).read().size(), 1U);
}

TEST(YumeView, SaysNothingOfASessionNobodySpokeIn) {
  Scene scene;
  Scene::Process process = scene.start();
  ASSERT_TRUE(process.view.after_result().ok());
  EXPECT_FALSE(fs::exists(scene.folder));
}

TEST(YumeView, GivesCallsWithStringContentsAlways) {
  Scene scene;
  Scene::Process process = scene.start();
  process.session.journal->prompt(core::UserMessage("go"));
  process.session.journal->call({.message_id = "a", .model = "m"},
                                {.id = "c1",
                                 .name = "Write",
                                 .input = {R"({"content":")" + std::string(9'000, 'x') + "\"}"}});
  process.say("a", "so");
  process.session.journal->failure("API Error: no");
  ASSERT_TRUE(process.view.after_result().ok());
  const Json history = scene.view()["history"];
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[1]["content"], "so");
  EXPECT_EQ(history[1]["toolCalls"][0]["name"], "Write");
  EXPECT_LT(history[1].dump().size(), 3'000U) << "long inputs are cut";
  EXPECT_EQ(history[2]["content"], "API Error: no");
}

TEST(YumeView, CopiesLongTextsFromTheSessionsFile) {
  Scene scene;
  Scene::Process process = scene.start();
  std::string longer = "\"\u00e4\"\n";
  while (longer.size() < 200'000) longer += "and so on, ";
  process.session.journal->prompt(core::UserMessage("go"));
  for (const std::string& text : {std::string("first "), longer, longer, std::string(" last")}) {
    process.say("a", text);
  }
  ASSERT_TRUE(process.view.after_result().ok());
  EXPECT_EQ(scene.history(), "user:go assistant:first " + longer + longer + " last ");
  // It was not kept in memory: what the file says counts.
  std::string changed = *platform::read_part(process.session.file, 0, 1U << 20U);
  changed[changed.find("and so")] = 'A';
  std::ofstream(process.session.file, std::ios::binary | std::ios::in) << changed;
  ASSERT_TRUE(process.view.after_result().ok());
  longer[longer.find("and so")] = 'A';
  EXPECT_EQ(scene.history().find(longer), std::string("user:go assistant:first ").size());
  // Half a view would be worse than an old one.
  fs::resize_file(process.session.file, 100'000);
  EXPECT_FALSE(process.view.after_result().ok());
  EXPECT_EQ(scene.history().find(longer), std::string("user:go assistant:first ").size());
}

// A disk that is full, but for the head of a session.
class FullFile final : public platform::AppendFile {
 public:
  using platform::AppendFile::append;
  Result<void> append(std::span<const std::string_view> /*pieces*/) override {
    return Error{.code = ErrorCode::io, .message = "cannot write f: disk full"};
  }
  Result<void> sync() override { return {}; }
  [[nodiscard]] std::uint64_t size() const override { return 10; }
};

TEST(YumeView, WaitsUntilTheSessionIsSaved) {
  const Scene scene;
  Journal journal(std::make_unique<FullFile>(), nullptr,
                  {.session_id = "S", .cwd = "/w", .version = "1"}, {}, scene.clock);
  YumeView view({.folder = scene.folder,
                 .session_file = "f",
                 .size_at_open = std::nullopt,
                 .model = "m",
                 .price = dollar_a_token},
                journal, scene.clock);
  journal.prompt(core::UserMessage("hello"));
  EXPECT_FALSE(view.after_result().ok());
  EXPECT_FALSE(fs::exists(scene.folder / "S.json")) << "it would cover what is nowhere";
}

TEST(YumeView, AddsToAViewThatCoversTheFileWithoutReadingThat) {
  Scene scene;
  {
    Scene::Process process = scene.start();
    process.turn("one", "first", done_after(10, 10, 1));
    ASSERT_TRUE(process.view.after_result().ok());
  }
  // Only the view says this; a view made anew from the session's file could not.
  std::string text = *platform::read_part(scene.folder / "S.json", 0, 1U << 20U);
  text.replace(text.find("first"), 5, "FIRST");
  ASSERT_TRUE(
      platform::replace_private(scene.folder / "S.json", text, platform::Durability::survives_kill)
          .ok());
  Scene::Process process = scene.resume();
  process.turn("two", "second", done_after(20, 30, 2));
  ASSERT_TRUE(process.view.after_result().ok());
  process.turn("three", "third", done_after(25, 55, 3));
  ASSERT_TRUE(process.view.after_result().ok());
  EXPECT_EQ(scene.history(),
            "user:one assistant:FIRST user:two assistant:second user:three assistant:third ");
  const Json usage = scene.view()["usage"];
  EXPECT_EQ(usage["input_tokens"], 25);
  EXPECT_EQ(usage["total_input_tokens"], 65);
  EXPECT_EQ(usage["total_cost_usd"], 4);
}

TEST(YumeView, IsMadeAnewAfterAKill) {
  Scene scene;
  {
    Scene::Process process = scene.start();
    process.turn("one", "first", done_after(10, 10, 1));
    ASSERT_TRUE(process.view.after_result().ok());
    process.turn("two", "second", done_after(20, 30, 2));
    // Killed: the view was not written.
  }
  EXPECT_EQ(scene.history(), "user:one assistant:first ");
  Scene::Process process = scene.resume();
  process.turn("three", "third", done_after(25, 25, 9));
  ASSERT_TRUE(process.view.after_result().ok());
  EXPECT_EQ(scene.history(),
            "user:one assistant:first user:two assistant:second user:three assistant:third ");
  EXPECT_EQ(scene.view()["usage"]["total_input_tokens"], 30) << "as the records say";
  EXPECT_EQ(scene.view()["usage"]["total_cost_usd"], 33);
  // And goes on from there.
  process.turn("four", "fourth", done_after(30, 55, 10));
  ASSERT_TRUE(process.view.after_result().ok());
  EXPECT_EQ(scene.view()["usage"]["total_input_tokens"], 60);
  EXPECT_EQ(scene.view()["usage"]["total_cost_usd"], 34);
}

TEST(YumeView, IsMadeAnewWhenItIsBroken) {
  for (const char* broken : {"", "{", "[]", R"({"id":"S"})"}) {
    Scene scene;
    {
      Scene::Process process = scene.start();
      process.turn("one", "first", done_after(10, 10, 1));
      ASSERT_TRUE(process.view.after_result().ok());
    }
    std::ofstream(scene.folder / "S.json") << broken;
    Scene::Process process = scene.resume();
    process.turn("two", "second", done_after(20, 20, 1));
    ASSERT_TRUE(process.view.after_result().ok());
    EXPECT_EQ(scene.history(), "user:one assistant:first user:two assistant:second ");
  }
}

TEST(YumeView, ForgetsAPromptThatWasTakenBackBothWays) {
  Scene scene;
  {
    Scene::Process process = scene.start();
    process.turn("one", "first", done_after(10, 10, 1));
    process.session.journal->prompt(core::UserMessage("bad"));
    process.session.journal->take_back_prompt();
    process.session.journal->failure("API Error: refused");
    ASSERT_TRUE(process.view.after_result().ok());
  }
  const std::string kept = "user:one assistant:first assistant:API Error: refused ";
  EXPECT_EQ(scene.history(), kept);
  fs::remove(scene.folder / "S.json");
  Scene::Process process = scene.resume();
  ASSERT_TRUE(process.view.after_result().ok());
  EXPECT_EQ(scene.history(), kept);
}

TEST(YumeView, OfAForkHasAllThatCameBefore) {
  Scene scene;
  {
    Scene::Process process = scene.start();
    process.turn("one", "first", done_after(10, 10, 1));
    ASSERT_TRUE(process.view.after_result().ok());
  }
  Scene::Process fork(
      scene.store.fork(*scene.store.find("S"), "T", std::nullopt, Persistence::kept).value(),
      scene);
  fork.turn("two", "second", done_after(20, 20, 1));
  ASSERT_TRUE(fork.view.after_result().ok());
  const auto text = platform::read_part(scene.folder / "T.json", 0, 1U << 20U);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(Json::parse(*text)["history"].size(), 4U);
  EXPECT_EQ(SessionIndex(scene.folder, scene.clock).read().size(), 2U);
}

TEST(SessionIndex, KeepsForeignKeysAndForgetsOnlyWhatItIsTold) {
  const Scene scene;
  fs::create_directories(scene.folder);
  const fs::path file = scene.folder.parent_path() / "index.json";
  std::ofstream(file)
      << R"({"version":7,"sessions":{"a":{"id":"a","title":"A","starred":true},"x":3}})";
  const SessionIndex index(scene.folder, scene.clock);
  ASSERT_TRUE(index.put({.id = "a", .title = "B", .message_count = 2}).ok());
  ASSERT_TRUE(index.put({.id = "b", .title = "C", .message_count = 4}).ok());
  ASSERT_TRUE(index.forget("b").ok());
  const Json read = Json::parse(*platform::read_part(file, 0, 10'000));
  EXPECT_EQ(read["version"], 7);
  EXPECT_EQ(read["sessions"]["a"]["starred"], true);
  EXPECT_EQ(read["sessions"]["x"], 3);
  ASSERT_EQ(index.read().size(), 1U);
  EXPECT_EQ(index.read()[0].title, "B");
}

TEST(SessionIndex, KeepsWhoMadeASession) {
  const Scene scene;
  const SessionIndex index(scene.folder, scene.clock);
  const std::string maker = maker_name({.pid = 12, .start_time = 34});
  EXPECT_EQ(maker, "process-12-34");
  ASSERT_TRUE(index.put({.id = "a", .made_by = maker}).ok());
  ASSERT_TRUE(index.put({.id = "a", .title = "later"}).ok());
  ASSERT_TRUE(index.put({.id = "a", .title = "later", .made_by = "process-1-2"}).ok());
  EXPECT_EQ(index.read()[0].made_by, maker);
}

}  // namespace
}  // namespace yume::transcript
