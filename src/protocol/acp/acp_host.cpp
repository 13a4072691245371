// SPDX-License-Identifier: MIT
#include "protocol/acp/acp_host.h"

#include "jsonrpc/codec.h"
#include "protocol/acp/inbound.h"
#include "protocol/acp/permission.h"
#include "protocol/acp/replies.h"
#include "protocol/acp/terminal.h"
#include "protocol/acp/tool_view.h"
#include "protocol/acp/words.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::protocol {

HostMessage AcpHost::parse(std::string_view line) const {
  return parse_acp_line(line);
}

HostMessage AcpHost::refuse(const LongLine& line, std::size_t limit) const {
  return refuse_acp_line(line, limit);
}

std::string AcpHost::client_id(const std::string& session_id) const {
  const auto moved = moved_.find(session_id);
  return moved == moved_.end() ? session_id : moved->second;
}

AcpSession* AcpHost::find(const std::string& session_id) {
  const auto found = sessions_.find(client_id(session_id));
  return found == sessions_.end() ? nullptr : &found->second;
}

void AcpHost::write(const core::Envelope& envelope, platform::SteadyTime /*now*/) {
  AcpSession* session = find(envelope.address.session_id);
  if (session == nullptr) return;
  session->on_event(envelope.event, envelope.address.parent_call_id);
  follow_reset(envelope);
}

// The client goes on with the id that it was given.
void AcpHost::follow_reset(const core::Envelope& envelope) {
  const auto* reset = std::get_if<core::ConversationReset>(&envelope.event);
  if (reset == nullptr) return;
  moved_[reset->new_session_id] = client_id(envelope.address.session_id);
}

void AcpHost::reply(std::string_view reply_to, const CommandResult& result) {
  const AcpTicket ticket = decode_ticket(reply_to);
  const auto nothing = [&](const char* what) {
    refuse(ticket, {.why = std::string(what) + " cannot be had here", .code = "internal"});
  };
  std::visit(Overloaded{
                 [&](const Greeted& greeted) { greet(ticket, greeted.said); },
                 [&](const SessionShown& shown) { show(ticket, shown); },
                 [&](const PromptQueued& queued) {
                   AcpSession* session = find(ticket.session_id);
                   if (session != nullptr) session->queue_prompt(ticket.id, queued.uuid);
                 },
                 [&](const ModeSet& set) { set_mode(ticket, set.mode); },
                 [&](const ModelSet& set) { set_model(ticket, set.model); },
                 [&](const CommandDone&) { set_done(ticket); },
                 [&](const SessionGone&) { forget(ticket); },
                 [&](const SessionsListed& listed) { list(ticket, listed); },
                 [&](const NotSupported& request) {
                   send(ticket, jsonrpc::method_not_found(request.what));
                 },
                 [&](const RequestRefused& refused) { refuse(ticket, refused); },
                 // Nothing of this protocol asks for them.
                 [](const InterruptDone&) {},
                 [&](const InitializeDone&) { nothing("this"); },
                 [&](const ModelsListed&) { nothing("the models"); },
                 [&](const core::ContextReport&) { nothing("the context"); },
                 [&](const core::SettingsReport&) { nothing("the settings"); },
                 [&](const core::RewindReport&) { nothing("rewinding"); },
                 [&](const core::RulesReport&) { nothing("the rules"); },
                 [&](const core::HooksReport&) { nothing("the hooks"); },
                 [&](const core::FileContents&) { nothing("a file"); },
                 [&](const core::TaskOutput&) { nothing("an output"); },
                 [&](const VersionTold&) { nothing("the version"); },
                 [&](const CostTold&) { nothing("the cost"); },
                 [&](const McpStatusReport&) { nothing("the servers"); },
                 [&](const McpServersWereSet&) { nothing("the servers"); },
                 [&](const McpReturned&) { nothing("a server"); },
                 [&](const PromptCancelled&) { nothing("this"); },
                 [&](const NoPlan&) { nothing("the plan"); },
             },
             result);
}

void AcpHost::greet(const AcpTicket& ticket, const core::Greet& said) {
  abilities_ = said.abilities;
  output_.takes_notices = said.takes_notices;
  send(ticket, acp_initialized(version_));
}

// What was said before comes first, then the reply, and then what a client takes only of a session
// that it knows.
void AcpHost::show(const AcpTicket& ticket, const SessionShown& shown) {
  const core::SessionStarted& info = shown.info;
  AcpChoices choices{.mode = info.mode,
                     .may_bypass = shown.may_bypass,
                     .model = info.model,
                     .models = shown.models,
                     .thinking = "default"};
  if (AcpSession* before = find(info.session_id)) before->cancel_prompts();
  moved_.erase(info.session_id);
  sessions_.erase(info.session_id);
  AcpSession& session =
      sessions_.try_emplace(info.session_id, output_, info.session_id, info.cwd, std::move(choices))
          .first->second;
  for (const core::Event& event : shown.past) session.on_event(event, {});
  send(ticket, acp_session_opened(info.session_id, session.choices()));
  session.tell_commands(shown.commands);
}

void AcpHost::set_mode(const AcpTicket& ticket, core::PermissionMode mode) {
  AcpSession* session = find(ticket.session_id);
  if (session == nullptr) return send(ticket, RawJson{"{}"});
  session->set_mode(mode);
  if (ticket.option.empty()) {
    send(ticket, RawJson{"{}"});
    session->tell_options();
  } else {
    send_options(ticket, *session);
    session->tell_mode();
  }
}

