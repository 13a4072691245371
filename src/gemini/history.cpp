// SPDX-License-Identifier: MIT
#include "gemini/history.h"

#include "util/json_io.h"
#include "util/utf8.h"

#include <span>

namespace yume::gemini {
namespace {

constexpr std::string_view k_content_end = "]}";

std::string content(std::string_view role, std::span<const std::string> parts) {
  std::size_t size = 64;
  for (const std::string& part : parts) size += part.size() + 1;
  std::string json;
  json.reserve(size);  // a reply may have megabytes
  json.append(R"({"role":")").append(role).append(R"(","parts":[)");
  for (const std::string& part : parts) {
    if (&part != &parts.front()) json.push_back(',');
    json.append(part);
  }
  json.append(k_content_end);
  return json;
}

// The API refuses NUL in text, and drops nothing quietly: make it visible instead.
std::string without_nul(std::string_view text) {
  std::string clean = to_valid_utf8(text);
  for (std::size_t at = 0; (at = clean.find('\0', at)) != std::string::npos;) {
    clean.replace(at, 1, "\xEF\xBF\xBD");
  }
  return clean;
}

std::string text_part(std::string_view text) {
  std::string part;
  JsonWriter(part).begin_object().field("text", without_nul(text)).end_object();
  return part;
}

std::string response_part(const FunctionResponse& response) {
  std::string part;
  JsonWriter json(part);
  json.begin_object().key("functionResponse").begin_object();
  if (response.call_id) json.field("id", *response.call_id);
  json.field("name", response.name).key("response").begin_object();
  json.field(response.is_error ? "error" : "output", without_nul(response.text));
  json.end_object().end_object().end_object();
  return part;
}

}  // namespace

void History::add_user_text(std::string_view text) {
  const std::string part = text_part(text);
  if (!contents_.empty() && contents_.back().kind == Kind::user_text) {
    std::string& json = contents_.back().json;
    json.resize(json.size() - k_content_end.size());
    json.append(",").append(part).append(k_content_end);
    return;
  }
  if (!contents_.empty() && contents_.back().kind == Kind::function_responses) {
    const std::string marker = text_part("[My reply was interrupted here.]");
    contents_.push_back({Kind::model, content("model", {&marker, 1})});
  }
  contents_.push_back({Kind::user_text, content("user", {&part, 1})});
}

void History::add_model_parts(const std::vector<std::string>& parts) {
  if (!parts.empty()) contents_.push_back({Kind::model, content("model", parts)});
}

void History::add_function_responses(const std::vector<FunctionResponse>& responses) {
  if (responses.empty()) return;
  std::vector<std::string> parts;
  for (const FunctionResponse& response : responses) parts.push_back(response_part(response));
  contents_.push_back({Kind::function_responses, content("user", parts)});
}

std::vector<std::string_view> History::segments() const {
  std::vector<std::string_view> views;
  views.reserve(contents_.size() * 2 + 1);
  for (const Content& entry : contents_) {
    views.emplace_back(views.empty() ? "[" : ",");
    views.emplace_back(entry.json);
  }
  views.emplace_back(contents_.empty() ? "[]" : "]");
  return views;
}

}  // namespace yume::gemini
