// SPDX-License-Identifier: MIT
#include "gemini/history.h"

#include "util/json_io.h"
#include "util/utf8.h"

namespace yume::gemini {
namespace {

constexpr std::string_view k_content_end = "]}";

std::string content(std::string_view role, std::string_view parts) {
  std::string json = R"({"role":")";
  json.append(role).append(R"(","parts":[)").append(parts).append(k_content_end);
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
    contents_.push_back(
        {Kind::model, content("model", text_part("[My reply was interrupted here.]"))});
  }
  contents_.push_back({Kind::user_text, content("user", part)});
}

void History::add_model_parts(const std::vector<std::string>& parts) {
  if (parts.empty()) return;
  std::string joined;
  for (const std::string& part : parts) {
    if (!joined.empty()) joined.push_back(',');
    joined.append(part);
  }
  contents_.push_back({Kind::model, content("model", joined)});
}

void History::add_function_responses(const std::vector<FunctionResponse>& responses) {
  if (responses.empty()) return;
  std::string joined;
  for (const FunctionResponse& response : responses) {
    if (!joined.empty()) joined.push_back(',');
    joined.append(response_part(response));
  }
  contents_.push_back({Kind::function_responses, content("user", joined)});
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