void AcpHost::set_model(const AcpTicket& ticket, const std::string& model) {
  AcpSession* session = find(ticket.session_id);
  if (session == nullptr || ticket.option.empty()) return send(ticket, RawJson{"{}"});
  session->set_model(model);
  send_options(ticket, *session);
}

void AcpHost::set_done(const AcpTicket& ticket) {
  AcpSession* session = find(ticket.session_id);
  if (session == nullptr || ticket.option.empty()) return send(ticket, RawJson{"{}"});
  session->set_thinking(ticket.value);
  send_options(ticket, *session);
}

void AcpHost::forget(const AcpTicket& ticket) {
  if (AcpSession* session = find(ticket.session_id)) session->cancel_prompts();
  sessions_.erase(ticket.session_id);
  std::erase_if(moved_, [&](const auto& entry) { return entry.second == ticket.session_id; });
  send(ticket, RawJson{"{}"});
}

void AcpHost::list(const AcpTicket& ticket, const SessionsListed& listed) {
  send(ticket, acp_sessions_listed(listed));
}

void AcpHost::refuse(const AcpTicket& ticket, const RequestRefused& refused) {
  send(ticket, acp_error(refused, ticket.session_id));
}

void AcpHost::send_options(const AcpTicket& ticket, const AcpSession& session) {
  RawJson result;
  JsonWriter json(result.text);
  json.begin_object().key("configOptions");
  write_config_options(json, session.choices());
  json.end_object();
  send(ticket, std::move(result));
}

void AcpHost::send(const AcpTicket& ticket, jsonrpc::Reply reply) {
  output_.lines.line(
      jsonrpc::encode(jsonrpc::Response{.id = ticket.id, .reply = std::move(reply)}));
}

bool AcpHost::answers(const core::HostQuestion& question) const {
  return std::visit(Overloaded{
                        Constant<true, core::MayRun>{},
                        Constant<false, core::CallHook, core::McpMessage, core::Elicit>{},
                        [&](const core::ReadHostFile&) { return abilities_.reads_files; },
                        [&](const core::WriteHostFile&) { return abilities_.writes_files; },
                        [&](const core::UseTerminal&) { return abilities_.shows_terminals; },
                    },
                    question);
}

void AcpHost::ask(std::string_view request_id, const core::Address& from,
                  const core::HostQuestion& question) {
  const std::string session_id = client_id(from.session_id);
  std::visit(
      Overloaded{
          [&](const core::MayRun& may_run) { ask_permission(request_id, session_id, may_run); },
          [&](const core::ReadHostFile& file) {
            output_.lines.line(acp_read_file(request_id, session_id, file));
          },
          [&](const core::WriteHostFile& file) {
            output_.lines.line(acp_write_file(request_id, session_id, file));
          },
          [&](const core::UseTerminal& terminal) {
            output_.lines.line(acp_use_terminal(request_id, session_id, terminal));
          },
          PassOver<core::CallHook, core::McpMessage, core::Elicit>{},
      },
      question);
}

void AcpHost::ask_permission(std::string_view request_id, const std::string& session_id,
                             const core::MayRun& question) {
  const AcpSession* session = find(session_id);
  const std::string call_id = acp_call_id(question.call);
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("jsonrpc", "2.0").field("id", request_id);
  json.field("method", "session/request_permission").key("params").begin_object();
  json.field("sessionId", session_id).key("toolCall").begin_object();
  json.field("toolCallId", call_id).field("status", "pending");
  write_acp_call(json, {.call = question.call,
                        .cwd = session == nullptr ? std::string_view() : session->cwd(),
                        .change = question.change ? &*question.change : nullptr});
  json.end_object().key("options");
  write_permission_options(json, question);
  json.end_object().end_object();
  output_.lines.line(line);
  asked_[std::string(request_id)] = {session_id, call_id};
}

void AcpHost::withdraw(std::string_view request_id) {
  if (const auto asked = asked_.find(request_id); asked != asked_.end()) asked_.erase(asked);
  output_.lines.line(acp_cancel_request(request_id));
}

void AcpHost::settle(std::string_view request_id, Settled how) {
  const auto asked = asked_.find(request_id);
  if (asked == asked_.end()) return;
  const AskedCall call = std::move(asked->second);
  asked_.erase(asked);
  AcpSession* session = find(call.session_id);
  if (session != nullptr && how == Settled::allowed) session->tell_running(call.call_id);
}

std::optional<core::HostAnswer> AcpHost::read_answer(const core::HostQuestion& question,
                                                     const RawAnswer& answer) const {
  using Answer = std::optional<core::HostAnswer>;
  const auto failed = [&] { return core::HostFailed{answer.error}; };
  return std::visit(Overloaded{
                        [&](const core::MayRun& may_run) -> Answer {
                          return read_permission_outcome(may_run, answer);
                        },
                        [&](const core::ReadHostFile&) -> Answer {
                          if (!answer.response) return failed();
                          return acp_file_text(*answer.response);
                        },
                        [&](const core::WriteHostFile&) -> Answer {
                          if (!answer.response) return failed();
                          return core::HostFileWritten{};
                        },
                        [&](const core::UseTerminal& terminal) -> Answer {
                          if (!answer.response) return failed();
                          return acp_terminal(terminal, *answer.response);
                        },
                        [](const core::CallHook&) { return Answer(); },
                        [](const core::McpMessage&) { return Answer(); },
                        [](const core::Elicit&) { return Answer(); },
                    },
                    question);
}

}  // namespace yume::protocol
