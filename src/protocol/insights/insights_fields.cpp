// SPDX-License-Identifier: MIT
#include "protocol/insights/insights_fields.h"

#include "core/permission_updates.h"
#include "protocol/insights/insights_stream.h"
#include "protocol/result_fields.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <array>
#include <optional>
#include <utility>

namespace yume::protocol {
namespace {

// Images, answers and denials leave room for the rest of the line.
constexpr std::size_t k_longest_text = 10'000;

using Mode = core::PermissionMode;
constexpr std::array<std::pair<Mode, std::string_view>, 5> k_modes = {
    {{Mode::default_mode, "Default"},
     {Mode::accept_edits, "Accept edits"},
     {Mode::plan, "Plan"},
     {Mode::dont_ask, "Do not ask"},
     {Mode::bypass, "Bypass permissions"}}};

struct Diff {
  std::string_view path;
  std::optional<std::string_view> before;  // none: the file is new
  std::string_view after;
};

std::optional<Diff> diff_of(const core::ToolDetails& details) {
  using None =
      PassOver<core::NoDetails, core::FileEditedInSteps, core::NotebookEdited, core::FileRead,
               core::ImageRead, core::PdfRead, core::NotebookRead, core::CommandRan,
               core::CommandStarted, core::FilesFound, core::FilesMatched, core::MatchesCounted,
               core::LinesMatched, core::DirectoryListed, core::PageFetched, core::WebSearched,
               core::TodosChanged, core::PlanApproved, core::QuestionsAnswered,
               core::BlocksReturned, core::AgentFinished, core::AgentLaunched, core::CallFailed,
               core::CallRejected>;
  std::optional<Diff> diff;
  std::visit(
      Overloaded{None{},
                 [&](const core::FileEdited& edited) {
                   diff = {edited.path, edited.replacement.old_text, edited.replacement.new_text};
                 },
                 [&](const core::FileWritten& written) {
                   diff = {written.path, std::nullopt, written.content};
                   if (written.before) diff->before = *written.before;
                 }},
      details);
  return diff;
}

void write_strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

// In camelCase, as the summary of a turn has it.
void write_counts(JsonWriter& json, const core::Usage& usage) {
  json.field("inputTokens", usage.uncached_prompt()).field("outputTokens", usage.billed_output());
  json.field("cacheReadTokens", usage.cached_tokens).field("cacheCreationTokens", 0);
}

std::string described(const core::PermissionUpdate& update) {
  return std::visit(Overloaded{
                        [](const core::RulesUpdate& rules) {
                          std::string text = rules.effect + " ";
                          for (const std::string& rule : rules.rules) {
                            text.append(&rule == rules.rules.data() ? "" : ", ").append(rule);
                          }
                          return text;
                        },
                        [](const core::ModeUpdate& mode) {
                          return "switch to the mode " + std::string(core::to_string(mode.mode));
                        },
                        [](const core::DirectoriesUpdate& change) {
                          std::string text =
                              change.adds ? "add the directory" : "remove the directory";
                          for (const std::string& one : change.directories)
                            text.append(" ").append(one);
                          return text;
                        },
                    },
                    update);
}

}  // namespace

void write_session(JsonWriter& json, const core::SessionStarted& started) {
  if (!started.model.empty()) json.field("model", started.model);
  if (!started.cwd.empty()) json.field("cwd", started.cwd);
  if (!started.tools.empty()) write_strings(json, "availableTools", started.tools);
  if (!started.mcp_servers.empty()) {
    json.key("mcpServers").begin_array();
    for (const core::McpServerState& server : started.mcp_servers) {
      json.begin_object().field("name", server.name);
      json.field("status", core::to_string(server.status)).end_object();
    }
    json.end_array();
  }
  json.field("permissionMode", core::to_string(started.mode));
  if (!started.credential_source.empty()) {
    json.key("account").begin_object().field("apiKeySource", started.credential_source);
    json.end_object();
  }
  if (started.slash_commands.empty()) return;
  json.key("slashCommands").begin_array();
  for (const std::string& command : started.slash_commands) {
    json.begin_object().field("name", command).field("description", "");
    json.field("argumentHint", "").end_object();
  }
  json.end_array();
}

void write_images(JsonWriter& json, const core::UserMessage& message, std::size_t max_bytes) {
  std::vector<const core::Media*> shown;
  for (const core::UserBlock& block : message.blocks) {
    const auto* media = std::get_if<core::Media>(&block);
    if (media == nullptr || media->base64.size() > max_bytes) continue;
    max_bytes -= media->base64.size();
    shown.push_back(media);
  }
  if (shown.empty()) return;
  json.key("images").begin_array();
  for (const core::Media* media : shown) {
    json.begin_object().field("mediaType", media->mime_type).field("data", media->base64);
    json.end_object();
  }
  json.end_array();
}

void write_locations(JsonWriter& json, const core::ToolCall& call) {
  const auto input = read_json(call.input.text);
  if (!input.is_object()) return;
  for (const char* field : {"file_path", "notebook_path", "absolute_path", "path"}) {
    const std::string path = text_at(input, field);
    if (path.empty() || path.size() > k_longest_text) continue;
    json.key("locations").begin_array().string(path).end_array();
    return;
  }
}

void write_diff(JsonWriter& json, const core::ToolDetails& details, std::size_t max_bytes) {
  const auto diff = diff_of(details);
  if (!diff) return;
  const std::size_t before = diff->before ? diff->before->size() : 0;
  constexpr std::size_t k_longest_escape = 6;  // of one byte
  if ((before + diff->after.size()) * k_longest_escape > max_bytes) return;
  json.key("extensions").begin_object().key("acp.toolContent").begin_array();
  json.begin_object().field("type", "diff").field("path", diff->path).key("oldText");
  if (diff->before) {
    json.string(*diff->before);
  } else {
    json.null();
  }
  json.field("newText", diff->after).end_object().end_array().end_object();
}

void write_plan_fields(JsonWriter& json, const RawJson& todos, std::size_t max_bytes) {
  const auto input = read_json(todos.text);
  std::string text;
  std::string entries;
  JsonWriter list(entries);
  list.begin_array();
  const auto found = input.is_object() ? input.find("todos") : input.end();
  if (found != input.end() && found->is_array()) {
    for (const auto& todo : *found) {
      if (!todo.is_object() || entries.size() > max_bytes / 2) continue;
      const std::string content(json_prefix(text_at(todo, "content"), k_longest_text));
      const std::string status = text_at(todo, "status");
      text.append(text.empty() ? "" : "\n").append("- [").append(status).append("] ");
      text.append(content);
      list.begin_object().field("content", content).field("priority", "medium");
      list.field("status", status).end_object();
    }
  }
  list.end_array();
  json.field("text", json_prefix(text, max_bytes)).field("kind", "plan");
  json.key("extensions").begin_object().key("acp.planEntries").raw(entries).end_object();
}

void write_modes(JsonWriter& json, core::PermissionMode current) {
  json.field("currentModeId", core::to_string(current)).key("availableModes").begin_array();
  for (const auto& [mode, name] : k_modes) {
    json.begin_object().field("id", core::to_string(mode)).field("name", name).end_object();
  }
  json.end_array();
}

void write_model_option(JsonWriter& json, std::string_view model) {
  json.key("configOptions").begin_array().begin_object();
  json.field("id", "model").field("name", "Model").field("category", "model");
  json.field("type", "select").field("currentValue", model).key("options").begin_array();
  json.begin_object().field("value", model).field("name", model).end_object();
  json.end_array().end_object().end_array();
}

void write_step_usage(JsonWriter& json, const core::Usage& usage) {
  json.key("stepUsage").begin_object();
  write_usage_counts(json, usage);
  json.end_object();
}

void write_suggestions(JsonWriter& json, const std::vector<core::PermissionUpdate>& suggestions) {
  if (suggestions.empty()) return;
  json.key("suggestions").begin_array();
  for (const core::PermissionUpdate& update : suggestions) {
    // The host may send it back as it is; beside that it has a text for people.
    std::string text;
    JsonWriter members(text);
    core::write_permission_update(update, members);
    text.pop_back();
    text += ",\"description\":";
    append_json_string(text, json_prefix(described(update), k_longest_text));
    json.raw(text + "}");
  }
  json.end_array();
}

void write_turn_figures(JsonWriter& json, const core::TurnDone& done) {
  json.key("costUsd").number(total_cost(done.by_model));
  json.field("durationMs", static_cast<std::int64_t>(done.duration.count()));
  json.field("durationApiMs", static_cast<std::int64_t>(done.api_duration.count()));
  json.field("numTurns", done.num_turns).key("usage").begin_object();
  write_counts(json, done.total);
  json.end_object().key("modelUsage").begin_object();
  for (const auto& [name, model] : done.by_model) {
    json.key(name).begin_object();
    write_counts(json, model.usage);
    json.key("costUsd").number(total_cost({{name, model}}));
    json.field("contextWindow", model.context_window);
    json.field("webSearchRequests", model.usage.web_searches).end_object();
  }
  json.end_object().key("permissionDenials");
  write_denial_list(json, done.denials);
  json.key("extensions").begin_object();
  write_files_written(json, done.files_written);
  if (!done.session_saved) json.field("session_saved", false);
  if (done.structured_output && done.structured_output->text.size() < 300'000) {
    json.field("structured_output", *done.structured_output);
  }
  json.end_object();
}

RawJson object_input(const RawJson& input) {
  const std::size_t begin = input.text.find_first_not_of(" \t\r\n");
  const bool is_object = begin != std::string::npos && input.text[begin] == '{';
  return is_object ? input : RawJson{"{}"};
}

std::string_view status_name(core::BackgroundStatus status) {
  switch (status) {
    case core::BackgroundStatus::running:
      return "running";
    case core::BackgroundStatus::completed:
      return "completed";
    case core::BackgroundStatus::failed:
      return "failed";
    case core::BackgroundStatus::killed:
      break;
  }
  return "killed";
}

InsightsEnd insights_end(const core::TurnDone& done, InsightsProvider provider) {
  const bool acp = provider == InsightsProvider::acp;
  switch (done.outcome) {
    case core::TurnOutcome::success:
      break;
    case core::TurnOutcome::interrupted:
      return {.subtype = "cancelled", .is_error = true};
    case core::TurnOutcome::timed_out:
      return {.subtype = "timeout", .is_error = true};
    case core::TurnOutcome::max_turns:
      return {.subtype = acp ? "max_turn_requests" : "error_max_turns", .is_error = true};
    case core::TurnOutcome::max_budget:
      return {.subtype = "error_max_budget_usd", .is_error = true};
    case core::TurnOutcome::stuck:
    case core::TurnOutcome::no_structured_output:
    case core::TurnOutcome::failed:
    case core::TurnOutcome::rejected:
      if (acp && done.failure == core::FailureKind::refusal) {
        return {.subtype = "refusal", .is_error = true};
      }
      return {.subtype = "error_during_execution", .is_error = true};
  }
  if (!acp) return {.subtype = "success"};
  switch (done.stop) {
    case core::StopReason::max_tokens:
      return {.subtype = "max_tokens", .is_error = true};
    case core::StopReason::refusal:
      return {.subtype = "refusal", .is_error = true};
    case core::StopReason::aborted:
      return {.subtype = "cancelled", .is_error = true};
    case core::StopReason::end_turn:
    case core::StopReason::tool_use:
      break;
  }
  return {.subtype = "end_turn"};
}

}  // namespace yume::protocol
