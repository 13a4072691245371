// SPDX-License-Identifier: MIT
#include "protocol/claude/control_lines.h"

#include "protocol/claude/claude_stream.h"
#include "protocol/claude/mcp_lines.h"
#include "protocol/claude/report_lines.h"

#include "core/permission_updates.h"
#include "protocol/line_writer.h"
#include "protocol/overflow.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

namespace yume::protocol {

std::string control_success(std::string_view request_id, const RawJson& response) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "control_response").key("response").begin_object();
  json.field("subtype", "success").field("request_id", request_id);
  json.field("response", response).end_object().end_object();
  return line;
}

std::string control_error(std::string_view request_id, std::string_view error,
                          std::string_view error_code) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "control_response").key("response").begin_object();
  json.field("subtype", "error").field("request_id", request_id);
  json.field("error", error).field("error_code", error_code).end_object().end_object();
  return line;
}

std::string can_use_tool(std::string_view request_id, const core::MayRun& question,
                         const RawJson& shown, std::string_view agent_id) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "control_request").field("request_id", request_id);
  json.key("request").begin_object().field("subtype", "can_use_tool");
  json.field("tool_name", question.call.name);
  json.field("input", shown).field("tool_use_id", question.call.id);
  json.key("permission_suggestions").begin_array();
  for (const core::PermissionUpdate& update : question.suggestions) {
    core::write_permission_update(update, json);
  }
  json.end_array();
  if (!question.reason.empty()) {
    json.field("decision_reason", json_prefix(question.reason, 10'000));
  }
  if (!agent_id.empty()) json.field("agent_id", agent_id);
  if (question.needs_person) json.field("requires_user_interaction", true);
  json.end_object().end_object();
  return line;
}

std::string hook_callback(std::string_view request_id, const core::CallHook& call) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "control_request").field("request_id", request_id);
  json.key("request").begin_object().field("subtype", "hook_callback");
  json.field("callback_id", call.callback_id);
  json.field("input", fit_input(call.input, k_max_line_bytes - 20'000).shown);
  json.field("tool_use_id", call.subject_id).end_object().end_object();
  return line;
}

std::string control_cancel(std::string_view request_id) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "control_cancel_request");
  json.field("request_id", request_id).end_object();
  return line;
}

RawJson initialize_response(const InitializeDone& done) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.key("commands").begin_array();
  for (const core::SlashCommandInfo& command : done.commands) {
    json.begin_object().field("name", command.name).field("description", command.description);
    json.field("argumentHint", command.argument_hint).end_object();
  }
  json.end_array().key("agents").begin_array();
  for (const core::AgentSummary& agent : done.agents) {
    json.begin_object().field("name", agent.name).field("description", agent.description);
    if (!agent.model.empty()) json.field("model", agent.model);
    json.end_object();
  }
  json.end_array();
  json.field("output_style", "default").key("available_output_styles").begin_array();
  json.string("default").end_array().key("models");
  write_models(json, done.models);
  json.key("account").begin_object().field("apiProvider", "gemini");
  json.field("apiKeySource", done.credential_source).end_object();
  json.field("claude_code_version", k_claude_code_version);
  if (done.process_id > 0) json.field("pid", done.process_id);
  json.field("current_permission_mode", core::to_string(done.mode));
  json.field("session_state", done.busy ? "running" : "idle");
  // A host that depends on a hook of another kind must not be told that it is served.
  if (done.hooks_registered && done.all_hooks_served) {
    json.field("hooks_applied", true).field("hook_on_failure_supported", true);
  }
  json.end_object();
  return {std::move(out)};
}

RawJson interrupt_response(const InterruptDone& done) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("still_queued").begin_array();
  for (const std::string& uuid : done.still_queued) json.string(uuid);
  json.end_array();
  if (!done.cancelled.empty()) {
    json.key("cancelled").begin_array();
    for (const std::string& uuid : done.cancelled) json.string(uuid);
    json.end_array();
  }
  json.end_object();
  return {std::move(out)};
}

