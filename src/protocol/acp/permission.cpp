// SPDX-License-Identifier: MIT
#include "protocol/acp/permission.h"

#include "protocol/acp/words.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yume::protocol {
namespace {

using core::PermissionMode;
using core::PermissionUpdate;

constexpr std::string_view k_refused =
    "The user does not want this call to run. Do not try the same in another way: go on without "
    "it, or end your turn and say what you need.";
constexpr std::string_view k_refused_always =
    "The user does not want this call to run, now or later in this session. Go on without it, or "
    "end your turn and say what you need.";
constexpr std::string_view k_keep_planning =
    "The user wants to go on planning. Ask what is missing, or make the plan better.";
constexpr std::string_view k_plan_tool = "ExitPlanMode";
// Answers to a plan.
constexpr std::string_view k_accept_edits = "acceptEdits";
constexpr std::string_view k_ask_each = "default";
constexpr std::string_view k_plan_on = "plan";

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::string effect_of(const PermissionUpdate& update) {
  return std::visit(Overloaded{
                        [](const core::RulesUpdate& rules) { return joined(rules.rules); },
                        [](const core::ModeUpdate& mode) {
                          if (mode.mode == PermissionMode::accept_edits)
                            return std::string("all edits");
                          return "the mode " + std::string(core::to_string(mode.mode));
                        },
                        [](const core::DirectoriesUpdate& directories) {
                          return "the directory " + joined(directories.directories);
                        },
                    },
                    update);
}

std::string always_name(const core::MayRun& question) {
  std::string effects;
  for (const PermissionUpdate& update : question.suggestions) {
    effects += (effects.empty() ? "" : "; ") + effect_of(update);
  }
  return "Always allow " + effects;
}

// The rules that would allow it, turned round; else all of the tool.
PermissionUpdate refusal_from_now_on(const core::MayRun& question) {
  core::RulesUpdate rules{.effect = "deny", .rules = {}};
  for (const PermissionUpdate& update : question.suggestions) {
    const auto* allowed = std::get_if<core::RulesUpdate>(&update);
    if (allowed == nullptr) continue;
    rules.rules.insert(rules.rules.end(), allowed->rules.begin(), allowed->rules.end());
  }
  if (rules.rules.empty()) rules.rules.push_back(question.call.name);
  return rules;
}

std::string never_name(const core::MayRun& question) {
  return "Never allow " + effect_of(refusal_from_now_on(question)) + " in this session";
}

void write_option(JsonWriter& json, std::string_view id, std::string_view name,
                  std::string_view kind) {
  json.begin_object().field("optionId", id).field("name", name).field("kind", kind).end_object();
}

core::HostDenies no(std::string_view why) {
  return {.message = std::string(why)};
}

core::HostAnswer chosen(const core::MayRun& question, const std::string& option) {
  if (option == acp::k_allow_once || option == k_ask_each) return core::HostAllows{};
  if (option == acp::k_allow_always) return core::HostAllows{.updates = question.suggestions};
  if (option == k_accept_edits) {
    return core::HostAllows{.updates = {core::ModeUpdate{.mode = PermissionMode::accept_edits}}};
  }
  if (option == k_plan_on) return no(k_keep_planning);
  if (option == acp::k_reject_always) {
    return core::HostDenies{.message = std::string(k_refused_always),
                            .updates = {refusal_from_now_on(question)}};
  }
  return no(k_refused);
}

}  // namespace

void write_permission_options(JsonWriter& json, const core::MayRun& question) {
  json.begin_array();
  if (question.call.name == k_plan_tool) {
    write_option(json, k_accept_edits, "Yes, and accept edits", acp::k_allow_always);
    write_option(json, k_ask_each, "Yes, and ask before each edit", acp::k_allow_once);
    write_option(json, k_plan_on, "No, go on planning", acp::k_reject_once);
    json.end_array();
    return;
  }
  write_option(json, acp::k_allow_once, "Allow", acp::k_allow_once);
  if (!question.suggestions.empty()) {
    write_option(json, acp::k_allow_always, always_name(question), acp::k_allow_always);
  }
  write_option(json, acp::k_reject_once, "Reject", acp::k_reject_once);
  if (!question.needs_person) {
    write_option(json, acp::k_reject_always, never_name(question), acp::k_reject_always);
  }
  json.end_array();
}

core::HostAnswer read_permission_outcome(const core::MayRun& question, const RawAnswer& answer) {
  if (!answer.response) return core::HostFailed{answer.error};
  const nlohmann::json result = read_json(answer.response->text);
  if (!result.is_object()) return no(k_refused);
  const auto nested = result.find("outcome");
  const bool is_nested = nested != result.end() && nested->is_object();
  return chosen(question, text_at(is_nested ? *nested : result, "optionId"));
}

}  // namespace yume::protocol
