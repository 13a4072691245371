// SPDX-License-Identifier: MIT
// The messages of an ACP agent as events: those of a recorded connection, of both directions or of
// the agent's alone, line by line; or those of a live one, message by message. Older shapes are
// read as well: a nested `toolCall`, content that is no list, places that are strings, plans of
// {text}. All sessions of a connection are read as one.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/permission.h"
#include "foreign/acp_call.h"
#include "foreign/line_decoder.h"
#include "foreign/turn_flow.h"
#include "jsonrpc/message.h"

namespace yume::foreign {

// "autoEdit", "yolo", "acceptEdits": a session's mode as agents name it.
std::optional<core::PermissionMode> acp_mode(std::string_view id);

class AcpDecoder final : public LineDecoder {
 public:
  explicit AcpDecoder(DecoderOptions options = {});
  ~AcpDecoder() override;
  AcpDecoder(const AcpDecoder&) = delete;
  AcpDecoder& operator=(const AcpDecoder&) = delete;

  std::optional<BadLine> feed(std::string_view line, const Emit& emit) override;
  void finish(const StreamEnd& end, const Emit& emit) override;

  // For whoever is the client itself; feed() calls the same.
  void on_initialized(const RawJson& result);
  // The session of these parameters is open.
  void on_session(const RawJson& params, const RawJson& result, const Emit& emit);
  // Of the messages from now on.
  void set_model(std::string model) { flow_.set_model(std::move(model)); }
  void on_prompt(const RawJson& params, const Emit& emit);
  void on_update(const RawJson& params, const Emit& emit);
  // The agent asks whether a call may run: the call becomes known by that at the latest. Returns
  // the call as it was announced.
  core::ToolCall on_permission(const RawJson& params, const Emit& emit);
  // The answer was no; some agents say nothing more of that call.
  void on_refused(const std::string& call_id, const std::string& message, TurnFlow::Refused how,
                  const Emit& emit);
  void on_prompt_reply(const jsonrpc::Reply& reply, const Emit& emit);

  void set_terminal_output(AcpCall::TerminalOutput output) { terminal_ = std::move(output); }
  void reserve_call_ids(const std::vector<std::string>& ids) { flow_.reserve_ids(ids); }
  [[nodiscard]] bool in_turn() const { return flow_.is_open(); }

 private:
  using Json = nlohmann::ordered_json;

  bool feed_update(std::string_view line, const Emit& emit);
  void on_update(const Json& params, const Emit& emit);
  void on_request(const jsonrpc::Request& request, const Emit& emit);
  void on_notification(const jsonrpc::Notification& notification, const Emit& emit);
  void on_response(const jsonrpc::Response& response, const Emit& emit);
  // Whether the answer was one to a question for what a terminal has printed.
  bool on_terminal_output(const jsonrpc::Id& id, const Json& value);
  void on_permission_reply(const jsonrpc::Request& request, const jsonrpc::Reply& reply,
                           const Emit& emit);
  bool on_chunk(const std::string& kind, const Json& update, const Emit& emit);
  void on_call(const Json& update, const Emit& emit);
  void on_plan(const Json& update, const Emit& emit);
  void on_config(const Json& update, const Emit& emit);
  core::ToolCall announce(AcpCall& call, const std::string& id, const Emit& emit);
  void flush_prompt(const Emit& emit);
  void end_turn(core::TurnDone done, const Emit& emit);

  CallWords words_;
  TurnFlow flow_;
  AcpCall::TerminalOutput terminal_;
  std::string agent_;
  std::string last_plan_;
  int plans_ = 0;
  std::string heard_prompt_;                    // of a history that is replayed, so far
  bool asked_ = false;                          // the prompt of the turn is known
  core::Usage context_;                         // as the agent says
  std::map<std::string, AcpCall> calls_;        // of the turn
  std::map<std::string, std::string> printed_;  // in terminals of a recorded connection
  // Requests of a recorded connection that have no answer yet, by their ids.
  std::map<std::string, jsonrpc::Request> of_client_;
  std::map<std::string, jsonrpc::Request> of_agent_;
};

}  // namespace yume::foreign
