// SPDX-License-Identifier: MIT
// Asks the hooks of an event one after the other, the user's programs first, and brings back what
// they say. A hook that fails is reported, and stops nothing unless it was registered so. What the
// answers mean is not decided here. On the session's thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hooks.h"
#include "core/host_port.h"
#include "hooks/hook_output.h"
#include "hooks/hook_settings.h"
#include "platform/command_system.h"
#include "platform/process.h"
#include "util/redactor.h"

namespace yume::hooks {

// What hooks are run with; borrowed.
struct HookDeps {
  platform::ProcessRunner& processes;
  core::Questions& host;
  const Redactor& redactor;
  std::filesystem::path cwd;
  std::vector<std::string> environment;  // of the programs
  platform::CommandShell line_shell = platform::CommandSystem().line_shell;
  bool reports_events = false;  // the host wants to know what runs
  // Puts a program that the folder brought behind the wall around commands; empty: there is none.
  std::function<void(platform::ProcessSpec&)> put_behind_wall = {};
};

// What the hooks are asked about.
struct Occasion {
  core::HookEvent event;
  std::optional<std::string> subject = std::nullopt;  // what matchers look at; absent: all match
  RawJson input;                                      // what they are told
  core::EventSink& sink;
  std::string call_id = {};                                            // empty: of no call
  std::optional<std::chrono::milliseconds> time_limit = std::nullopt;  // for each of them
  enum class Asked { everybody, commands };
  Asked asked = Asked::everybody;

  [[nodiscard]] std::string name() const;  // "PreToolUse:Write", "Stop"
};

struct HookSaid {
  std::string label = {};  // of a command that ended with a veto: "[./check]: "
  HookReply reply = {};
};

// The events of those groups that no function is called for: of all when the host cannot be asked.
std::vector<std::string> events_not_served(const std::vector<core::HostHookGroup>& groups,
                                           bool host_can_be_asked);
// Without those of which a host is only told: it has nothing to expect of them, and many register
// them for every session.
std::vector<std::string> without_mere_reports(std::vector<std::string> events);
// A notice about hooks that are not run; `owner`: "The user".
std::string not_run_notice(std::string_view owner, const std::vector<std::string>& which);

class HookDispatcher {
 public:
  HookDispatcher(HookSettings settings, HookDeps deps);

  // Replaces what was registered before. Between turns only. Those that are not served are left
  // out.
  void register_host_hooks(const std::vector<core::HostHookGroup>& groups);

  [[nodiscard]] bool has(core::HookEvent event) const;
  std::vector<HookSaid> ask_all(const Occasion& occasion, const CancelToken& cancel);

 private:
  struct HostHook {
    Matcher matcher;
    std::string callback_id;
    std::chrono::milliseconds timeout;
    core::OnHookFailure on_failure;
  };

  void take(Result<HookSaid> said, const std::string& what, core::OnHookFailure on_failure,
            const Occasion& occasion, std::vector<HookSaid>& all);
  [[nodiscard]] std::string project_folder() const;
  Result<HookSaid> run_command(const CommandHook& hook, const Occasion& occasion,
                               const CancelToken& cancel);
  Result<HookSaid> call_host(const HostHook& hook, const Occasion& occasion,
                             const CancelToken& cancel);

  HookSettings settings_;
  HookDeps deps_;
  std::map<core::HookEvent, std::vector<HostHook>> host_hooks_;
};

}  // namespace yume::hooks
