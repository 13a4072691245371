// SPDX-License-Identifier: MIT
// What whoever wants to see changes is asked about calls that change a file.
#include "agent/tool_runner.h"

#include "support/no_hooks.h"
#include "support/recording_sink.h"
#include "support/tool_world.h"
#include "tools/file_tools.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace yume::agent {
namespace {

// Says yes to everything, and remembers the questions.
class Person final : public core::Questions {
 public:
  [[nodiscard]] bool wants_changes() const override { return wants; }
  Result<core::HostAnswer> ask(core::HostQuestion question,
                               std::optional<std::chrono::milliseconds>,
                               const CancelToken&) override {
    asked.push_back(std::get<core::MayRun>(std::move(question)));
    return core::HostAnswer(core::HostAllows{});
  }

  bool wants = true;
  std::vector<core::MayRun> asked;
};

class Policy final : public permissions::PermissionPolicy {
 public:
  core::Decision decide(const core::ToolCall&, const core::Action& action) const override {
    if (may_read && std::holds_alternative<core::ReadsFile>(action)) return core::Allow{};
    return core::Ask{.message = "long",
                     .why = "short",
                     .in_every_mode = in_every_mode,
                     .suggestions = {core::ModeUpdate{}}};
  }

  bool may_read = true;
  bool in_every_mode = false;
};

struct Scene {
  static tools::Registry make_tools() {
    std::vector<std::unique_ptr<tools::Tool>> tools;
    tools.push_back(tools::make_write_tool());
    return tools::Registry(std::move(tools));
  }

  std::string write(const std::string& path) {
    std::vector<AskedCall> calls;
    calls.push_back({.id = "w",
                     .provider = {.id = "w", .name = "Write"},
                     .input = tools::read_call_input(
                         "Write", R"({"file_path":")" + path + R"(","content":"new\n"})")});
    return runner.run(std::move(calls), world.context(), sink, guard).front().outcome.content;
  }

  test::ToolWorld world;
  Policy policy;
  Person person;
  test::RecordingSink sink;
  tools::Registry registry = make_tools();
  Redactor redactor;
  test::NoHooks hooks;
  LoopGuard guard;
  ToolRunner runner{registry, policy, redactor, hooks, &person};
};

TEST(ChangeQuestions, SayWhatWouldChangeAndWhyTheyAreAsked) {
  Scene scene;
  EXPECT_EQ(scene.write("/w/a"), "File created successfully at: /w/a");
  ASSERT_EQ(scene.person.asked.size(), 1U);
  const core::MayRun& asked = scene.person.asked.front();
  EXPECT_EQ(asked.reason, "long");
  EXPECT_EQ(asked.why, "short");
  EXPECT_EQ(asked.suggestions.size(), 1U);
  ASSERT_TRUE(asked.change);
  EXPECT_TRUE(asked.change->creates);
  EXPECT_EQ(asked.change->patch.front().lines, std::vector<std::string>{"+new"});
}

TEST(ChangeQuestions, AreNotWorkedOutForHostsThatShowChangesThemselves) {
  Scene scene;
  scene.person.wants = false;
  scene.write("/w/a");
  ASSERT_EQ(scene.person.asked.size(), 1U);
  EXPECT_FALSE(scene.person.asked.front().change);
}

TEST(ChangeQuestions, AreNotAskedAboutWhatCannotBeDone) {
  Scene scene;
  scene.world.files.add_file("/w/unread", "old\n");
  EXPECT_NE(scene.write("/w/unread").find("File has not been read yet."), std::string::npos);
  EXPECT_TRUE(scene.person.asked.empty());
}

// Else the answer would tell, unasked, what is in a folder that may not be read.
TEST(ChangeQuestions, AreAskedAboutWhatCannotBeDoneWhereNothingMayBeRead) {
  Scene scene;
  scene.policy.may_read = false;
  scene.world.files.add_file("/w/unread", "old\n");
  scene.write("/w/unread");
  ASSERT_EQ(scene.person.asked.size(), 1U);
  EXPECT_FALSE(scene.person.asked.front().change);
}

TEST(ChangeQuestions, SuggestNothingForWhatIsAskedInEveryMode) {
  Scene scene;
  scene.policy.in_every_mode = true;
  scene.write("/w/a");
  ASSERT_EQ(scene.person.asked.size(), 1U);
  EXPECT_TRUE(scene.person.asked.front().suggestions.empty());
}

}  // namespace
}  // namespace yume::agent
