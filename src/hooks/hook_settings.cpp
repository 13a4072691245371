// SPDX-License-Identifier: MIT
#include "hooks/hook_settings.h"

#include "util/json_tree.h"

#include <cmath>
#include <iterator>
#include <utility>

namespace yume::hooks {
namespace {

using Json = nlohmann::ordered_json;

Error wrong(const std::string& where, const std::string& what) {
  return {.code = ErrorCode::invalid_argument, .message = where + " " + what};
}

Result<CommandHook> read_command(const Json& json, Matcher matcher, const std::string& where) {
  CommandHook hook{.matcher = std::move(matcher), .command = text_at(json, "command")};
  if (hook.command.empty()) return wrong(where + ".command", "is missing, or not a text");
  if (const auto timeout = json.find("timeout"); timeout != json.end()) {
    constexpr double k_longest = 24 * 60 * 60;
    const double seconds = timeout->is_number() ? timeout->get<double>() : 0;
    if (!(seconds > 0) || seconds > k_longest) {
      return wrong(where + ".timeout", "is not a number of seconds, a day at most");
    }
    hook.timeout = std::chrono::milliseconds(std::llround(std::ceil(seconds * 1000)));
  }
  const std::string on_failure = text_at(json, "onFailure");
  if (on_failure == "block") hook.on_failure = core::OnHookFailure::block;
  return hook;
}

// A hook that nobody waits for cannot say anything, and may still run when its turn is over.
bool is_async(const Json& json) {
  const auto found = json.find("async");
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

Result<void> read_group(const Json& group, core::HookEvent event, const std::string& where,
                        HookSettings& settings) {
  const std::string name(core::name_of(event));
  if (!group.is_object()) return wrong(where, "is not an object");
  const auto matcher_text = group.find("matcher");
  if (matcher_text != group.end() && !matcher_text->is_string()) {
    return wrong(where + ".matcher", "is not a text");
  }
  auto matcher = Matcher::parse(text_at(group, "matcher"));
  if (!matcher.ok()) return wrong(where + ".matcher", matcher.error().message);
  const auto hooks = group.find("hooks");
  if (hooks == group.end() || !hooks->is_array()) return wrong(where + ".hooks", "is not a list");
  for (std::size_t i = 0; i < hooks->size(); ++i) {
    const Json& json = (*hooks)[i];
    const std::string place = where + ".hooks[" + std::to_string(i) + "]";
    if (!json.is_object()) return wrong(place, "is not an object");
    const std::string type = text_at(json, "type");
    if (type.empty()) return wrong(place + ".type", "is missing, or not a text");
    if (type != "command" || is_async(json)) {
      settings.not_run.push_back(name + (type != "command" ? " of type " + type : " with async"));
      continue;
    }
    YUME_TRY(CommandHook hook, read_command(json, *matcher, place));
    settings.commands[event].push_back(std::move(hook));
  }
  return {};
}

}  // namespace

void HookSettings::append(HookSettings more) {
  for (auto& [event, hooks] : more.commands) {
    std::move(hooks.begin(), hooks.end(), std::back_inserter(commands[event]));
  }
  std::move(more.not_run.begin(), more.not_run.end(), std::back_inserter(not_run));
}

std::vector<std::string> HookSettings::grants() const {
  std::vector<std::string> lines;
  for (const auto& [event, hooks] : commands) {
    for (const CommandHook& hook : hooks) {
      lines.push_back("hook " + std::string(core::name_of(event)) + " " + hook.matcher.text() +
                      ": " + hook.command);
    }
  }
  return lines;
}

Result<HookSettings> parse_hook_settings(const RawJson& hooks) {
  const Json json = read_ordered_json(hooks.text);
  HookSettings settings;
  if (json.is_null()) return settings;
  if (!json.is_object()) return wrong("hooks", "is not an object");
  for (const auto& [name, groups] : json.items()) {
    if (groups.empty()) continue;  // null, too
    const auto event = core::hook_event_from(name);
    if (!event) {
      settings.not_run.push_back(name);
      continue;
    }
    if (!groups.is_array()) return wrong("hooks." + name, "is not a list");
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::string where = "hooks." + name + "[" + std::to_string(i) + "]";
      if (auto read = read_group(groups[i], *event, where, settings); !read.ok()) {
        return read.error();
      }
    }
  }
  return settings;
}

}  // namespace yume::hooks