namespace {

// A line that is too long would be no line for its readers.
std::string mcp_returned(std::string_view request_id, const RawJson& result) {
  std::string line = control_success(request_id, {write_json(read_json(result.text))});
  if (line.size() <= k_max_line_bytes) return line;
  return control_error(request_id,
                       "The server's answer has " + std::to_string(result.text.size()) +
                           " bytes, which is too long for a line.",
                       "response_too_large");
}

}  // namespace

std::string reply_line(std::string_view request_id, const CommandResult& result) {
  return std::visit(
      Overloaded{
          [&](const InterruptDone& done) {
            return control_success(request_id, interrupt_response(done));
          },
          [&](const InitializeDone& done) {
            return control_success(request_id, initialize_response(done));
          },
          [&](const ModeSet& set) {
            std::string body;
            JsonWriter json(body);
            json.begin_object().field("mode", core::to_string(set.mode)).end_object();
            return control_success(request_id, {std::move(body)});
          },
          [&](const ModelSet& set) {
            std::string body;
            JsonWriter json(body);
            json.begin_object().field("model", set.model).end_object();
            return control_success(request_id, {std::move(body)});
          },
          [&](const ModelsListed& listed) {
            std::string body;
            JsonWriter json(body);
            json.begin_object().key("models");
            write_models(json, listed.models);
            json.end_object();
            return control_success(request_id, {std::move(body)});
          },
          [&](const core::ContextReport& report) {
            return control_success(request_id, context_report(report));
          },
          [&](const core::SettingsReport& report) {
            return control_success(request_id, settings_report(report));
          },
          [&](const core::RewindReport& report) {
            return control_success(request_id, rewind_report(report));
          },
          [&](const core::RulesReport& report) {
            return control_success(request_id, rules_report(report));
          },
          [&](const core::HooksReport& report) {
            return control_success(request_id, hooks_report(report));
          },
          [&](const core::FileContents& file) {
            return control_success(request_id, file_contents(file));
          },
          [&](const core::TaskOutput& output) {
            return control_success(request_id, task_output(output));
          },
          [&](const McpReturned& returned) { return mcp_returned(request_id, returned.result); },
          [&](const PromptCancelled& cancelled) {
            std::string body;
            JsonWriter json(body);
            json.begin_object().field("cancelled", cancelled.cancelled).end_object();
            return control_success(request_id, {std::move(body)});
          },
          [&](const NoPlan&) { return control_success(request_id, {R"({"exists":false})"}); },
          [&](const VersionTold&) {
            std::string body;
            JsonWriter json(body);
            json.begin_object().field("version", k_claude_code_version).end_object();
            return control_success(request_id, {std::move(body)});
          },
          [&](const CostTold& cost) {
            std::string body;
            JsonWriter json(body);
            json.begin_object().field("text", cost.text).end_object();
            return control_success(request_id, {std::move(body)});
          },
          [&](const McpStatusReport& report) {
            return control_success(request_id, mcp_status(report.servers));
          },
          [&](const McpServersWereSet& set) {
            return control_success(request_id, servers_set(set.outcome));
          },
          [&](const CommandDone&) { return control_success(request_id, {"{}"}); },
          // Of hosts that open sessions themselves, which these are not.
          [&](const Greeted&) { return control_success(request_id, {"{}"}); },
          [&](const PromptQueued&) { return control_success(request_id, {"{}"}); },
          [&](const SessionShown&) { return control_success(request_id, {"{}"}); },
          [&](const SessionGone&) { return control_success(request_id, {"{}"}); },
          [&](const SessionsListed&) { return control_success(request_id, {"{}"}); },
          [&](const NotSupported& request) {
            return control_error(request_id, "Unsupported control request subtype: " + request.what,
                                 "unsupported_request");
          },
          [&](const RequestRefused& refused) {
            return control_error(request_id, refused.why, refused.code);
          },
      },
      result);
}

}  // namespace yume::protocol
