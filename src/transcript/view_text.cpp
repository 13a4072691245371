// SPDX-License-Identifier: MIT
#include "transcript/view_text.h"

#include "util/json_tree.h"

#include <algorithm>
#include <utility>

namespace yume::transcript {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t k_longest_input = 2'000;  // of one text in it

std::int64_t count_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return 0;
  return std::max<std::int64_t>(found->get<std::int64_t>(), 0);
}

// Yume's readers disagree on the spelling, and take the prompt's size for that of the context:
// sums would make it compact long before its time, so they have keys of their own.
void write_usage(JsonWriter& json, const ViewContent& content) {
  const core::Usage& last = content.last_request;
  const core::Usage& total = content.total;
  json.key("usage").begin_object();
  json.field("inputTokens", last.uncached_prompt());
  json.field("outputTokens", total.billed_output());
  json.field("cacheReadTokens", last.cached_tokens).field("cacheCreationTokens", 0);
  json.field("input_tokens", last.uncached_prompt());
  json.field("output_tokens", total.billed_output());
  json.field("cache_read_input_tokens", last.cached_tokens);
  json.field("cache_creation_input_tokens", 0);
  json.field("total_input_tokens", total.prompt_tokens);
  json.field("total_cached_tokens", total.cached_tokens);
  json.field("total_output_tokens", total.billed_output());
  json.key("total_cost_usd").number(content.cost_usd).end_object();
}

void write_message(JsonWriter& json, const ViewMessage& message) {
  json.begin_object().field("role", message.from_user ? "user" : "assistant");
  json.field("content", message.content);
  if (!message.calls.empty()) {
    json.key("toolCalls").begin_array();
    for (const RawJson& call : message.calls) json.raw(call.text);
    json.end_array();
  }
  json.end_object();
}

core::Usage last_request_of(const Json& usage) {
  core::Usage last;
  last.cached_tokens = count_at(usage, "cache_read_input_tokens");
  last.prompt_tokens = count_at(usage, "input_tokens") + last.cached_tokens;
  return last;
}

core::Usage total_of(const Json& usage) {
  core::Usage total;
  total.prompt_tokens = count_at(usage, "total_input_tokens");
  total.cached_tokens = count_at(usage, "total_cached_tokens");
  total.output_tokens = count_at(usage, "total_output_tokens");
  return total;
}

bool read_message(const Json& item, std::vector<ViewMessage>& history) {
  const auto content = item.find("content");
  if (!item.is_object() || content == item.end() || !content->is_string()) return false;
  ViewMessage& message = history.emplace_back();
  message.from_user = text_at(item, "role") == "user";
  message.content = content->get<std::string>();
  if (const auto calls = item.find("toolCalls"); calls != item.end() && calls->is_array()) {
    for (const Json& call : *calls) message.calls.push_back({write_json(call)});
  }
  return true;
}

}  // namespace

RawJson view_call(const core::ToolCall& call) {
  RawJson out;
  JsonWriter json(out.text);
  json.begin_object().field("id", call.id).field("name", call.name);
  json.field("input", RawJson{shorten_json_strings(call.input.text, k_longest_input)});
  json.end_object();
  return out;
}

std::string view_text(const std::string& id, const ViewContent& content, const std::string& updated,
                      std::uint64_t log_bytes) {
  std::string text;
  std::size_t size = 4096;
  for (const ViewMessage& message : content.history) {
    size += message.content.size() + message.content.size() / 32 + 64;
  }
  text.reserve(size);  // or a long text would be there twice while it grows
  JsonWriter json(text);
  json.begin_object().field("id", id).field("provider", "gemini").field("model", content.model);
  json.field("cwd", content.cwd).field("created", content.created).field("updated", updated);
  json.field("title", content.title);
  write_usage(json, content);
  json.key("metadata").begin_object().field("title", content.title);
  json.field("compactionCount", content.compactions);
  json.field("logBytes", static_cast<std::int64_t>(log_bytes)).end_object();
  json.key("history").begin_array();
  for (const ViewMessage& message : content.history) write_message(json, message);
  json.end_array().end_object();
  return text;
}

std::optional<ParsedView> parse_view(std::string_view text) {
  if (!check_json(text).ok()) return std::nullopt;
  const Json json = read_ordered_json(text);
  if (!json.is_object()) return std::nullopt;
  const auto usage = json.find("usage");
  const auto metadata = json.find("metadata");
  const auto history = json.find("history");
  const bool whole = usage != json.end() && usage->is_object() && metadata != json.end() &&
                     metadata->is_object() && history != json.end() && history->is_array();
  if (!whole) return std::nullopt;
  ParsedView view;
  view.log_bytes = static_cast<std::uint64_t>(count_at(*metadata, "logBytes"));
  ViewContent& content = view.content;
  content.model = text_at(json, "model");
  content.cwd = text_at(json, "cwd");
  content.created = text_at(json, "created");
  content.title = text_at(json, "title");
  content.compactions = static_cast<int>(count_at(*metadata, "compactionCount"));
  content.last_request = last_request_of(*usage);
  content.total = total_of(*usage);
  if (const auto cost = usage->find("total_cost_usd"); cost != usage->end() && cost->is_number()) {
    content.cost_usd = cost->get<double>();
  }
  for (const Json& item : *history) {
    if (!read_message(item, content.history)) return std::nullopt;
  }
  return view;
}

ViewContent view_of(const ShownSession& session, const Price& price) {
  using Kind = ShownItem::Kind;
  ViewContent view;
  view.model = session.model;
  view.cwd = session.cwd;
  view.created = session.created;
  view.title = session.title;
  view.compactions = session.compactions;
  view.last_request = session.last_request;
  for (const ShownRequest& request : session.requests) {
    view.total += request.usage;
    view.cost_usd += price(request.model, request.usage);
  }
  for (const ShownItem& item : session.items) {
    if (item.kind == Kind::prompt) {
      view.history.push_back({.from_user = true, .content = item.text, .calls = {}});
    } else if (item.kind == Kind::failure) {
      view.history.push_back({.from_user = false, .content = item.text, .calls = {}});
    } else if (item.kind == Kind::text || item.kind == Kind::call) {
      const bool goes_on = !view.history.empty() && !view.history.back().from_user &&
                           !item.message_id.empty() &&
                           view.history.back().message_id == item.message_id;
      if (!goes_on)
        view.history.push_back({.content = {}, .calls = {}, .message_id = item.message_id});
      ViewMessage& reply = view.history.back();
      reply.content += item.text;
      if (item.kind == Kind::call) reply.calls.push_back(view_call(item.call));
    }
  }
  return view;
}

}  // namespace yume::transcript
