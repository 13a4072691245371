// SPDX-License-Identifier: MIT
// Asks the hooks of an event one after the other, the user's programs first, and puts together what
// they say. A hook that fails is told, and stops nothing unless it was registered so.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hooks.h"
#include "core/host_port.h"
#include "hooks/hook_output.h"
#include "hooks/hook_settings.h"
#include "platform/process.h"
#include "util/redactor.h"

namespace yume::hooks {

// What every hook is told about the session.
struct SessionFacts {
  std::string session_id;
  std::filesystem::path transcript;  // empty: the session is not kept
  std::filesystem::path cwd;
  std::function<core::PermissionMode()> mode;
};

// What hooks are run with; borrowed.
struct HookDeps {
  platform::ProcessRunner& processes;
  core::Questions& host;
  const Redactor& redactor;
  std::vector<std::string> environment;  // of the programs
  bool reports_events = false;           // the host wants to know what runs
};

// The events of those groups that no function is called for: of all when the host cannot be asked.
std::vector<std::string> events_not_served(const std::vector<core::HostHookGroup>& groups,
                                           bool host_can_be_asked);
// A notice about hooks that are not run; `owner`: "The user".
std::string not_run_notice(std::string_view owner, const std::vector<std::string>& which);

class HookRunner final : public core::Hooks {
 public:
  HookRunner(HookSettings settings, SessionFacts facts, HookDeps deps);

  // Replaces what was registered before. Between turns only. Those that are not served are left
  // out.
  void register_host_hooks(const std::vector<core::HostHookGroup>& groups);

  core::CompactionAdvice before_compaction(const core::PlannedCompaction& plan,
                                           core::EventSink& sink,
                                           const CancelToken& cancel) override;

 private:
  struct Occasion;  // what the hooks are asked about
  struct HostHook {
    Matcher matcher;
    std::string callback_id;
    std::chrono::milliseconds timeout;
    core::OnHookFailure on_failure;
  };

  std::vector<HookReply> ask_all(const Occasion& occasion, const CancelToken& cancel);
  Result<HookReply> run_command(const CommandHook& hook, const Occasion& occasion,
                                const CancelToken& cancel);
  Result<HookReply> call_host(const HostHook& hook, const Occasion& occasion,
                              const CancelToken& cancel);

  HookSettings settings_;
  SessionFacts facts_;
  HookDeps deps_;
  std::vector<HostHook> host_hooks_;  // of PreCompact
};

}  // namespace yume::hooks
