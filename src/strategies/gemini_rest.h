// SPDX-License-Identifier: MIT
// The default strategy: our own agent loop over the Gemini REST API. Everything it needs is built
// when the first turn starts, so that a start-up without one stays cheap.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "auth/credential_chain.h"
#include "config/session_spec.h"
#include "core/conversation.h"
#include "core/hooks.h"
#include "core/host_port.h"
#include "net/transport.h"
#include "permissions/policy.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "strategies/strategy.h"
#include "tools/registry.h"
#include "util/log.h"
#include "util/redactor.h"

namespace yume::strategies {

// What a strategy works with; all of it outlives the strategy.
struct StrategyDeps {
  // The prompt is read when the first turn starts: it is the cached prefix of the session. The
  // model and its settings may change between turns; reconsider() follows.
  const config::SessionSpec& spec;
  platform::FileSystem& files;
  const platform::Clock& clock;
  net::Transport& transport;
  auth::CredentialChain& credentials;
  const tools::Registry& tools;
  permissions::PermissionPolicy& policy;
  core::Hooks& hooks;
  core::Questions* host = nullptr;  // who can be asked; nullptr: nobody
  Redactor& redactor;
  Log& log;
  // Before each request: the set of tools may change here, and nowhere else; empty: it never does.
  std::function<void()> refresh_tools = {};
  // The model is too busy, and why: true when the spec has another one now; empty: there is none.
  std::function<bool(const std::string& why)> fall_back = {};
  // What the tools of one turn can reach.
  std::function<tools::ToolContext(const CancelToken& cancel)> tool_context;
  // The session's mode, as it is now; empty: that of the spec.
  std::function<core::PermissionMode()> mode = {};
  // What a summary must not lose.
  std::function<std::string()> carry_over;
};

class GeminiRest final : public Strategy {
 public:
  // Goes on from `past`.
  GeminiRest(core::Conversation past, StrategyDeps deps);
  ~GeminiRest() override;

  core::TurnDone run(TurnInput input, core::TurnPort& port, const CancelToken& cancel) override;
  core::TurnDone compact(const std::string& focus, core::TurnPort& port,
                         const CancelToken& cancel) override;
  void reconsider() override;
  ContextUse measure_context(core::TurnPort& port, const CancelToken& cancel) override;
  [[nodiscard]] std::int64_t prefix_tokens() const override;
  [[nodiscard]] double compaction_share() const override;
  [[nodiscard]] core::UsageByModel usage() const override;

 private:
  struct Engine;  // the parts of the loop

  Engine& engine(core::EventSink& sink, const CancelToken& cancel);
  void learn_limits_once(core::EventSink& sink, const CancelToken& cancel);
  [[nodiscard]] gemini::RequestSettings request_settings() const;

  StrategyDeps deps_;
  gemini::ModelInfo model_;
  core::Conversation past_;    // until the first turn
  std::string system_prompt_;  // since the first turn
  bool outdated_ = false;      // the engine is not as the spec says
  std::unique_ptr<Engine> engine_;
};

}  // namespace yume::strategies
