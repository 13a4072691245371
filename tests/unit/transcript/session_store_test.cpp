// SPDX-License-Identifier: MIT
#include "transcript/session_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/fake_clock.h"
#include "support/temporary_directory.h"
#include "transcript/session_paths.h"

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

struct Scene {
  SessionStore store_at(const fs::path& cwd) {
    return SessionStore({.roots = {root, other_root}, .cwd = cwd, .version = "1"}, *files, clock);
  }

  // A session with one question and its answer, closed again.
  fs::path write(const SessionStore& at, const std::string& id, const std::string& question) const {
    auto session = at.create(id, Persistence::kept);
    EXPECT_TRUE(session.ok());
    session->journal->prompt(core::UserMessage(question));
    session->journal->block({.message_id = "m-" + id, .model = "m", .usage = {}}, BlockKind::text,
                            "answer to " + question);
    return session->file;
  }

  static void set_age(const fs::path& file, std::chrono::minutes age) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - age);
  }

  test::TemporaryDirectory directory;
  fs::path root = directory.path() / "root";
  fs::path other_root = directory.path() / "other";
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  test::FakeClock clock;
  SessionStore store = store_at("/w");
};

Strings ids_of(const std::vector<FoundSession>& sessions) {
  Strings ids;
  for (const FoundSession& session : sessions) ids.push_back(session.id);
  return ids;
}

// Prompts and replies, in order.
Strings said(const core::Conversation& past) {
  Strings texts;
  for (const core::PastEntry& entry : past.entries) {
    if (const auto* prompt = std::get_if<core::PastPrompt>(&entry)) {
      texts.push_back(prompt->message.text());
    } else if (const auto* reply = std::get_if<core::PastReply>(&entry)) {
      texts.push_back(reply->text);
    } else {
      for (const auto& result : std::get<core::PastResults>(entry).results) {
        texts.push_back("result: " + result.text);
      }
    }
  }
  return texts;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr fs::perms k_file = fs::perms::owner_read | fs::perms::owner_write;

void expect_private(const fs::path& file) {
  EXPECT_EQ(fs::status(file).permissions(), k_file) << file;
  EXPECT_EQ(fs::status(file.parent_path()).permissions(), fs::perms::owner_all) << file;
}

// Forks were 0644 in folders of 0755.
TEST(SessionStore, KeepsNewSessionsAndForksForThisUserAlone) {
  Scene scene;
  auto first = scene.store.create("S", Persistence::kept);
  ASSERT_TRUE(first.ok());
  first->journal->prompt(core::UserMessage("one"));
  expect_private(first->file);
  // In a project of its own, whose folder does not exist yet.
  const SessionStore elsewhere = scene.store_at("/other");
  auto fork = elsewhere.fork(*scene.store.find("S"), "T", std::nullopt, Persistence::kept);
  ASSERT_TRUE(fork.ok()) << fork.error().message;
  fork->journal->prompt(core::UserMessage("two"));
  expect_private(fork->file);
  EXPECT_NE(fork->file.parent_path(), first->file.parent_path());
}

TEST(SessionStore, MakesTheFileWithTheFirstRecord) {
  Scene scene;
  const auto session = scene.store.create("S", Persistence::kept);
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(session->file, session_file(scene.root, "/w", "S"));
  EXPECT_EQ(session->size_at_open, std::nullopt) << "it is new";
  EXPECT_FALSE(fs::exists(session->file));
  session->journal->prompt(core::UserMessage("one"));
  EXPECT_TRUE(fs::exists(session->file));
}

TEST(SessionStore, LeavesNothingOfASessionThatIsNotKept) {
  Scene scene;
  const auto session = scene.store.create("S", Persistence::memory_only);
  ASSERT_TRUE(session.ok());
  EXPECT_NE(session->journal->prompt(core::UserMessage("one")), "");
  EXPECT_EQ(session->file, "");
  EXPECT_FALSE(fs::exists(scene.root));
}

TEST(SessionStore, RefusesIdsThatAreTakenOrNoFileNames) {
  Scene scene;
  scene.write(scene.store, "S", "one");
  const auto taken = scene.store.create("S", Persistence::kept);
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message, "Error: Session ID S is already in use.");
  for (const std::string bad : {"", "../x", "a/b", "a b"}) {
    const auto refused = scene.store.create(bad, Persistence::kept);
    ASSERT_FALSE(refused.ok()) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(scene.store.find(bad), std::nullopt);
  }
}

