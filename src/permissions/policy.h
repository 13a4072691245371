// SPDX-License-Identifier: MIT
// May this call run? One decision in a fixed order over what the call would do: denials, what is
// closed to everybody, critical removals, questions, protected files, the mode, allowances. The
// only look at the disk is at the names of files (FileNames). Nothing here asks anyone.
// Thread-safe.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/permission.h"
#include "core/tool_call.h"
#include "permissions/command_facts.h"
#include "permissions/rule_book.h"
#include "util/result.h"

namespace yume::permissions {

// A decision with its reasons, for people who wonder.
struct Verdict {
  core::Decision decision;
  std::vector<std::string> actions = {};    // what the call would do, one line each
  std::optional<Rule> rule = std::nullopt;  // that decided
  std::string reason = {};                  // one line
};

// What became of a change that a host or a person wanted.
struct UpdateOutcome {
  bool holds = true;         // from now on, in this session
  std::string problem = {};  // why it does not, or only here; empty: none

  friend bool operator==(const UpdateOutcome&, const UpdateOutcome&) = default;
};

// Whether less runs unasked in one mode than in another.
bool permits_less(core::PermissionMode mode, core::PermissionMode than);

class PermissionPolicy {
 public:
  virtual ~PermissionPolicy() = default;
  [[nodiscard]] virtual core::Decision decide(const core::ToolCall& call,
                                              const core::Action& action) const = 0;
  // What a host or a person has since chosen.
  virtual void set_mode(core::PermissionMode /*mode*/) {}
  // Changes by a host or a person: of the mode, of rules, of directories.
  virtual UpdateOutcome apply(const core::PermissionUpdate& update) {
    if (const auto* mode = std::get_if<core::ModeUpdate>(&update)) set_mode(mode->mode);
    return {};
  }
  // Searching a directory must not show what reading it would be denied.
  [[nodiscard]] virtual bool hides_files() const { return false; }  // whether any could be
  [[nodiscard]] virtual bool hides(const std::filesystem::path& /*real_path*/) const {
    return false;
  }
  // A rule allows this very host by its name: then it may be one of this machine or its network.
  [[nodiscard]] virtual bool names_host(std::string_view /*host*/) const { return false; }
};

// Who is behind an unanswered question.
enum class HostTrust {
  ask,         // Claude's rules: what is not allowed must be asked for
  runs_tools,  // Yume passes no flag and no channel and expects tools to run in its project
};

// How closed a file is.
enum class Closed { no, personal, own };

struct PolicySettings {
  core::PermissionMode mode = core::PermissionMode::default_mode;
  HostTrust trust = HostTrust::ask;
  bool nothing_unasked = false;         // Yume's `deny`: not even reading
  bool bypass_disabled = false;         // by a setting; the mode then counts as default
  bool bypass_permitted = false;        // from the start: a host may switch to it later
  bool sandboxed_commands_run = false;  // behind the sandbox nobody need be asked
  // But for commands that run without it.
  std::function<bool(const std::string& command, const std::filesystem::path& cwd)> leaves_sandbox =
      {};
  std::vector<std::filesystem::path> roots;  // real paths; the first is the working directory
  // Where long outputs are kept, which the model is told to read.
  std::vector<std::filesystem::path> readable = {};
  // Protected besides those that are by name: where a `.git` file points to.
  std::vector<std::filesystem::path> protected_places = {};
  std::filesystem::path home = {};
  RuleSet rules = {};
  std::function<Closed(const std::filesystem::path&)> closed = {};  // by any of its names
  // Whether closed files lie in the folder, and whether commands run behind a wall that hides them.
  std::function<bool(const std::filesystem::path&)> closed_inside = {};
  std::function<bool()> walls_commands = {};
  FileNames file_names = {};
  FolderCheck is_folder = {};
  // Commands are for a shell with another language than bash's: nothing can be told of them.
  bool other_shell = false;
  // A repository's settings can name programs: git is read-only in trusted ones alone.
  bool workspace_trusted = false;
  // Writes down what a host or a person wants to hold beyond this session; absent: nowhere.
  std::function<Result<void>(const core::PermissionUpdate&)> keep = {};

  [[nodiscard]] std::filesystem::path cwd() const {
    return roots.empty() ? std::filesystem::path("/") : roots.front();
  }
};

class ModePolicy final : public PermissionPolicy {
 public:
  explicit ModePolicy(PolicySettings settings);
  // Any thread; holds from the next decision on.
  void set_mode(core::PermissionMode mode) override;
  // False: bypassing was not permitted when the session began, or a setting forbids it.
  [[nodiscard]] bool may_have(core::PermissionMode mode) const;
  UpdateOutcome apply(const core::PermissionUpdate& update) override;
  // Any thread. One more place where long outputs are kept, by its real path.
  void add_readable(const std::filesystem::path& place);
  // The working directories; the first is the one the session began in.
  [[nodiscard]] std::vector<std::filesystem::path> roots() const;
  [[nodiscard]] core::PermissionMode mode() const;
  [[nodiscard]] core::Decision decide(const core::ToolCall& call,
                                      const core::Action& action) const override;
  // As decide() in a mode that permits less; in any other the session's own counts.
  [[nodiscard]] core::Decision decide_within(core::PermissionMode mode, const core::ToolCall& call,
                                             const core::Action& action) const;
  [[nodiscard]] Verdict judge(const core::ToolCall& call, const core::Action& action) const;
  [[nodiscard]] bool hides_files() const override;
  [[nodiscard]] bool hides(const std::filesystem::path& real_path) const override;
  [[nodiscard]] bool names_host(std::string_view host) const override;
  [[nodiscard]] RuleSet rules() const;

 private:
  struct State;  // settings and compiled rules: never changed, only replaced
  [[nodiscard]] std::shared_ptr<const State> state() const;
  void replace(PolicySettings settings);
  // For this session; the reason when it cannot be.
  std::optional<std::string> change(const core::PermissionUpdate& update);

  std::mutex changing_;  // a change begins with what the one before it has left
  mutable std::mutex mutex_;
  std::shared_ptr<const State> state_;
};

}  // namespace yume::permissions
