// SPDX-License-Identifier: MIT
#include "protocol/inbound.h"

#include "util/json_io.h"

#include <nlohmann/json.hpp>

namespace yume::protocol {
namespace {

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const json* object_in(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

// Text blocks joined by newlines. Other kinds of block are for the issue that brings media.
std::string joined_text(const json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  if (!content.is_array()) return text;
  for (const json& block : content) {
    if (!block.is_object() || text_of(block, "type") != "text") continue;
    if (!text.empty()) text.push_back('\n');
    text += text_of(block, "text");
  }
  return text;
}

Inbound parse_user(const json& line) {
  const json* message = object_in(line, "message");
  std::string role = message == nullptr ? std::string() : text_of(*message, "role");
  if (role.empty()) role = "undefined";
  if (role != "user") {
    return BadLine{"Error: Expected message role 'user', got '" + role + "'"};
  }
  const auto content = message->find("content");
  return UserPrompt{content == message->end() ? std::string() : joined_text(*content)};
}

Inbound parse_initialize(const std::string& id, const json& request) {
  InitializeRequest initialize{.request_id = id, .system_prompt = {}, .append_system_prompt = {}};
  if (const auto prompt = request.find("systemPrompt"); prompt != request.end()) {
    if (prompt->is_string()) initialize.system_prompt = prompt->get<std::string>();
    if (prompt->is_array()) {  // SDK 0.3 sends a list of sections
      std::string text;
      for (const json& part : *prompt) {
        if (!part.is_string()) continue;
        if (!text.empty()) text += "\n\n";
        text += part.get<std::string>();
      }
      initialize.system_prompt = std::move(text);
    }
  }
  initialize.append_system_prompt = text_of(request, "appendSystemPrompt");
  return initialize;
}

Inbound parse_control(const json& line) {
  const std::string id = text_of(line, "request_id");
  const json* request = object_in(line, "request");
  if (request == nullptr) return UnsupportedRequest{id, ""};
  const std::string subtype = text_of(*request, "subtype");
  if (subtype == "initialize") return parse_initialize(id, *request);
  if (subtype == "interrupt") return InterruptRequest{id};
  return UnsupportedRequest{id, subtype};
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

Inbound parse_inbound(std::string_view line) {
  constexpr std::string_view k_bom = "\xEF\xBB\xBF";
  if (line.starts_with(k_bom)) line.remove_prefix(k_bom.size());
  if (is_blank(line)) return IgnoredLine{};
  std::string repaired;  // invalid UTF-8 and lone surrogates must not cost the session
  append_ascii_json(repaired, line);
  if (!check_json(repaired).ok()) {
    return BadLine{"Error parsing streaming input line (type=unknown, " +
                   std::to_string(line.size()) + " chars): SyntaxError"};
  }
  const json parsed = json::parse(repaired);
  if (!parsed.is_object()) return IgnoredLine{};
  const std::string type = text_of(parsed, "type");
  if (type == "user") return parse_user(parsed);
  if (type == "control_request") return parse_control(parsed);
  return IgnoredLine{};
}

}  // namespace yume::protocol
