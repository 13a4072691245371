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
struct HookWorld {
  platform::ProcessRunner& processes;
  core::HostHooks& host;
  const Redactor& redactor;
  std::vector<std::string> environment;  // of the programs
  bool tells_events = false;             // the host wants to know what runs
};

class HookRunner final : public core::Hooks {
 public:
  HookRunner(HookSettings settings, SessionFacts facts, HookWorld world);

  // Replaces what was registered before. Between turns only. Names the events that are not served.
  std::vector<std::string> register_host_hooks(std::vector<core::HostHookGroup> groups);

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

  std::vector<HookSaid> ask_all(const Occasion& occasion, const CancelToken& cancel);
  Result<HookSaid> run_command(const CommandHook& hook, const Occasion& occasion,
                               const CancelToken& cancel);
  Result<HookSaid> call_host(const HostHook& hook, const Occasion& occasion,
                             const CancelToken& cancel);

  HookSettings settings_;
  SessionFacts facts_;
  HookWorld world_;
  std::vector<HostHook> host_hooks_;  // of PreCompact
};

}  // namespace yume::hooks
