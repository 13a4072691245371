// SPDX-License-Identifier: MIT
// Background commands with real processes: started, read, waited for, stopped, and gone with the
// session.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <string>

#include "support/real_shell.h"

namespace yume {
namespace {

using nlohmann::json;
using test::content_of;
using test::RealShell;
using Strings = std::vector<std::string>;

namespace fs = std::filesystem;

// A command that goes on when it is told to.
class Gate {
 public:
  explicit Gate(fs::path path) : path_(std::move(path)) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  }
  std::string wait() const { return "read < " + path_.string(); }
  void open() const { ::close(::open(path_.c_str(), O_WRONLY)); }

 private:
  fs::path path_;
};

std::string tags(const std::string& retrieval, const std::string& id, const std::string& status,
                 const std::string& rest = "") {
  return "<retrieval_status>" + retrieval + "</retrieval_status>\n\n<task_id>" + id +
         "</task_id>\n\n<task_type>local_bash</task_type>\n\n<status>" + status + "</status>" +
         rest;
}

TEST(Background, RunsOnWhileOtherCommandsDo) {
  RealShell shell;
  const Gate gate(shell.scratch() / "gate");
  const auto started = shell.call("Bash", {{"command", "echo one; " + gate.wait() + "; echo two"},
                                           {"description", "Counts"},
                                           {"run_in_background", true}});
  const std::string file = (shell.outputs() / "call_1.txt").string();
  EXPECT_EQ(started.content,
            "Command running in background with ID: bash_1. Output is being written to: " + file +
                ". You will be notified when it completes. To check interim output, use Read on "
                "that file path.");
  EXPECT_EQ(started.details, core::ToolDetails(core::CommandStarted{"bash_1"}));
  EXPECT_EQ(shell.bash("echo beside"), "beside");
  EXPECT_TRUE(shell.shell().background().take_end_reports().empty());
  gate.open();
  EXPECT_EQ(shell.call("BashOutput", {{"bash_id", "bash_1"}, {"block", true}}).content,
            tags("success", "bash_1", "completed",
                 "\n\n<exit_code>0</exit_code>\n\n<output>\none\ntwo\n</output>"));
  EXPECT_EQ(content_of(file), "one\ntwo\n");
  EXPECT_EQ(shell.call("BashOutput", {{"bash_id", "bash_1"}}).content,
            tags("success", "bash_1", "completed", "\n\n<exit_code>0</exit_code>"))
      << "nothing new";
  const std::string summary =
      "Background command \"echo one; " + gate.wait() + "; echo two\" completed (exit code 0)";
  EXPECT_EQ(shell.shell().background().take_end_reports(),
            Strings{summary + ". Its ID is bash_1, its output is in " + file + "."});
  EXPECT_TRUE(shell.shell().background().take_end_reports().empty());
}

TEST(Background, GivesWhatIsNewAndWhatMatches) {
  RealShell shell;
  const Gate first(shell.scratch() / "first");
  const Gate second(shell.scratch() / "second");
  const std::string id = shell.bash_in_background("printf 'a\\nerror 1\\nb\\n'; " + first.wait() +
                                                  "; echo error 2; echo c; " + second.wait());
  first.open();  // the shell has printed what comes before
  EXPECT_NE(shell.call("BashOutput", {{"bash_id", id}, {"block", true}, {"timeout", 1}})
                .content.find("<status>running</status>"),
            std::string::npos);
  second.open();
  shell.shell().background().wait_for_end(id, std::chrono::minutes(1), CancelToken());
  const std::string all =
      shell.call("BashOutput", {{"bash_id", id}, {"filter", "^error \\d"}}).content;
  EXPECT_EQ(all.find("\nc\n"), std::string::npos) << all;
  EXPECT_EQ(content_of(shell.outputs() / "call_1.txt"), "a\nerror 1\nb\nerror 2\nc\n");
}

TEST(Background, TellsFailuresAndRefusesWhatIsNotThere) {
  RealShell shell;
  const std::string id = shell.bash_in_background("echo oh; exit 3");
  EXPECT_EQ(
      shell.call("TaskOutput", {{"bash_id", id}, {"block", true}}).content,
      tags("success", id, "failed", "\n\n<exit_code>3</exit_code>\n\n<output>\noh\n</output>"));
  EXPECT_EQ(shell.call("KillShell", {{"shell_id", id}}).content,
            "<tool_use_error>Background command bash_1 is not running (status: "
            "failed)</tool_use_error>");
  for (const char* tool : {"BashOutput", "KillShell"}) {
    const char* field = std::string(tool) == "KillShell" ? "shell_id" : "bash_id";
    EXPECT_EQ(shell.call(tool, {{field, "bash_9"}}).content,
              "<tool_use_error>No background command with ID bash_9</tool_use_error>");
  }
}

TEST(Background, StopsOneWithAllItStarted) {
  RealShell shell;
  const Gate gate(shell.scratch() / "gate");
  const std::string id = shell.bash_in_background("trap '' TERM; setsid sleep 300 & " +
                                                  gate.wait() + "; echo ready; sleep 300");
  gate.open();
  EXPECT_EQ(json::parse(shell.call("KillShell", {{"shell_id", id}}).content)["shell_id"], id);
  EXPECT_NE(shell.call("BashOutput", {{"bash_id", id}}).content.find("<status>killed</status>"),
            std::string::npos);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "something is left";
  EXPECT_TRUE(shell.shell().background().take_end_reports().empty()) << "the model knows";
}

TEST(Background, PostsItsStartAndItsEnd) {
  RealShell shell;
  std::promise<void> told;
  shell.events().on_post([&](const core::Event& event) {
    if (std::holds_alternative<core::BackgroundEnded>(event)) told.set_value();
  });
  shell.call("Bash",
             {{"command", "echo hi"}, {"description", "Says hi"}, {"run_in_background", true}});
  told.get_future().wait();
  const std::string file = (shell.outputs() / "call_1.txt").string();
  EXPECT_EQ(
      shell.events().events(),
      (Strings{"background bash_1 of call_1: Says hi",
               "background bash_1 of call_1 ended (completed): Background command \"echo hi\" "
               "completed (exit code 0) in " +
                   file}));
}

TEST(Background, EndsWithTheSession) {
  const auto start = std::chrono::steady_clock::now();
  {
    RealShell shell;
    for (int i = 0; i < 5; ++i) {
      const Gate gate(shell.scratch() / ("gate" + std::to_string(i)));
      shell.bash_in_background("trap '' TERM; " + gate.wait() + "; sleep 300");
      gate.open();
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "something is left";
}

TEST(Background, StartsWhereTheShellIsAndDoesNotMoveIt) {
  RealShell shell;
  fs::create_directories(shell.cwd() / "sub" / "deep");
  shell.bash("cd sub");
  const std::string id = shell.bash_in_background("pwd; cd deep");
  EXPECT_NE(shell.call("BashOutput", {{"bash_id", id}, {"block", true}})
                .content.find("<output>\n" + (shell.cwd() / "sub").string() + "\n</output>"),
            std::string::npos);
  EXPECT_EQ(shell.bash("pwd"), (shell.cwd() / "sub").string());
}

TEST(Background, HasALimit) {
  RealShell shell;
  for (std::size_t i = 0; i < tools::BackgroundCommands::k_most_running; ++i) {
    shell.bash_in_background("sleep 300");
  }
  const auto refused = shell.call("Bash", {{"command", "sleep 300"}, {"run_in_background", true}});
  EXPECT_TRUE(refused.is_error);
  EXPECT_EQ(refused.content,
            "There are 32 background commands already. Stop one with KillShell first.");
}

}  // namespace
}  // namespace yume
