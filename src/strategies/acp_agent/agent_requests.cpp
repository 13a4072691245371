// SPDX-License-Identifier: MIT
#include "strategies/acp_agent/agent_requests.h"

#include "jsonrpc/codec.h"
#include "tools/path_guard.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <array>
#include <utility>

namespace yume::strategies {
namespace {

using jsonrpc::ErrorObject;
using nlohmann::json;

constexpr std::int64_t k_not_found = -32002;
constexpr std::uint64_t k_largest_file = 64U << 20U;
constexpr std::string_view k_gemini = "gemini-cli";

ErrorObject refuse(std::string why) {
  return {.code = jsonrpc::k_invalid_params, .message = std::move(why)};
}

RawJson selected(const std::string& option) {
  RawJson result;
  JsonWriter writer(result.text);
  writer.begin_object().key("outcome").begin_object();
  writer.field("outcome", "selected").field("optionId", option);
  writer.end_object().end_object();
  return result;
}

RawJson cancelled() {
  return {R"({"outcome":{"outcome":"cancelled"}})"};
}

// The option for this time; empty: the agent offers none.
std::string option_for(const json& params, bool allow) {
  const auto options = params.find("options");
  if (options == params.end() || !options->is_array()) return "";
  std::string lasting;
  for (const json& option : *options) {
    if (!option.is_object()) continue;
    const std::string kind = text_at(option, "kind");
    if (kind == (allow ? "allow_once" : "reject_once")) return text_at(option, "optionId");
    if (kind == (allow ? "allow_always" : "reject_always")) lasting = text_at(option, "optionId");
  }
  return lasting;
}

// What a call is about that was allowed: a file, or a command.
std::string subject_of(const core::ToolCall& call) {
  const json input = read_json(call.input.text);
  if (!input.is_object()) return "";
  return text_at(input, call.name == "Bash" ? "command" : "file_path");
}

std::int64_t number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

// From a line, counted from 1, and so many of them; 0: all.
std::string_view lines_of(std::string_view text, std::int64_t first, std::int64_t count) {
  for (std::int64_t line = 1; line < first && !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  if (count <= 0) return text;
  std::size_t end = 0;
  for (std::int64_t line = 0; line < count && end != std::string_view::npos; ++line) {
    end = text.find('\n', end);
    if (end != std::string_view::npos) ++end;
  }
  return text.substr(0, end);
}

core::ToolCall file_call(const char* tool, const std::string& path) {
  core::ToolCall call{.id = "agent_file", .name = tool, .input = {}};
  JsonWriter(call.input.text).begin_object().field("file_path", path).end_object();
  return call;
}

}  // namespace

void AgentRequests::answer(const AgentRequest& asked, const Turn& turn) {
  const std::string& method = asked.request.method;
  const bool is_of_terminal = method.starts_with("terminal/") && method != "terminal/create";
  if (is_of_terminal) return terminals_.answer(asked.request, asked.responder);
  asked.responder->reply(reply_to(asked.request, turn));
}

jsonrpc::Reply AgentRequests::reply_to(const jsonrpc::Request& request, const Turn& turn) {
  if (request.method == "session/request_permission") return on_permission(request, turn);
  if (request.method == "fs/read_text_file") return read_file(request, turn);
  if (request.method == "fs/write_text_file") return write_file(request, turn);
  if (request.method == "terminal/create") return create_terminal(request, turn);
  return jsonrpc::method_not_found(request.method);
}

// As our own tool would plan it; of a tool that is not ours only the agent knows what it does.
core::Action AgentRequests::action_of(const core::ToolCall& call, const Turn& turn) const {
  if (const tools::Tool* tool = deps_.tools.find(call.name)) {
    const json input = read_json(call.input.text);
    if (input.is_object()) {
      const tools::Plan plan = tool->plan(input, deps_.tool_context(turn.cancel));
      if (const auto* planned = std::get_if<tools::PlannedCall>(&plan)) return planned->action;
    }
  }
  return core::CallsServer{.server = agent_.empty() ? "agent" : agent_, .tool = call.name};
}

AgentRequests::Judgement AgentRequests::judge(const core::ToolCall& call, const Turn& turn) {
  return decide(call, action_of(call, turn), turn);
}

AgentRequests::Judgement AgentRequests::decide(const core::ToolCall& call,
                                               const core::Action& action, const Turn& turn) {
  const core::Decision decision = deps_.policy.decide(call, action);
  return std::visit(Overloaded{
                        [](const core::Allow&) { return Judgement{.allowed = true}; },
                        [](const core::Deny& deny) { return Judgement{.message = deny.message}; },
                        [&](const core::Ask& ask) { return ask_host(call, ask, turn); },
                    },
                    decision);
}

void AgentRequests::apply(const std::vector<core::PermissionUpdate>& updates, const Turn& turn) {
  for (const core::PermissionUpdate& update : updates) {
    const auto outcome = deps_.policy.apply(update);
    if (!outcome.problem.empty()) turn.port.post(core::Notice{outcome.problem});
    const auto* mode = std::get_if<core::ModeUpdate>(&update);
    if (outcome.holds && mode != nullptr) turn.port.post(core::ModeChanged{mode->mode});
  }
}

AgentRequests::Judgement AgentRequests::ask_host(const core::ToolCall& call, const core::Ask& ask,
                                                 const Turn& turn) {
  if (deps_.host == nullptr) return {.message = ask.message};
  core::MayRun question{.call = call, .reason = ask.message, .why = ask.why};
  if (!ask.in_every_mode) question.suggestions = ask.suggestions;
  const auto answer = deps_.host->ask(std::move(question), std::nullopt, turn.cancel);
  if (!answer.ok()) return {.by_person = true, .message = answer.error().message};
  const auto failed = [](const std::string& why) {
    return Judgement{.by_person = true, .message = "Tool permission request failed: " + why};
  };
  return std::visit(
      Overloaded{
          [&](const core::HostAllows& allows) -> Judgement {
            apply(allows.updates, turn);
            if (allows.input && allows.input->text != call.input.text &&
                read_json(allows.input->text) != read_json(call.input.text)) {
              return failed("the agent cannot run a call with another input");
            }
            return {.allowed = true, .by_person = true};
          },
          [&](const core::HostDenies& denies) -> Judgement {
            apply(denies.updates, turn);
            stopped_ |= denies.interrupt;
            return {.by_person = true, .message = denies.message};
          },
          [&](const core::HostFailed& failure) { return failed(failure.why); },
          [&](const core::HookReturned&) { return failed("the answer is no permission"); },
          [&](const core::McpAnswered&) { return failed("the answer is no permission"); },
          [&](const core::Elicited&) { return failed("the answer is no permission"); },
          [&](const core::HostFileText&) { return failed("the answer is no permission"); },
          [&](const core::HostFileWritten&) { return failed("the answer is no permission"); },
          [&](const core::HostTerminal&) { return failed("the answer is no permission"); },
      },
      *answer);
}

jsonrpc::Reply AgentRequests::on_permission(const jsonrpc::Request& request, const Turn& turn) {
  const core::ToolCall call = turn.decoder.on_permission(request.params, turn.emit);
  if (turn.cancel.stop_requested() || stopped_) return cancelled();
  const json params = read_json(request.params.text);
  if (!params.is_object() || call.name.empty()) return cancelled();
  const Judgement judgement = judge(call, turn);
  if (turn.cancel.stop_requested()) return cancelled();
  const std::string option = option_for(params, judgement.allowed);
  if (judgement.allowed) {
    const std::string subject = subject_of(call);
    if (!subject.empty()) (call.name == "Bash" ? granted_commands_ : granted_).insert(subject);
    // The host looks at a file when it reads the line of the call that will change it.
    turn.port.flush(turn.cancel);
    return option.empty() ? cancelled() : selected(option);
  }
  const auto tool_call = params.find("toolCall");
  const std::string id = tool_call != params.end() && tool_call->is_object()
                             ? text_at(*tool_call, "toolCallId")
                             : std::string();
  turn.decoder.on_refused(id, judgement.message,
                          judgement.by_person ? foreign::TurnFlow::Refused::by_person
                                              : foreign::TurnFlow::Refused::unasked,
                          turn.emit);
  return option.empty() ? cancelled() : selected(option);
}

jsonrpc::Reply AgentRequests::read_file(const jsonrpc::Request& request, const Turn& turn) {
  const json params = read_json(request.params.text);
  if (!params.is_object()) return refuse("there is no path");
  const std::string path = text_at(params, "path");
  const auto file = tools::resolve_path(path, deps_.spec.cwd, deps_.spec.home, deps_.files);
  if (!file.ok()) return refuse(file.error().message);
  const Judgement judgement = decide(
      file_call("Read", path), core::ReadsFile{.path = file->real, .given = file->given}, turn);
  if (!judgement.allowed) return refuse(judgement.message);
  const auto text = deps_.files.read(file->real, k_largest_file);
  const bool missing = !text.ok() && text.error().code == ErrorCode::not_found;
  if (!text.ok() && !(missing && agent_ == k_gemini)) {
    return ErrorObject{.code = missing ? k_not_found : jsonrpc::k_internal_error,
                       .message = text.error().message};
  }
  RawJson result;
  // gemini reads a file before it makes it, and takes an error for a failure.
  const std::string all = text.ok() ? to_valid_utf8(*text) : std::string();
  JsonWriter(result.text)
      .begin_object()
      .field("content", lines_of(all, number_at(params, "line"), number_at(params, "limit")))
      .end_object();
  return result;
}

jsonrpc::Reply AgentRequests::write_file(const jsonrpc::Request& request, const Turn& turn) {
  const json params = read_json(request.params.text);
  if (!params.is_object() || !params.contains("content")) return refuse("there is no content");
  const std::string path = text_at(params, "path");
  const auto file = tools::resolve_path(path, deps_.spec.cwd, deps_.spec.home, deps_.files);
  if (!file.ok()) return refuse(file.error().message);
  const core::ToolCall call = file_call("Write", path);
  const core::WritesFile action{.path = file->real, .given = file->given};
  const core::Decision decision = deps_.policy.decide(call, action);
  // A call that was allowed writes what it names; what is denied stays denied.
  const bool granted = granted_.contains(path) && !std::holds_alternative<core::Deny>(decision);
  if (!granted) {
    const Judgement judgement = decide(call, action, turn);
    if (!judgement.allowed) return refuse(judgement.message);
  }
  const tools::ToolContext context = deps_.tool_context(turn.cancel);
  if (context.before_change) context.before_change(file->real);
  if (const auto made = deps_.files.create_directories(file->real.parent_path()); !made.ok()) {
    return ErrorObject{.message = made.error().message};
  }
  if (const auto written = deps_.files.replace(file->real, text_at(params, "content"));
      !written.ok()) {
    return ErrorObject{.message = written.error().message};
  }
  return RawJson{"{}"};
}

// A command that a call was allowed for runs; what is denied stays denied.
jsonrpc::Reply AgentRequests::create_terminal(const jsonrpc::Request& request, const Turn& turn) {
  const auto command = read_terminal_command(read_json(request.params.text), deps_.spec.cwd);
  if (!command.ok()) return refuse(command.error().message);
  if (turn.cancel.stop_requested() || stopped_) return refuse("the turn was interrupted");
  core::ToolCall call{.id = "agent_terminal", .name = "Bash", .input = {}};
  JsonWriter(call.input.text).begin_object().field("command", command->text).end_object();
  const core::RunsCommand action{.command = command->text, .cwd = command->cwd};
  const bool known = granted_commands_.contains(command->text) ||
                     (!command->inner.empty() && granted_commands_.contains(command->inner));
  const bool granted =
      known && !std::holds_alternative<core::Deny>(deps_.policy.decide(call, action));
  if (!granted) {
    const Judgement judgement = decide(call, action, turn);
    if (!judgement.allowed) return refuse(judgement.message);
  }
  turn.port.flush(turn.cancel);
  const auto id = terminals_.start(*command, deps_.tool_context(turn.cancel));
  if (!id.ok()) return ErrorObject{.message = id.error().message};
  RawJson result;
  JsonWriter(result.text).begin_object().field("terminalId", *id).end_object();
  return result;
}

}  // namespace yume::strategies