TEST(SessionStore, FindsASessionHereFirstThenInEveryProjectOfEveryRoot) {
  Scene scene;
  const fs::path elsewhere = scene.write(scene.store_at("/elsewhere"), "S", "there");
  EXPECT_EQ(scene.store.find("S")->file, elsewhere);
  const fs::path here = scene.write(scene.store, "S", "here");
  EXPECT_EQ(scene.store.find("S")->file, here);
  EXPECT_EQ(scene.store.find("T"), std::nullopt);
  const fs::path old = session_file(scene.other_root, "/third", "U");
  fs::create_directories(old.parent_path());
  fs::copy_file(here, old);
  EXPECT_EQ(scene.store.find("U")->file, old);
}

TEST(SessionStore, ListsWhatIsThereNewestFirst) {
  using namespace std::chrono_literals;
  Scene scene;
  Scene::set_age(scene.write(scene.store, "old", "one"), 30min);
  Scene::set_age(scene.write(scene.store, "new", "two"), 10min);
  Scene::set_age(scene.write(scene.store_at("/elsewhere"), "there", "three"), 20min);
  const fs::path folder = session_file(scene.root, "/w", "x").parent_path();
  std::ofstream(folder / "agent-1.jsonl") << "{}\n";  // Claude's subagents
  std::ofstream(folder / "empty.jsonl");
  std::ofstream(folder / "notes.txt") << "no session\n";
  fs::create_directory(folder / "folder.jsonl");
  EXPECT_EQ(ids_of(scene.store.here(scene.root)), (Strings{"new", "old"}));
  EXPECT_EQ(ids_of(scene.store.all()), (Strings{"new", "there", "old"}));
  EXPECT_EQ(scene.store.newest()->id, "new");
  EXPECT_EQ(scene.store_at("/nowhere").newest(), std::nullopt);
}

TEST(SessionStore, TakesTheNewestOfAllRoots) {
  using namespace std::chrono_literals;
  Scene scene;
  const fs::path ours = scene.write(scene.store, "ours", "one");
  const fs::path theirs = session_file(scene.other_root, "/w", "theirs");
  fs::create_directories(theirs.parent_path());
  fs::copy_file(ours, theirs);
  Scene::set_age(ours, 20min);
  Scene::set_age(theirs, 10min);
  EXPECT_EQ(scene.store.newest()->file, theirs);
}

TEST(SessionStore, GoesOnWithASession) {
  Scene scene;
  const fs::path file = scene.write(scene.store, "S", "one");
  const auto before = fs::file_size(file);
  {
    auto session = scene.store.resume(*scene.store.find("S"), std::nullopt, Persistence::kept, {});
    ASSERT_TRUE(session.ok()) << session.error().message;
    EXPECT_EQ(said(session->past), (Strings{"one", "answer to one"}));
    EXPECT_EQ(session->size_at_open, before);
    EXPECT_EQ(session->notices, Strings{});
    session->journal->prompt(core::UserMessage("two"));
  }
  const auto again =
      scene.store.resume(*scene.store.find("S"), std::nullopt, Persistence::memory_only, {});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(said(again->past), (Strings{"one", "answer to one", "two"}));
}

TEST(SessionStore, GoesOnFromAnEarlierRecord) {
  Scene scene;
  std::string first;
  {
    auto session = scene.store.create("S", Persistence::kept);
    ASSERT_TRUE(session.ok());
    first = session->journal->prompt(core::UserMessage("one"));
    session->journal->prompt(core::UserMessage("two"));
  }
  const auto found = *scene.store.find("S");
  const auto session = scene.store.resume(found, first, Persistence::kept, {});
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_EQ(said(session->past), Strings{"one"});
  EXPECT_FALSE(scene.store.resume(found, "no-such-record", Persistence::memory_only, {}).ok());
}

TEST(SessionStore, KeepsNothingOfASessionResumedInMemory) {
  Scene scene;
  const fs::path file = scene.write(scene.store, "S", "one");
  const std::string before = bytes_of(file);
  auto session =
      scene.store.resume(*scene.store.find("S"), std::nullopt, Persistence::memory_only, {});
  ASSERT_TRUE(session.ok());
  session->journal->prompt(core::UserMessage("two"));
  EXPECT_EQ(bytes_of(file), before);
}

