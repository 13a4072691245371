// SPDX-License-Identifier: MIT
// What a live conversation consists of, and how one of its turns runs: the prompt is recorded, the
// host learns of the turn, a command is answered here or the strategy thinks, the end is recorded.
// On the session's thread, except info(), and record() while there is none.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/web_fetcher.h"
#include "config/session_spec.h"
#include "core/command.h"
#include "core/host_port.h"
#include "hooks/hook_runner.h"
#include "permissions/policy.h"
#include "session/commands/slash_commands.h"
#include "session/recorder.h"
#include "session/services.h"
#include "session/work_state.h"
#include "tools/registry.h"
#include "transcript/session_store.h"
#include "transcript/yume_view.h"

namespace yume::session {

class TurnRunner {
 public:
  TurnRunner(config::SessionSpec spec, transcript::OpenedSession opened, Services& services,
             core::HostPort& host);
  ~TurnRunner();
  TurnRunner(const TurnRunner&) = delete;
  TurnRunner& operator=(const TurnRunner&) = delete;

  [[nodiscard]] const std::string& id() const { return opened_.id; }
  // Any thread.
  [[nodiscard]] core::SessionStarted info() const;

  // Keeps the prompt. The host learns of the turn by info(); then comes the turn itself, whose
  // result the caller posts.
  void record(const core::UserMessage& message);
  core::TurnDone run(const core::UserMessage& message, const CancelToken& cancel);
  // No turn will follow.
  void end(const CancelToken& cancel);
  // When the host has the result: what may take a moment.
  void after_result();
  void post(core::Event event) { port_.post(std::move(event)); }

  // Any thread. The reason when it cannot be.
  std::optional<std::string> set_mode(core::PermissionMode mode);
  // Any thread. Whether all functions that the host registers will be called.
  [[nodiscard]] bool serves_hooks(const core::Initialize& settings) const;
  // Between turns.
  void initialize(const core::Initialize& settings);

 private:
  [[nodiscard]] tools::ToolContext tool_context(const CancelToken& cancel);
  void put_behind_wall(platform::ProcessSpec& spec);
  void keep_prompt(const core::UserMessage& message);
  // Hooks are asked about the prompt, then it is the strategy's.
  core::TurnDone think(const core::UserMessage& message, Recorder& recorder,
                       const CancelToken& cancel);
  void post_notices();
  void add_notice(std::string text);
  core::TurnDone answer_locally(LocalCommand command, Recorder& recorder,
                                const CancelToken& cancel);
  [[nodiscard]] SessionFacts facts() const;
  [[nodiscard]] core::Usage context() const;
  void set_context(const core::Usage& usage);

  config::SessionSpec spec_;
  transcript::OpenedSession opened_;
  Services& services_;
  core::SessionPort port_;
  std::filesystem::path long_outputs_;  // empty: nowhere
  permissions::ModePolicy policy_;
  tools::Registry tools_;
  std::unique_ptr<net::Transport> transport_;
  agent::WebFetcher web_;
  hooks::HookRunner hooks_;
  std::optional<core::SessionSource> source_;  // until hooks were told that the session begins
  WorkState work_;                             // its background commands report to the port
  std::vector<std::string> notices_;
  std::optional<transcript::YumeView> view_;
  mutable std::mutex context_mutex_;
  core::Usage context_;  // of the last request that is known of, also from before this process
  std::unique_ptr<strategies::Strategy> strategy_;
};

// The built-in tools that are neither left out nor denied as a whole.
tools::Registry choose_tools(const config::ToolChoice& choice, const permissions::RuleSet& rules);

}  // namespace yume::session
