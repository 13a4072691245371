// SPDX-License-Identifier: MIT
#include "protocol/insights/insights_commands.h"

#include "core/effort.h"
#include "protocol/claude/inbound.h"
#include "util/byte_size.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::protocol {
namespace {

using nlohmann::json;

HostMessage command(core::Command what, std::string reply_to = {}) {
  return {.content = std::move(what), .reply_to = std::move(reply_to)};
}

HostMessage refused(std::string why, const std::string& name) {
  return command(core::Refused{.why = std::move(why), .code = "invalid_request"}, name);
}

// The text, and blocks beside it, which may contain it.
core::UserMessage read_message(const json& line, const char* text_field) {
  core::UserMessage text(text_at(line, text_field));
  const auto content = line.find("content");
  if (content == line.end() || !content->is_array() || content->empty()) return text;
  core::UserMessage blocks = read_claude_content(*content);
  const bool has_text = std::any_of(content->begin(), content->end(), [](const json& block) {
    return block.is_object() && text_at(block, "type") == "text";
  });
  if (has_text || text.blank()) return blocks;
  text.append(std::move(blocks));
  return text;
}

// Nothing, or "default": as the session began.
HostMessage parse_effort(const std::string& effort, const std::string& name) {
  if (effort.empty() || effort == "default") return command(core::SetThinking{}, name);
  if (const auto tokens = core::tokens_of_effort(effort)) {
    return command(core::SetThinking{*tokens}, name);
  }
  return refused("The reasoning effort '" + effort +
                     "' is not known. There are none, minimal, low, medium, high, xhigh and max.",
                 name);
}

HostMessage parse_mode(const std::string& wanted, const std::string& name) {
  if (const auto mode = core::permission_mode_from(wanted)) {
    return command(core::SetMode{*mode}, name);
  }
  return refused("The permission mode '" + wanted +
                     "' is not known. There are default, acceptEdits, plan, dontAsk and "
                     "bypassPermissions.",
                 name);
}

HostMessage parse_model(std::string model, const std::string& name) {
  return command(core::SetModel{model == "default" ? std::string() : std::move(model)}, name);
}

HostMessage parse_config_option(const json& line, const std::string& name) {
  const std::string option = text_at(line, "configId");
  const std::string value = text_at(line, "value");
  if (option == "model") return parse_model(value, name);
  if (option == "mode") return parse_mode(value, name);
  if (option == "effort" || option == "reasoning_effort") return parse_effort(value, name);
  return refused("The option '" + option + "' is not known. There are model, mode and effort.",
                 name);
}

// `allowed` where there is no `behavior`; all else as Claude's hosts answer.
HostMessage parse_answer(json line) {
  RawAnswer answer{.request_id = text_at(line, "requestId"), .response = std::nullopt};
  if (text_at(line, "behavior").empty()) {
    const auto allowed = line.find("allowed");
    const bool yes = allowed != line.end() && allowed->is_boolean() && allowed->get<bool>();
    line["behavior"] = yes ? "allow" : "deny";
  }
  line.erase("command");
  line.erase("requestId");
  answer.response = RawJson{write_json(line)};
  return {.content = std::move(answer)};
}

HostMessage parse_create(const json& line) {
  core::BeginSession begin{.cwd = text_at(line, "cwd"), .settings = {}, .prompt = {}};
  begin.prompt.message = read_message(line, "prompt");
  const auto options = line.find("options");
  if (options == line.end() || !options->is_object()) return command(std::move(begin));
  if (std::string model = text_at(*options, "model"); !model.empty()) {
    begin.settings.model = std::move(model);
  }
  if (const std::string mode = text_at(*options, "permissionMode"); !mode.empty()) {
    begin.settings.mode = core::permission_mode_from(mode);
    if (!begin.settings.mode) {
      return command(core::Refused{.why = "Error: the permission mode '" + mode +
                                          "' of create_session is not known"});
    }
  }
  return command(std::move(begin));
}

HostMessage parse_named(const std::string& name, json line) {
  if (name == "send_message") {
    return command(core::Prompt{.message = read_message(line, "text")});
  }
  if (name == "permission_response") return parse_answer(std::move(line));
  if (name == "interrupt") return command(core::Interrupt{});
  if (name == "kill") {
    return command(core::EndSession{.when = core::EndSession::When::now}, name);
  }
  if (name == "set_model") return parse_model(text_at(line, "model"), name);
  if (name == "set_permission_mode") return parse_mode(text_at(line, "mode"), name);
  if (name == "set_config_option") return parse_config_option(line, name);
  if (name == "set_reasoning_effort") return parse_effort(text_at(line, "effort"), name);
  if (name == "create_session") return parse_create(line);
  return command(core::Unsupported{name}, name.empty() ? "command" : name);
}

}  // namespace

HostMessage parse_insights_line(std::string_view line) {
  constexpr std::string_view k_bom = "\xEF\xBB\xBF";
  if (line.starts_with(k_bom)) line.remove_prefix(k_bom.size());
  if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return command(core::Ignored{});
  }
  std::string repaired;  // invalid UTF-8 and lone surrogates must not cost the session
  append_ascii_json(repaired, line);
  if (!check_json(repaired).ok()) {
    return refused("A line on stdin is not JSON: " + std::string(json_prefix(line, 50)), "stdin");
  }
  json parsed = read_json(repaired);
  if (!parsed.is_object()) return refused("A line on stdin is not a command.", "stdin");
  const std::string name = text_at(parsed, "command");
  return parse_named(name, std::move(parsed));
}

HostMessage refuse_insights_line(const LongLine& line, std::size_t limit) {
  return command(core::Refused{"Error: the message on stdin has " + byte_size_text(line.bytes) +
                               ", and at most " + byte_size_text(limit) +
                               " are read. Send less at once, or raise the limit with "
                               "--max-message-size or maxMessageSize in settings.json."});
}

}  // namespace yume::protocol
