// SPDX-License-Identifier: MIT
// One session as a client of the Agent Client Protocol sees it: its events become session/update
// notifications, and the end of a turn the reply to the prompts that it answers. Main thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/envelope.h"
#include "core/host_question.h"
#include "core/slash_command.h"
#include "jsonrpc/message.h"
#include "protocol/acp/config_options.h"
#include "protocol/line_writer.h"
#include "protocol/overflow.h"
#include "util/json_io.h"

namespace yume::protocol {

// Where all sessions write; borrowed.
struct AcpOutput {
  Output& lines;
  OverflowStore& overflow;
  bool takes_notices = false;
};

class AcpSession {
 public:
  AcpSession(AcpOutput output, std::string id, std::string cwd, AcpChoices choices)
      : output_(output), id_(std::move(id)), cwd_(std::move(cwd)), choices_(std::move(choices)) {}

  [[nodiscard]] const AcpChoices& choices() const { return choices_; }
  [[nodiscard]] const std::string& cwd() const { return cwd_; }

  // `parent_call_id`: of the call that a subagent works for; empty: the session itself.
  void on_event(const core::Event& event, const std::string& parent_call_id);

  // The reply comes with the end of its turn.
  void queue_prompt(jsonrpc::Id request, std::string uuid);
  // Nothing more will come for those that wait.
  void cancel_prompts();

  // What the client has chosen, and knows by the reply to it.
  void set_mode(core::PermissionMode mode) { choices_.mode = mode; }
  void set_model(std::string model) { choices_.model = std::move(model); }
  void set_thinking(std::string name) { choices_.thinking = std::move(name); }

  void tell_mode();
  void tell_options();
  void tell_commands(const std::vector<core::SlashCommandInfo>& commands);
  // A call goes on that was asked about.
  void tell_running(std::string_view call_id);

 private:
  struct OpenPrompt {
    jsonrpc::Id request;
    std::string uuid;
    bool started = false;
  };
  // Builds one notification; written when it is destroyed.
  class Update;

  void on(const core::PromptTaken& taken);
  void on(const core::PromptMoved& moved);
  void on(const core::ToolCallReady& ready, const std::string& parent_call_id);
  void on(const core::ToolFinished& finished, const std::string& parent_call_id);
  void on(const core::ToolProgress& progress);
  void on(const core::RetryScheduled& retry);
  void on(const core::TurnDone& done);
  void write_chunks(std::string_view kind, std::string_view text);
  void write_plan(const std::vector<core::Todo>& todos);
  void note(std::string_view severity, std::string_view text);
  void write_usage(const core::TurnDone& done);
  void answer(const jsonrpc::Id& request, const jsonrpc::Reply& reply);

  AcpOutput output_;
  std::string id_;  // as the client knows it
  std::string cwd_;
  AcpChoices choices_;
  std::string message_id_;
  std::vector<OpenPrompt> prompts_;
  std::map<std::string, std::string> terminals_;  // in which calls run, by the call
};

}  // namespace yume::protocol