TEST(SessionStore, WaitsForAnotherProcessAndThenSaysThatItIsInUse) {
  Scene scene;
  scene.write(scene.store, "S", "one");
  const auto found = *scene.store.find("S");
  const auto open = scene.store.resume(found, std::nullopt, Persistence::kept, {});
  ASSERT_TRUE(open.ok());
  const auto busy = scene.store.resume(found, std::nullopt, Persistence::kept, {});
  ASSERT_FALSE(busy.ok());
  EXPECT_EQ(busy.error().code, ErrorCode::busy);
  EXPECT_NE(busy.error().message.find("--fork-session"), std::string::npos);
  std::chrono::milliseconds waited{0};
  for (const auto pause : scene.clock.sleeps()) waited += pause;
  EXPECT_EQ(waited, std::chrono::milliseconds(4'500)) << "as long as an interrupted turn may take";
}

TEST(SessionStore, StopsWaitingWhenItIsCancelled) {
  Scene scene;
  scene.write(scene.store, "S", "one");
  const auto found = *scene.store.find("S");
  const auto open = scene.store.resume(found, std::nullopt, Persistence::kept, {});
  ASSERT_TRUE(open.ok());
  CancelSource cancel;
  cancel.request_stop();
  EXPECT_FALSE(scene.store.resume(found, std::nullopt, Persistence::kept, cancel.get_token()).ok());
  EXPECT_LE(scene.clock.sleeps().size(), 1U);
}

TEST(SessionStore, AnswersCallsThatWereLeftOpen) {
  Scene scene;
  fs::path file;
  {
    auto session = scene.store.create("S", Persistence::kept);
    ASSERT_TRUE(session.ok());
    file = session->file;
    session->journal->prompt(core::UserMessage("look"));
    session->journal->call({.message_id = "m", .model = "m", .usage = {}},
                           {.id = "c1", .name = "Read", .input = {"{}"}});
  }
  auto session = scene.store.resume(*scene.store.find("S"), std::nullopt, Persistence::kept, {});
  ASSERT_TRUE(session.ok());
  ASSERT_EQ(session->past.open_calls, Strings{"c1"});
  EXPECT_TRUE(said(session->past).back().starts_with("result: "));
  EXPECT_NE(bytes_of(file).find(R"("tool_use_id":"c1")"), std::string::npos)
      << "for other readers of the file, too";
}

TEST(SessionStore, ReportsLinesItCouldNotReadAndLeavesThem) {
  Scene scene;
  const fs::path file = scene.write(scene.store, "S", "one");
  std::ofstream(file, std::ios::app) << "no JSON at all\n{\"half\":\n";
  const auto session =
      scene.store.resume(*scene.store.find("S"), std::nullopt, Persistence::memory_only, {});
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(said(session->past), (Strings{"one", "answer to one"}));
  EXPECT_EQ(session->notices,
            Strings{"Session S: 2 lines could not be read and were passed over; the file is "
                    "unchanged."});
}

TEST(SessionStore, KeepsATornLineForPeopleAndGoesOnBehindIt) {
  Scene scene;
  const fs::path file = scene.write(scene.store, "S", "one");
  const std::string whole = bytes_of(file);
  std::ofstream(file, std::ios::app) << R"({"type":"user","mess)";  // killed while it wrote
  {
    auto session = scene.store.resume(*scene.store.find("S"), std::nullopt, Persistence::kept, {});
    ASSERT_TRUE(session.ok()) << session.error().message;
    session->journal->prompt(core::UserMessage("two"));
  }
  EXPECT_TRUE(bytes_of(file).starts_with(whole + "{")) << "the half line is gone";
  Strings torn;
  for (const auto& entry : fs::directory_iterator(session_folder(file))) {
    torn.push_back(bytes_of(entry.path()));
  }
  EXPECT_EQ(torn, Strings{R"({"type":"user","mess)"});
}

TEST(SessionStore, ForksASessionThatIsOpenElsewhereAndLeavesItAlone) {
  Scene scene;
  const fs::path file = scene.write(scene.store, "S", "one");
  const std::string before = bytes_of(file);
  const auto found = *scene.store.find("S");
  const auto open = scene.store.resume(found, std::nullopt, Persistence::kept, {});
  ASSERT_TRUE(open.ok());
  auto fork = scene.store.fork(found, "T", std::nullopt, Persistence::kept);
  ASSERT_TRUE(fork.ok()) << fork.error().message;
  EXPECT_EQ(said(fork->past), (Strings{"one", "answer to one"}));
  EXPECT_FALSE(fs::exists(fork->file)) << "made with the first record";
  fork->journal->prompt(core::UserMessage("two"));
  EXPECT_EQ(bytes_of(file), before);
  const std::string copy = bytes_of(fork->file);
  EXPECT_EQ(copy.find(R"("sessionId":"S")"), std::string::npos);
  EXPECT_NE(copy.find(R"("sessionId":"T")"), std::string::npos);
  const auto taken = scene.store.fork(found, "S", std::nullopt, Persistence::kept);
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace yume::transcript
