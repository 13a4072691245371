// SPDX-License-Identifier: MIT
#include "gemini/history.h"

#include "util/json_io.h"
#include "util/utf8.h"

#include <span>
#include <utility>

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
  std::string valid = to_valid_utf8(text);
  if (valid.find('\0') == std::string::npos) return valid;
  std::string clean;
  clean.reserve(valid.size());
  for (const char c : valid) {
    if (c == '\0') {
      clean.append("\xEF\xBF\xBD");
    } else {
      clean.push_back(c);
    }
  }
  return clean;
}

std::string text_part(std::string_view text) {
  std::string part;
  JsonWriter(part).begin_object().field("text", without_nul(text)).end_object();
  return part;
}

// The content with every signature of a part replaced. Parts are objects in the array of the
// content's object; what is deeper belongs to a call's arguments.
std::string with_stand_ins(std::string_view json) {
  constexpr std::string_view k_key = R"("thoughtSignature":")";
  constexpr int k_depth_of_parts = 3;
  std::string out;
  int depth = 0;
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      const bool signature = depth == k_depth_of_parts && json.substr(at).starts_with(k_key);
      if (signature) {
        out.append(k_key).append(k_stand_in_signature).push_back('"');
        at = json.find('"', at + k_key.size()) + 1;  // base64 has no quotes
        continue;
      }
      std::size_t end = at + 1;
      while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2 : 1;
      out.append(json.substr(at, end + 1 - at));
      at = end + 1;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    out.push_back(c);
    ++at;
  }
  return out;
}

void write_media(JsonWriter& json, const core::Media& media) {
  json.begin_object().key("inlineData").begin_object();
  json.field("mimeType", media.mime_type).field("data", media.base64);
  json.end_object().end_object();
}

std::string media_part(const core::Media& media) {
  std::string part;
  JsonWriter json(part);
  write_media(json, media);
  return part;
}

std::string response_part(const FunctionResponse& response, MediaPlace place) {
  std::string part;
  JsonWriter json(part);
  json.begin_object().key("functionResponse").begin_object();
  if (response.call_id) json.field("id", *response.call_id);
  json.field("name", response.name).key("response").begin_object();
  json.field(response.is_error ? "error" : "output", without_nul(response.text));
  json.end_object();
  if (place == MediaPlace::in_response && !response.media.empty()) {
    json.key("parts").begin_array();
    for (const core::Media& media : response.media) write_media(json, media);
    json.end_array();
  }
  json.end_object().end_object();
  return part;
}

}  // namespace

void History::push(Kind kind, std::string json) {
  bytes_ += json.size();
  contents_.push_back({kind, std::move(json)});
}

void History::add_user_parts(const std::vector<std::string>& parts) {
  if (parts.empty()) return;
  if (!contents_.empty() && contents_.back().kind == Kind::user_text) {
    std::string& json = contents_.back().json;
    bytes_ -= json.size();
    json.resize(json.size() - k_content_end.size());
    for (const std::string& part : parts) json.append(",").append(part);
    json.append(k_content_end);
    bytes_ += json.size();
    return;
  }
  if (!contents_.empty() && contents_.back().kind == Kind::function_responses) {
    const std::string marker = text_part("[My reply was interrupted here.]");
    push(Kind::model, content("model", {&marker, 1}));
  }
  push(Kind::user_text, content("user", parts));
}

void History::add_user(const core::UserMessage& message) {
  std::vector<std::string> parts;
  for (const core::UserBlock& block : message.blocks) {
    if (const auto* text = std::get_if<std::string>(&block)) {
      if (!text->empty()) parts.push_back(text_part(*text));
    } else {
      parts.push_back(media_part(std::get<core::Media>(block)));
    }
  }
  add_user_parts(parts);
}

std::string History::add_user_text(std::string_view text) {
  std::string part = text_part(text);
  add_user_parts({part});
  return part;
}

void History::add_model_parts(const std::vector<std::string>& parts) {
  if (!parts.empty()) push(Kind::model, content("model", parts));
}

void History::add_function_responses(const std::vector<FunctionResponse>& responses,
                                     MediaPlace place) {
  if (responses.empty()) return;
  std::vector<std::string> parts;
  for (const FunctionResponse& response : responses) {
    parts.push_back(response_part(response, place));
  }
  if (place == MediaPlace::beside_response) {
    for (const FunctionResponse& response : responses) {
      for (const core::Media& media : response.media) parts.push_back(media_part(media));
    }
  }
  push(Kind::function_responses, content("user", parts));
}

void History::replace_signatures() {
  for (Content& entry : contents_) {
    if (entry.kind != Kind::model) continue;
    bytes_ -= entry.json.size();
    entry.json = with_stand_ins(entry.json);
    bytes_ += entry.json.size();
  }
}

History::Mark History::mark() const {
  return {.contents = contents_.size(),
          .last_bytes = contents_.empty() ? 0 : contents_.back().json.size()};
}

void History::rewind(const Mark& mark) {
  while (contents_.size() > mark.contents) {
    bytes_ -= contents_.back().json.size();
    contents_.pop_back();
  }
  if (contents_.empty() || contents_.back().json.size() == mark.last_bytes) return;
  std::string& json = contents_.back().json;
  bytes_ -= json.size() - mark.last_bytes;
  json.resize(mark.last_bytes - k_content_end.size());
  json.append(k_content_end);
}

void History::withhold_last_responses(const std::vector<FunctionResponse>& instead) {
  if (contents_.empty() || contents_.back().kind != Kind::function_responses) return;
  bytes_ -= contents_.back().json.size();
  contents_.pop_back();
  add_function_responses(instead);
}

std::vector<std::string_view> History::segments() const {
  std::vector<std::string_view> views;
  views.reserve(contents_.size() * 2 + 1);
  views.emplace_back("[");
  for (const Content& entry : contents_) {
    if (views.size() > 1) views.emplace_back(",");
    views.emplace_back(entry.json);
  }
  views.emplace_back("]");
  return views;
}

}  // namespace yume::gemini
