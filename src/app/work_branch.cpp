// SPDX-License-Identifier: MIT
#include "app/work_branch.h"

#include "platform/program_search.h"
#include "util/path_text.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds k_patience{60};
constexpr std::size_t k_longest_output = 10'000;

class Captured final : public platform::ProcessOutput {
 public:
  void on_output(std::string_view bytes) override {
    text.append(bytes.substr(0, k_longest_output - std::min(text.size(), k_longest_output)));
  }
  std::string text;
};

class Git {
 public:
  Git(std::string program, fs::path cwd, const BranchDeps& deps)
      : program_(std::move(program)), cwd_(std::move(cwd)), deps_(deps) {}

  struct Answer {
    bool ok = false;
    std::string text = {};  // without the last newline
  };
  Answer ask(std::vector<std::string> arguments) const {
    platform::ProcessSpec spec{.argv = {program_, "-c", "core.hooksPath=/dev/null", "-c",
                                        "core.fsmonitor=false", "--no-pager"},
                               .cwd = cwd_,
                               .environment = deps_.child_environment,
                               .timeout = k_patience};
    for (std::string& argument : arguments) spec.argv.push_back(std::move(argument));
    spec.environment.emplace_back("GIT_TERMINAL_PROMPT=0");
    Captured output;
    const auto end = deps_.processes.run(spec, output, {});
    if (!end.ok()) return {.text = end.error().message};
    output.text.erase(output.text.find_last_not_of('\n') + 1);
    return {.ok = *end == platform::ProcessEnd{}, .text = std::move(output.text)};
  }

 private:
  std::string program_;
  fs::path cwd_;
  const BranchDeps& deps_;
};

Error refusal(const std::string& branch, const std::string& why) {
  return {.code = ErrorCode::invalid_argument,
          .message = "Error: the branch '" + branch + "' was not checked out: " + why};
}

}  // namespace

Result<void> go_to_branch(const std::string& branch, const fs::path& cwd, const BranchDeps& deps) {
  const auto programs = platform::programs_named(
      "git", platform::path_directories(deps.environment), {cwd}, deps.files);
  if (programs.empty()) {
    return refusal(branch, "git is not on PATH. Install it, or leave out --git-branch.");
  }
  const Git git(to_utf8(programs.front()), cwd, deps);
  if (!git.ask({"rev-parse", "--is-inside-work-tree"}).ok) {
    return refusal(branch, to_utf8(cwd) + " is in no git repository. Leave out --git-branch.");
  }
  if (branch.starts_with('-') || !git.ask({"check-ref-format", "--branch", branch}).ok) {
    return refusal(branch, "this is not a name that a branch can have.");
  }
  const Git::Answer current = git.ask({"symbolic-ref", "--short", "-q", "HEAD"});
  if (current.ok && current.text == branch) return {};
  const Git::Answer changes = git.ask({"status", "--porcelain"});
  if (!changes.ok) return refusal(branch, changes.text);
  if (!changes.text.empty()) {
    return refusal(branch,
                   "there are changes that are not committed. Commit or stash them first, or leave "
                   "out --git-branch.");
  }
  const bool exists = git.ask({"show-ref", "--verify", "--quiet", "refs/heads/" + branch}).ok;
  const Git::Answer switched =
      exists ? git.ask({"switch", branch}) : git.ask({"switch", "-c", branch});
  if (!switched.ok) return refusal(branch, switched.text);
  return {};
}

}  // namespace yume::app
