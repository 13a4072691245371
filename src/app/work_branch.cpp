// SPDX-License-Identifier: MIT
#include "app/work_branch.h"

#include "util/path_text.h"

#include <chrono>
#include <optional>
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

bool is_inside(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// By PATH, but never one that lies in the folder that is worked in.
std::optional<std::string> find_git(const fs::path& cwd, const BranchDeps& deps) {
  const std::string path = deps.environment.get("PATH").value_or("");
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path folder = path_from_utf8(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!folder.is_absolute()) continue;
    const auto real = deps.files.real_path(folder / "git");
    const auto info = real.ok() ? deps.files.info(*real) : Result<platform::FileInfo>(real.error());
    if (!info.ok() || info->kind != platform::FileKind::regular) continue;
    if (!is_inside(*real, cwd)) return to_utf8(*real);
  }
  return std::nullopt;
}

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
  const auto program = find_git(cwd, deps);
  if (!program)
    return refusal(branch, "git is not on PATH. Install it, or leave out --git-branch.");
  const Git git(*program, cwd, deps);
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
