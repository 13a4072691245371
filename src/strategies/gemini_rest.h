// SPDX-License-Identifier: MIT
// The default strategy: our own agent loop over the Gemini REST API. Everything it needs is built
// when the first turn starts, so that a start-up without one stays cheap.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/agent_loop.h"
#include "agent/model_client.h"
#include "agent/system_prompt.h"
#include "agent/tool_runner.h"
#include "auth/credential_chain.h"
#include "core/conversation.h"
#include "core/hooks.h"
#include "gemini/model_info.h"
#include "gemini/request.h"
#include "permissions/policy.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "session/journal.h"
#include "strategies/strategy.h"
#include "tools/registry.h"
#include "util/log.h"
#include "util/redactor.h"

namespace yume::strategies {

// What the outside world offers; borrowed for the strategy's life.
struct World {
  platform::FileSystem& files;
  platform::ProcessRunner& processes;
  const platform::Clock& clock;
  net::Transport& transport;
  auth::CredentialChain& credentials;
  const tools::Registry& tools;
  permissions::PermissionPolicy& policy;
  session::Journal& journal;
  core::Hooks& hooks;
  core::HostQuestions* host = nullptr;  // who can be asked; nullptr: nobody
  Redactor& redactor;
  Log& log;
  tools::web::WebClient* web = nullptr;  // none: nothing is fetched
};

struct GeminiSettings {
  gemini::ModelInfo model;
  bool ask_for_limits = false;              // the model is not in the catalog
  std::filesystem::path limits_cache = {};  // where the answers are kept
  agent::AccessSettings access;
  gemini::RequestSettings request;  // without prompt and tools, which are made for the first turn
  agent::PromptSettings prompt;
  agent::LoopLimits limits;
  std::optional<double> compaction_share = {};  // of the window; else by model
  int max_retries = 5;
  std::vector<std::string> child_environment;
  tools::ShellSettings shell = {};
  std::filesystem::path output_directory = {};  // for long outputs; empty: nowhere
  core::Conversation past;                      // to go on from
  std::vector<std::string> notices;             // to be told with the next turn
};

class GeminiRest final : public Strategy {
 public:
  GeminiRest(GeminiSettings settings, World world);
  ~GeminiRest() override;

  core::TurnDone run_turn(const core::UserMessage& message, core::EventSink& sink,
                          const CancelToken& cancel) override;

  void before_turn(const core::UserMessage& message) override;
  void after_turn() override;

  // Between turns only. The first turn fixes the prompt: it is the cached prefix of the session.
  void set_prompt(std::optional<std::string> replacement, std::string appended);
  // Between turns only: to be told with the next one.
  void add_notice(std::string text);

 private:
  struct Engine;  // the parts of the loop

  std::function<bool(const std::filesystem::path&)> hidden_files() const;
  void learn_limits_once(core::EventSink& sink, const CancelToken& cancel);
  void start(core::EventSink& sink, const CancelToken& cancel);
  std::string carry_over() const;
  std::optional<core::WorkState> take_news();

  GeminiSettings settings_;
  World world_;
  tools::FileMemory memory_;
  tools::TodoList todos_;
  std::string told_cwd_;  // the shell's, as the journal has it
  std::string told_todos_ = "[]";
  tools::Shell shell_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace yume::strategies
