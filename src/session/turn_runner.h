// SPDX-License-Identifier: MIT
// What a live conversation consists of, and how one of its turns runs: the prompt is recorded, the
// host learns of the turn, a command is answered here or the strategy thinks, the end is recorded.
// On the session's thread, except info(), and record() while there is none.
#pragma once

#include <cstdint>
#include <functional>
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
#include "mcp/permission_tool.h"
#include "mcp/servers.h"
#include "permissions/policy.h"
#include "session/commands/command_shelf.h"
#include "session/commands/slash_commands.h"
#include "session/file_checkpoints.h"
#include "session/host_files.h"
#include "session/host_terminals.h"
#include "session/prompt/prompt_preparer.h"
#include "session/recorder.h"
#include "session/services.h"
#include "session/subagents/agent_catalog.h"
#include "session/subagents/agent_hooks.h"
#include "session/subagents/subagents.h"
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
  // Any thread. All that a prompt can begin with; reads the files of those that are not ours.
  [[nodiscard]] std::vector<core::SlashCommandInfo> commands() const;

  // Keeps the prompt. The host learns of the turn by info(); then comes the turn itself, whose
  // result the caller posts.
  // `uuid`: the host's own for it; may be empty.
  // Returns that of its record; empty: there is none yet.
  std::string record(const core::UserMessage& message, const std::string& uuid);
  // Any thread. Whether the message wants the conversation to begin anew.
  [[nodiscard]] bool clears(const core::UserMessage& message) const;
  // Then, between turns and before info(): it has another id from now on, and the old one stays on
  // disk. Where that cannot be, everything stays, and the turn says why.
  void begin_anew(const std::string& prompt_uuid, const CancelToken& cancel);
  // Before the first prompt, and only in a conversation that is new: what was said elsewhere comes
  // first. False: something was said here already.
  bool begin_with(core::Conversation past);
  // Between turns. Keeps a message that wants no reply; the model gets it with the next that does.
  void append(core::UserMessage message, const std::string& uuid);

  // `take_more`: a message that came meanwhile, which its owner has recorded.
  using TakeMore = std::function<std::optional<core::UserMessage>()>;
  core::TurnDone run(const core::UserMessage& message, const TakeMore& take_more,
                     const CancelToken& cancel);
  // Whether a message may join a turn that runs; else it has to wait for its own.
  [[nodiscard]] bool may_join(const core::UserMessage& message) const;
  [[nodiscard]] bool replays_prompts() const { return spec_.replays_prompts; }
  // No turn will follow.
  void end(const CancelToken& cancel);
  // When the host has the result: what may take a moment.
  void after_result();
  void post(core::Event event) { port_.post(std::move(event)); }
  // Before info(): waits a moment for MCP servers that start.
  void meet_servers(const CancelToken& cancel);
  // Any thread.
  [[nodiscard]] mcp::Servers& mcp() { return servers_; }

  // Any thread. The reason when it cannot be.
  std::optional<std::string> set_mode(core::PermissionMode mode);
  // Any thread. Whether all functions that the host registers will be called.
  [[nodiscard]] bool serves_hooks(const core::Initialize& settings) const;
  // Any thread. What the name means; an error when it cannot be used here.
  [[nodiscard]] Result<config::ModelSpec> model_named(const std::string& name) const;
  [[nodiscard]] core::ContextReport context_report() const;
  [[nodiscard]] core::SettingsReport settings_report() const;
  [[nodiscard]] std::string cost_text() const;
  [[nodiscard]] std::vector<core::ModelOffer> models() const { return spec_.models.list(); }
  // Any thread. For hosts that list them.
  [[nodiscard]] std::vector<core::AgentSummary> agents() const { return catalog_.summaries(); }
  // Any thread. Whether background work goes on, and whether some of it has ended that the model
  // does not know of; `on_end` is called whenever some has ended, on a thread of its own.
  [[nodiscard]] bool agents_work() const { return subagents_.any_in_background(); }
  [[nodiscard]] bool agents_have_news() const {
    return !spec_.agents.hold_turn && subagents_.has_news();
  }
  void when_agents_end(std::function<void()> on_end) { subagents_.set_on_end(std::move(on_end)); }
  // What a turn begins with that nobody but the subagents asked for.
  [[nodiscard]] core::UserMessage take_agent_news();
  // Any thread. They are offered to the model with initialize().
  void set_host_agents(std::vector<core::AgentDefinition> agents) {
    catalog_.set_host_agents(std::move(agents));
  }
  // Any thread. Ends the subagents that work, also those in the background.
  void stop_agents() { subagents_.stop_all(); }
  // Any thread. False: no subagent and no background command of that id works.
  bool stop_task(std::string_view id);
  // Any thread.
  [[nodiscard]] core::RulesReport rules_report() const;
  [[nodiscard]] core::HooksReport hooks_report() const;
  // Any thread. Only what the Read tool may read unasked.
  [[nodiscard]] Result<core::FileContents> read_file(const core::ReadFile& wanted);
  // Any thread. The reason when the file is not as it was then.
  Result<void> seed_read_state(const core::SeedReadState& seen);
  // Any thread.
  [[nodiscard]] Result<core::TaskOutput> task_output(const std::string& task_id);
  // Any thread. All but the model. The reason when one of them cannot be: then those that allow
  // something do not hold.
  std::optional<std::string> apply(const core::ApplySettings& settings);
  // Between turns.
  Result<void> rename(const core::RenameSession& wanted);
  [[nodiscard]] FileCheckpoints& checkpoints() { return checkpoints_; }
  void use_model(const config::ModelSpec& model);
  void limit_thinking(std::optional<std::int64_t> max_tokens);
  void initialize(const core::Initialize& settings);

 private:
  [[nodiscard]] tools::ToolContext tool_context(const CancelToken& cancel);
  [[nodiscard]] platform::FileSystem& files_for_tools(const CancelToken& cancel);
  [[nodiscard]] std::function<void(const std::filesystem::path&)> before_change();
  [[nodiscard]] mcp::ServersDeps server_deps();
  // Whether a call may run; nullptr: nobody.
  [[nodiscard]] core::Questions* who_answers();
  // Before each request: the servers may offer other tools by now.
  void refresh_tools();
  [[nodiscard]] std::vector<std::unique_ptr<tools::Tool>> offered_tools() const;
  [[nodiscard]] std::unique_ptr<strategies::Strategy> make_strategy(core::Conversation past);
  void open_view();
  void put_behind_wall(platform::ProcessSpec& spec);
  void offer_agents();
  // Of --agent, as soon as it is known.
  void play_role();
  [[nodiscard]] std::optional<core::TurnDone> missing_role() const;
  [[nodiscard]] ParentSession as_parent();
  [[nodiscard]] core::UsageByModel usage() const;
  [[nodiscard]] bool is_kept_late(const core::UserMessage& message) const;
  std::string keep_prompt(const core::UserMessage& message, const std::string& uuid);
  // Hooks are asked about the prompt, then it is the strategy's.
  [[nodiscard]] std::vector<hooks::HookTask> background_tasks();
  core::TurnDone think(const core::UserMessage& message, const TakeMore& take_more,
                       Recorder& recorder, const CancelToken& cancel);
  bool fall_back(const std::string& why);
  void use_output_schema(const RawJson& schema);
  void post_notices();
  void add_notice(std::string text);
  std::string change_model(const std::string& name);
  core::TurnDone answer_locally(LocalCommand command, const std::string& arguments,
                                Recorder& recorder, const CancelToken& cancel);
  [[nodiscard]] SessionFacts facts() const;
  [[nodiscard]] std::optional<LocalCommand> command_in(const core::UserMessage& message) const;
  // "/compact" and what the summary should dwell on; nullopt for everything else.
  [[nodiscard]] std::optional<std::string> compact_command(const core::UserMessage& message) const;
  [[nodiscard]] core::Usage context() const;
  void take_figures(const core::TurnDone& done);

  config::SessionSpec spec_;
  transcript::OpenedSession opened_;
  Services& services_;
  core::HostPort& host_;
  core::SessionPort port_;
  std::filesystem::path long_outputs_;  // empty: nowhere
  permissions::ModePolicy policy_;
  AgentCatalog catalog_;
  CommandShelf shelf_;
  tools::Registry tools_;           // changes between requests, on the session's thread
  mutable std::mutex tools_mutex_;  // for whoever reads their names on another one
  std::unique_ptr<net::Transport> transport_;
  agent::WebFetcher web_;
  hooks::HookRunner hooks_;
  PromptPreparer prompts_;
  bool held_ = false;                          // the prompt is kept late
  std::string held_uuid_;                      // the host's for it
  std::optional<core::SessionSource> source_;  // until hooks were told that the session begins
  bool summed_up_ = false;                     // until hooks were told that it was
  FileCheckpoints checkpoints_;
  std::unique_ptr<HostFiles> host_files_;          // null: the host leaves files to us
  std::unique_ptr<HostTerminals> host_terminals_;  // null: the host shows no commands
  WorkState work_;                                 // its background commands report to the port
  std::vector<std::string> notices_;
  mcp::Servers servers_;
  std::optional<mcp::PermissionTool> permission_tool_;  // asked in the place of the host
  std::uint64_t servers_version_ = 0;                   // whose tools are in `tools_`
  std::optional<transcript::YumeView> view_;
  // What other threads may ask for: written between turns and at their ends.
  struct Figures {
    core::Usage context =
        {};  // of the last request that is known of, also from before this process
    std::int64_t prefix_tokens = 0;
    std::int64_t window = 0;
    gemini::ModelInfo model = {};
    std::optional<std::int64_t> max_thinking_tokens = std::nullopt;
    core::UsageByModel by_model = {};
    std::string session_id = {};
  };
  const config::ModelSpec first_model_;
  mutable std::mutex figures_mutex_;
  Figures figures_;
  std::unique_ptr<strategies::Strategy> strategy_;
  core::UsageByModel earlier_usage_;           // of conversations that this one has replaced
  std::vector<core::UserMessage> unanswered_;  // are recorded; the model gets them with the next
  std::string clear_problem_;                  // why the conversation did not begin anew
  std::vector<core::HostHookGroup> host_hooks_;
  Subagents subagents_;     // they use all of the above
  AgentHooks agent_hooks_;  // what the turns know as hooks
};

// The built-in tools that are neither left out nor denied as a whole.
// With `skills`, the tool that opens them, if there are any.
tools::Registry choose_tools(const config::ToolChoice& choice, const permissions::RuleSet& rules,
                             const CommandShelf* skills = nullptr);

}  // namespace yume::session
