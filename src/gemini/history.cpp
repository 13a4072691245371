// SPDX-License-Identifier: MIT
#include "gemini/history.h"

#include "core/media_check.h"
#include "gemini/token_estimate.h"
#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/utf8.h"

#include <algorithm>
#include <numeric>
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

// A reply may have megabytes, mostly in one part, whose memory is used again.
std::string model_content(std::vector<std::string> parts) {
  if (parts.size() > 1) return content("model", parts);
  std::string json = std::move(parts.front());
  json.insert(0, R"({"role":"model","parts":[)");
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

// What stands between the brackets of a content's parts.
std::string parts_text(std::string_view json) {
  const std::size_t begin = json.find("\"parts\":[") + 9;
  return std::string(json.substr(begin, json.size() - begin - k_content_end.size()));
}

std::string head_and_tail(const std::string& text, std::size_t longest) {
  const std::string_view head = utf8_prefix(text, longest / 2);
  const std::string_view tail = utf8_suffix(text, longest / 2);
  return std::string(head) + "\n[... " + std::to_string(text.size() - head.size() - tail.size()) +
         " bytes of this old output were left out to save room ...]\n" + std::string(tail);
}

// Only ever on the way out of a window that is too full, so the cost of a parse does not matter.
std::string with_short_responses(std::string_view json, std::size_t longest) {
  auto content = read_ordered_json(json);
  if (!content.is_object()) return std::string(json);
  auto& parts = content["parts"];
  for (auto part = parts.begin(); part != parts.end();) {
    const auto response = part->find("functionResponse");
    if (response == part->end()) {
      part = parts.erase(part);  // media beside the responses
      continue;
    }
    response->erase("parts");
    for (auto& [key, value] : (*response)["response"].items()) {
      const bool long_text =
          value.is_string() && value.get_ref<const std::string&>().size() > longest;
      if (long_text) value = head_and_tail(value.get_ref<const std::string&>(), longest);
    }
    ++part;
  }
  return write_json(content, {.ascii_only = true});
}

using Json = nlohmann::ordered_json;

bool is_media(const Json& part) {
  return part.is_object() && part.contains("inlineData");
}

std::string withheld_text(const Json& part, std::string_view why) {
  const Json& data = part["inlineData"];
  return core::withheld_text(
      {.mime_type = text_at(data, "mimeType"), .base64 = text_at(data, "data")}, why);
}

void add_to_response(Json& part, const std::string& line) {
  for (auto& [key, value] : part["functionResponse"]["response"].items()) {
    if (value.is_string()) value = value.get_ref<const std::string&>() + "\n" + line;
  }
}

// Media inside a response become lines of its text.
std::size_t withhold_in_response(Json& part, std::string_view why) {
  Json& response = part["functionResponse"];
  const auto inner = response.find("parts");
  if (inner == response.end()) return 0;
  const Json media = std::move(*inner);
  response.erase(inner);
  for (const Json& one : media) {
    if (is_media(one)) add_to_response(part, withheld_text(one, why));
  }
  return media.size();
}

// The API refuses texts among responses: media beside them become lines of the last response.
std::size_t withhold_in_parts(Json& parts, std::string_view why) {
  std::size_t count = 0;
  Json* response = nullptr;
  for (Json& part : parts) {
    if (!part.contains("functionResponse")) continue;
    count += withhold_in_response(part, why);
    response = &part;
  }
  for (Json& part : parts) {
    if (!is_media(part)) continue;
    ++count;
    const std::string text = withheld_text(part, why);
    if (response != nullptr) add_to_response(*response, text);
    part = response != nullptr ? Json() : Json{{"text", text}};
  }
  std::erase_if(parts.get_ref<Json::array_t&>(), [](const Json& part) { return part.is_null(); });
  return count;
}

// False: there were none inside.
bool put_media_beside(Json& parts) {
  Json moved = Json::array();
  for (Json& part : parts) {
    const auto response = part.find("functionResponse");
    if (response == part.end() || !response->contains("parts")) continue;
    for (Json& one : (*response)["parts"]) moved.push_back(std::move(one));
    response->erase("parts");
  }
  for (Json& one : moved) parts.push_back(std::move(one));
  return !moved.empty();
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
  const std::int64_t tokens = estimate_tokens(json);
  contents_.push_back({kind, std::move(json), tokens});
}

void History::set(Content& content, std::string json) {
  bytes_ += json.size();
  bytes_ -= content.json.size();
  content.tokens = estimate_tokens(json);
  content.json = std::move(json);
}

void History::add_user_parts(const std::vector<std::string>& parts) {
  if (parts.empty()) return;
  if (!contents_.empty() && contents_.back().kind == Kind::user_text) {
    std::string json = contents_.back().json;
    json.resize(json.size() - k_content_end.size());
    for (const std::string& part : parts) json.append(",").append(part);
    json.append(k_content_end);
    set(contents_.back(), std::move(json));
    return;
  }
  put_model_text_behind_responses("[My reply was interrupted here.]");
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

void History::add_user_meanwhile(const core::UserMessage& message) {
  put_model_text_behind_responses("[I have the results. The user has sent a message meanwhile.]");
  add_user(message);
}

void History::put_model_text_behind_responses(std::string_view text) {
  if (contents_.empty() || contents_.back().kind != Kind::function_responses) return;
  const std::string part = text_part(text);
  push(Kind::model, content("model", {&part, 1}));
}

std::string History::add_user_text(std::string_view text) {
  std::string part = text_part(text);
  add_user_parts({part});
  return part;
}

void History::add_model_parts(std::vector<std::string> parts) {
  if (!parts.empty()) push(Kind::model, model_content(std::move(parts)));
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
    set(entry, with_stand_ins(entry.json));
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
  // Only the user's words grow; all others may have been written anew since, for another model.
  if (contents_.empty() || contents_.back().kind != Kind::user_text) return;
  if (contents_.back().json.size() == mark.last_bytes) return;
  std::string json = contents_.back().json;
  json.resize(mark.last_bytes - k_content_end.size());
  json.append(k_content_end);
  set(contents_.back(), std::move(json));
}

void History::withhold_last_responses(const std::vector<FunctionResponse>& instead) {
  if (contents_.empty() || contents_.back().kind != Kind::function_responses) return;
  bytes_ -= contents_.back().json.size();
  contents_.pop_back();
  add_function_responses(instead);
}

History::Last History::last() const {
  if (contents_.empty()) return Last::nothing;
  switch (contents_.back().kind) {
    case Kind::user_text:
      return Last::user_text;
    case Kind::model:
      return Last::model;
    case Kind::function_responses:
      break;
  }
  return Last::function_responses;
}

void History::place_media(MediaPlace place) {
  if (place != MediaPlace::beside_response) return;
  constexpr std::string_view k_key = R"("inlineData":)";
  for (Content& entry : contents_) {
    if (entry.kind != Kind::function_responses) continue;
    if (entry.json.find(k_key) == std::string::npos) continue;
    Json read = read_ordered_json(entry.json);
    if (put_media_beside(read["parts"])) set(entry, write_json(read, {.ascii_only = true}));
  }
}

std::size_t History::withhold_media(std::string_view why) {
  // No text has it: quotes in texts are escaped.
  constexpr std::string_view k_key = R"("inlineData":)";
  std::size_t count = 0;
  for (Content& entry : contents_) {
    const bool ours = entry.kind != Kind::model;
    if (!ours || entry.json.find(k_key) == std::string::npos) continue;
    Json read = read_ordered_json(entry.json);
    count += withhold_in_parts(read["parts"], why);
    set(entry, write_json(read, {.ascii_only = true}));
  }
  return count;
}

std::int64_t History::tokens() const {
  return std::accumulate(
      contents_.begin(), contents_.end(), std::int64_t{0},
      [](std::int64_t sum, const Content& content) { return sum + content.tokens; });
}

std::int64_t History::tokens_of(std::size_t content) const {
  return contents_[content].tokens;
}

bool History::may_cut_before(std::size_t content) const {
  return content > 0 && content < contents_.size() &&
         contents_[content].kind != Kind::function_responses;
}

bool History::is_user_message(std::size_t content) const {
  return contents_[content].kind == Kind::user_text;
}

History History::part(std::size_t first, std::size_t last) const {
  History copy;
  for (std::size_t i = first; i < last; ++i) copy.push(contents_[i].kind, contents_[i].json);
  return copy;
}

void History::append(const History& other) {
  for (const Content& content : other.contents_) {
    const bool joins = content.kind == Kind::user_text && !contents_.empty() &&
                       contents_.back().kind == Kind::user_text;
    if (joins) {
      add_user_parts({parts_text(content.json)});
    } else {
      push(content.kind, content.json);
    }
  }
}

void History::put_first(std::string_view text) {
  const History kept = std::exchange(*this, History());
  add_user_text(text);
  append(kept);
}

bool History::shorten_responses(std::size_t count, std::size_t longest) {
  bool shortened = false;
  for (std::size_t i = 0; i < std::min(count, contents_.size()); ++i) {
    Content& content = contents_[i];
    if (content.kind != Kind::function_responses) continue;
    std::string json = with_short_responses(content.json, longest);
    if (json.size() >= content.json.size()) continue;
    set(content, std::move(json));
    shortened = true;
  }
  return shortened;
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
