// SPDX-License-Identifier: MIT
#include "protocol/claude/report_lines.h"

#include "core/effort.h"
#include "core/event.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace yume::protocol {
namespace {

struct Category {
  std::string_view id;
  std::string_view name;
  std::int64_t tokens;
  std::string_view color;
  std::string_view kind;  // "free" and "reserved" are not in use
};

void write_category(JsonWriter& json, const Category& category) {
  json.begin_object().field("id", category.id).field("name", category.name);
  json.field("tokens", category.tokens).field("color", category.color);
  json.field("kind", category.kind).end_object();
}

std::int64_t percentage(std::int64_t tokens, std::int64_t window) {
  if (window <= 0) return 0;
  return std::llround(100.0 * static_cast<double>(tokens) / static_cast<double>(window));
}

}  // namespace

void write_models(JsonWriter& json, const std::vector<core::ModelOffer>& models) {
  json.begin_array();
  for (const core::ModelOffer& model : models) {
    json.begin_object().field("value", model.id).field("resolvedModel", model.id);
    json.field("displayName", model.id).field("description", model.description);
    json.field("supportsEffort", model.thinks);
    if (model.thinks) {
      json.key("supportedEffortLevels").begin_array();
      for (const std::string_view level : core::k_offered_efforts) json.string(level);
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

RawJson context_report(const core::ContextReport& report) {
  const std::int64_t prefix = std::min(report.prefix_tokens, report.tokens);
  const std::int64_t free = std::max<std::int64_t>(report.window - report.tokens, 0);
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("categories").begin_array();
  write_category(json, {"system", "System prompt and tools", prefix, "promptBorder", "used"});
  write_category(json, {"messages", "Messages", report.tokens - prefix, "purple", "used"});
  write_category(json, {"free", "Free space", free, "inactive", "free"});
  json.end_array().field("totalTokens", report.tokens).field("maxTokens", report.window);
  json.field("rawMaxTokens", report.window);
  json.field("percentage", percentage(report.tokens, report.window));
  json.field("model", report.model);
  json.field("autoCompactThreshold", static_cast<std::int64_t>(report.compaction_share *
                                                               static_cast<double>(report.window)));
  json.field("isAutoCompactEnabled", true);
  for (const char* list : {"gridRows", "memoryFiles", "mcpTools", "agents"}) {
    json.key(list).begin_array().end_array();
  }
  json.end_object();
  return {std::move(out)};
}

RawJson rewind_report(const core::RewindReport& report) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("canRewind", report.possible);
  if (!report.problem.empty()) json.field("error", report.problem);
  if (report.possible) {
    json.key("filesChanged").begin_array();
    for (const std::string& file : report.files) json.string(file);
    json.end_array().field("insertions", report.insertions);
    json.field("deletions", report.deletions);
  }
  json.end_object();
  return {std::move(out)};
}

RawJson settings_report(const core::SettingsReport& report) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("effective").begin_object().field("model", report.model);
  json.key("permissions").begin_object().field("defaultMode", core::to_string(report.mode));
  json.end_object().end_object().key("sources").begin_array();
  for (const core::SettingsFile& file : report.files) {
    json.begin_object().field("source", file.source);
    if (!file.path.empty()) json.field("path", file.path);
    json.end_object();
  }
  json.end_array().key("applied").begin_object().field("model", report.model);
  json.field("permissionMode", core::to_string(report.mode));
  if (report.max_thinking_tokens) json.field("maxThinkingTokens", *report.max_thinking_tokens);
  json.end_object().end_object();
  return {std::move(out)};
}

RawJson rules_report(const core::RulesReport& report) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("state").begin_object().key("rules").begin_array();
  for (const core::RuleLine& rule : report.rules) {
    json.begin_object().field("behavior", rule.behavior).field("source", rule.source);
    json.field("rule", rule.rule);
    json.field("editability", rule.source == "session" ? "session" : "readonly").end_object();
  }
  json.end_array().key("workspaceDirectories").begin_array();
  for (const std::string& directory : report.directories) {
    json.begin_object().field("path", directory).field("source", "session").end_object();
  }
  json.end_array();
  json.field("originalCwd", report.directories.empty() ? "" : report.directories.front());
  json.field("managedOnly", false).end_object().end_object();
  return {std::move(out)};
}

RawJson hooks_report(const core::HooksReport& report) {
  std::map<std::string, std::int64_t> counts;
  for (const core::HookLine& hook : report.hooks) ++counts[hook.event];
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("events").begin_array();
  for (const auto& [event, count] : counts) {
    json.begin_object().field("name", event).field("summary", event);
    json.field("supportsMatcher", true).field("hookCount", count).end_object();
  }
  json.end_array().key("hooks").begin_array();
  for (const core::HookLine& hook : report.hooks) {
    json.begin_object().field("event", hook.event).field("matcher", hook.matcher);
    json.field("source", hook.source).field("sourceLabel", hook.source).field("type", "command");
    json.field("displayText", hook.command).field("commandText", hook.command);
    json.field("contentLabel", "Command").field("timeout", hook.timeout_seconds).end_object();
  }
  json.end_array().end_object();
  return {std::move(out)};
}

RawJson file_contents(const core::FileContents& file) {
  // Quoted it may be longer than a line can be.
  const std::string_view shown = json_prefix(file.contents, core::k_longest_block);
  const bool cut = shown.size() < file.contents.size();
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("contents", shown).field("absPath", file.absolute_path);
  if (file.truncated || cut) json.field("truncated", true);
  if (file.base64) {
    json.field("encoding", "base64");
  } else {
    json.field("lossy", file.lossy);
  }
  json.end_object();
  return {std::move(out)};
}

RawJson task_output(const core::TaskOutput& output) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("output", output.output);
  json.field("total_bytes", static_cast<std::int64_t>(output.total_bytes));
  json.field("truncated", output.truncated).end_object();
  return {std::move(out)};
}

}  // namespace yume::protocol
