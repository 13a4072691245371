// SPDX-License-Identifier: MIT
#include "transcript/alias_book.h"

#include <gtest/gtest.h>

#include <fstream>
#include <list>

#include "platform/kept_files.h"
#include "support/forked.h"
#include "support/temporary_directory.h"

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;

struct Scene {
  test::TemporaryDirectory directory;
  platform::SystemClock clock;
  fs::path folder = directory.path() / "sessions" / "gemini";
  AliasBook book{folder, clock};

  fs::path file = directory.path() / "sessions" / "aliases.json";
  fs::path former = folder / "aliases.json";

  void put(std::string_view text) const { put(file, text); }
  static void put(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string text() const { return *platform::read_part(file, 0, 1U << 20U); }
};

TEST(AliasBook, KnowsTheIdsThatYumeMakesUp) {
  for (const char* id : {"syn_0123456789abcdef012345", "temp-1", "session-1731"}) {
    EXPECT_TRUE(is_made_up_id(id)) << id;
  }
  for (const char* id : {"", "syn_", "syn_0123456789abcdef01234", "syn_0123456789ABCDEF012345",
                         "syn_0123456789abcdef0123456", "11111111-1111-4111-8111-111111111111"}) {
    EXPECT_FALSE(is_made_up_id(id)) << id;
  }
}

TEST(AliasBook, FindsWhatWasBound) {
  const Scene scene;
  EXPECT_EQ(scene.book.find("syn_1"), std::nullopt);
  ASSERT_TRUE(scene.book.bind("syn_1", "one").ok());
  ASSERT_TRUE(scene.book.bind("syn_2", "two").ok());
  ASSERT_TRUE(scene.book.bind("syn_1", "three").ok());
  EXPECT_EQ(scene.book.find("syn_1"), "three");
  EXPECT_EQ(scene.book.find("syn_2"), "two");
}

TEST(AliasBook, TellsTheChooserWhichSessionsOthersHave) {
  const Scene scene;
  ASSERT_TRUE(scene.book.bind("a", "one").ok());
  ASSERT_TRUE(scene.book.bind("b", "two").ok());
  std::set<std::string> seen;
  const auto bound = scene.book.bind_chosen("b", [&](const std::set<std::string>& taken) {
    seen = taken;
    return std::optional<std::string>("three");
  });
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(*bound, "three");
  EXPECT_EQ(seen, std::set<std::string>{"one"});
  EXPECT_EQ(scene.book.find("b"), "three");
}

TEST(AliasBook, ForgetsEveryNameOfASession) {
  const Scene scene;
  ASSERT_TRUE(scene.book.forget("one").ok());
  EXPECT_FALSE(fs::exists(scene.folder.parent_path())) << "forgetting nothing leaves no trace";
  for (const char* alias : {"a", "b"}) ASSERT_TRUE(scene.book.bind(alias, "one").ok());
  ASSERT_TRUE(scene.book.bind("c", "two").ok());
  ASSERT_TRUE(scene.book.forget("one").ok());
  EXPECT_EQ(scene.book.find("a"), std::nullopt);
  EXPECT_EQ(scene.book.find("b"), std::nullopt);
  EXPECT_EQ(scene.book.find("c"), "two");
}

TEST(AliasBook, KeepsWhatOthersPutThere) {
  const Scene scene;
  scene.put(R"({"version":{"deep":[1,2]},"a":"one"})");
  ASSERT_TRUE(scene.book.bind("b", "two").ok());
  EXPECT_EQ(scene.book.find("version"), std::nullopt);
  EXPECT_NE(scene.text().find("\"deep\""), std::string::npos);
  EXPECT_EQ(scene.book.find("a"), "one");
}

// The app takes every file beside Yume's views for a conversation.
TEST(AliasBook, MovesFromItsOldPlaceWithTheFirstChange) {
  const Scene scene;
  Scene::put(scene.former, R"({"a":"one","b":"two"})");
  Scene::put(fs::path(scene.former) += ".lock", "");
  EXPECT_EQ(scene.book.find("a"), "one");
  EXPECT_TRUE(fs::exists(scene.former)) << "reading changes nothing";
  ASSERT_TRUE(scene.book.bind("b", "three").ok());
  EXPECT_EQ(scene.book.find("a"), "one");
  EXPECT_EQ(scene.book.find("b"), "three");
  EXPECT_TRUE(fs::is_empty(scene.folder));
  Scene::put(scene.former, R"({"b":"two","c":"four"})");
  EXPECT_EQ(scene.book.find("b"), "three") << "what an older version wrote later does not win";
  ASSERT_TRUE(scene.book.forget("nothing").ok());
  EXPECT_EQ(scene.book.find("c"), "four");
  EXPECT_TRUE(fs::is_empty(scene.folder));
}

TEST(AliasBook, SetsABrokenFileOfTheOldPlaceAside) {
  const Scene scene;
  Scene::put(scene.former, "{\"a\":");
  ASSERT_TRUE(scene.book.bind("b", "two").ok());
  EXPECT_TRUE(fs::is_empty(scene.folder));
  EXPECT_EQ(std::distance(fs::directory_iterator(scene.file.parent_path()), {}), 4)
      << "the views, the names, their lock, and what is broken";
}

TEST(AliasBook, SetsABrokenFileAside) {
  for (const char* broken : {"{\"a\":\"one\"", "[]", "", "\xff\xfe"}) {
    const Scene scene;
    scene.put(broken);
    EXPECT_EQ(scene.book.find("a"), std::nullopt);
    ASSERT_TRUE(scene.book.bind("b", "two").ok());
    EXPECT_EQ(scene.book.find("b"), "two");
    int kept = 0;
    for (const auto& entry : fs::directory_iterator(scene.file.parent_path())) {
      if (entry.path().filename().string().find(".broken-") == std::string::npos) continue;
      ++kept;
      EXPECT_EQ(*platform::read_part(entry.path(), 0, 100), broken);
    }
    EXPECT_EQ(kept, 1);
  }
}

TEST(AliasBook, LosesNoKeyWhenManyProcessesBindAtOnce) {
  constexpr int k_processes = 16;
  constexpr int k_each = 10;
  const Scene scene;
  const auto key = [](int process, int n) {
    return std::to_string(process) + "-" + std::to_string(n);
  };
  std::list<test::Forked> processes;
  for (int process = 0; process < k_processes; ++process) {
    processes.emplace_back([&scene, &key, process] {
      for (int n = 0; n < k_each; ++n) {
        if (!scene.book.bind(key(process, n), "id-" + key(process, n)).ok()) return 1;
      }
      return 0;
    });
  }
  for (test::Forked& process : processes) EXPECT_EQ(process.wait(), 0);
  for (int process = 0; process < k_processes; ++process) {
    for (int n = 0; n < k_each; ++n) {
      EXPECT_EQ(scene.book.find(key(process, n)), "id-" + key(process, n));
    }
  }
}

TEST(AliasBook, NeverGivesOneSessionToTwoNames) {
  constexpr int k_processes = 16;
  const Scene scene;
  std::list<test::Forked> processes;
  for (int process = 0; process < k_processes; ++process) {
    processes.emplace_back([&scene, process] {
      const auto bound = scene.book.bind_chosen(
          "alias-" + std::to_string(process),
          [](const std::set<std::string>& taken) -> std::optional<std::string> {
            for (int id = 0; id < k_processes; ++id) {
              if (!taken.contains(std::to_string(id))) return std::to_string(id);
            }
            return std::nullopt;
          });
      return bound.ok() && *bound ? 0 : 1;
    });
  }
  for (test::Forked& process : processes) EXPECT_EQ(process.wait(), 0);
  std::set<std::string> ids;
  for (int process = 0; process < k_processes; ++process) {
    ids.insert(scene.book.find("alias-" + std::to_string(process)).value_or(""));
  }
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(k_processes));
}

}  // namespace
}  // namespace yume::transcript
