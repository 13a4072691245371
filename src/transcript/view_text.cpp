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

// Collects short pieces, and passes them on together.
class ViewWriter {
 public:
  explicit ViewWriter(const ViewPorts& ports) : ports_(ports) {}

  Result<void> write(const ViewState& state, const ViewContent& content) {
    write_head(state, content);
    json_.key("history").begin_array();
    for (const ViewMessage& message : content.history) {
      if (const auto written = write_message(message); !written) return written.error();
    }
    json_.end_array().end_object();
    text_.push_back('\n');
    return flush();
  }

 private:
  void write_head(const ViewState& state, const ViewContent& content) {
    json_.begin_object().field("id", state.id).field("provider", "gemini");
    json_.field("model", content.model).field("cwd", content.cwd);
    json_.field("created", content.created).field("updated", state.updated);
    json_.field("title", content.title);
    write_usage(json_, content);
    json_.key("metadata").begin_object().field("title", content.title);
    json_.field("compactionCount", content.compactions);
    json_.field("logBytes", static_cast<std::int64_t>(state.log_bytes)).end_object();
  }

  Result<void> write_message(const ViewMessage& message) {
    json_.begin_object().field("role", message.from_user ? "user" : "assistant");
    json_.key("content").begin_string();
    for (const auto& piece : message.content) {
      const auto written = std::visit([this](const auto& one) { return add(one); }, piece);
      if (!written) return written.error();
    }
    json_.end_string();
    if (!message.calls.empty()) {
      json_.key("toolCalls").begin_array();
      for (const RawJson& call : message.calls) json_.raw(call.text);
      json_.end_array();
    }
    json_.end_object();
    return flush_if_full();
  }

  Result<void> add(const std::string& text) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view some = json_prefix(rest, k_full);
      append_json_characters(text_, some);
      rest.remove_prefix(some.size());
      if (const auto flushed = flush_if_full(); !flushed) return flushed.error();
    }
    return {};
  }

  Result<void> add(const TextPlace& place) {
    if (const auto flushed = flush(); !flushed) return flushed.error();
    YUME_TRY(const std::string quoted, ports_.read(place));
    return ports_.write(quoted);
  }

  Result<void> flush() {
    const auto written = ports_.write(text_);
    text_.clear();
    return written;
  }

  Result<void> flush_if_full() { return text_.size() < k_full ? Result<void>() : flush(); }

  static constexpr std::size_t k_full = 64U << 10U;

  const ViewPorts& ports_;
  std::string text_;
  JsonWriter json_{text_};
};

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
  message.add_text(content->get_ref<const std::string&>());
  if (const auto calls = item.find("toolCalls"); calls != item.end() && calls->is_array()) {
    for (const Json& call : *calls) message.calls.push_back({write_json(call)});
  }
  return true;
}

}  // namespace

void ViewMessage::add_text(std::string_view text) {
  const bool goes_on = !content.empty() && std::holds_alternative<std::string>(content.back());
  if (!goes_on) content.emplace_back(std::string());
  std::get<std::string>(content.back()) += text;
}

RawJson view_call(const core::ToolCall& call) {
  RawJson out;
  JsonWriter json(out.text);
  json.begin_object().field("id", call.id).field("name", call.name);
  json.field("input", RawJson{shorten_json_strings(call.input.text, k_longest_input)});
  json.end_object();
  return out;
}

Result<void> write_view(const ViewState& state, const ViewContent& content,
                        const ViewPorts& ports) {
  return ViewWriter(ports).write(state, content);
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
      view.history.push_back({.from_user = true, .content = {item.text}});
    } else if (item.kind == Kind::failure) {
      view.history.push_back({.from_user = false, .content = {item.text}});
    } else if (item.kind == Kind::text || item.kind == Kind::call) {
      const bool goes_on = !view.history.empty() && !view.history.back().from_user &&
                           !item.message_id.empty() &&
                           view.history.back().message_id == item.message_id;
      if (!goes_on) view.history.push_back({.message_id = item.message_id});
      ViewMessage& reply = view.history.back();
      reply.add_text(item.text);
      if (item.kind == Kind::call) reply.calls.push_back(view_call(item.call));
    }
  }
  return view;
}

}  // namespace yume::transcript
