// SPDX-License-Identifier: MIT
#include "transcript/importers/gemini_history.h"

#include "transcript/importers/gemini_tools.h"
#include "transcript/importers/history_builder.h"

#include <algorithm>
#include <utility>

namespace yume::transcript::import {
namespace {

constexpr std::string_view k_wrapper_open = "<untrusted_context>";
constexpr std::string_view k_wrapper_close = "</untrusted_context>";

std::string unwrapped(std::string text) {
  if (!text.starts_with(k_wrapper_open)) return text;
  text.erase(0, k_wrapper_open.size());
  if (const std::size_t close = text.rfind(k_wrapper_close); close != std::string::npos) {
    text.resize(close);
  }
  const std::size_t from = text.find_first_not_of("\r\n");
  return from == std::string::npos ? "" : text.substr(from);
}

// `content` is a string, one part, or an array of strings and parts.
std::vector<Json> parts_of(const Json& content) {
  if (content.is_array()) return {content.begin(), content.end()};
  if (content.is_null()) return {};
  return {content};
}

std::string part_text(const Json& part) {
  return part.is_string() ? part.get<std::string>() : text_at(part, {"text"});
}

void read_response(const Json& response, core::PastResult& result) {
  const Json& body = at(response, {"response"});
  const Json& error = at(body, {"error"});
  const Json& output = at(body, {"output", "content", "result"});
  if (!error.is_null()) result.is_error = true;
  const Json& said = error.is_null() ? output : error;
  std::string text =
      said.is_null() && !body.empty() ? raw(body).text : result_text(said, result.media);
  text = unwrapped(std::move(text));
  if (!text.empty()) result.text.append(result.text.empty() ? "" : "\n").append(text);
  for (const Json& part : at(response, {"parts"})) {
    if (auto media = media_of(part)) result.media.push_back(*std::move(media));
  }
}

// Parts of a call's result: responses, and what lies beside them.
void read_result_parts(const Json& parts, core::PastResult& result) {
  for (const Json& part : parts_of(parts)) {
    const Json& response = at(part, {"functionResponse"});
    if (response.is_object()) {
      read_response(response, result);
    } else if (auto media = media_of(part)) {
      result.media.push_back(*std::move(media));
    } else if (const std::string text = part_text(part); !text.empty()) {
      result.text.append(result.text.empty() ? "" : "\n").append(text);
    }
  }
}

// A run that died leaves calls that never came to an end.
void apply_status(const std::string& status, core::PastResult& result) {
  if (status.empty() || status == "success") return;
  result.is_error = true;
  if (!result.text.empty()) return;
  if (status == "cancelled") result.text = "[cancelled by user]";
  if (status != "cancelled" && status != "error") result.text = "[interrupted]";
}

class Importer {
 public:
  void message(const Json& message) {
    const std::string type = text_at(message, {"type", "role"});
    if (type == "user") add_user(message);
    if (type == "gemini" || type == "model" || type == "assistant") add_reply(message);
  }

  core::Conversation finish() { return history_.finish(); }

 private:
  void add_user(const Json& message) {
    for (const Json& part : parts_of(at(message, {"content", "parts"}))) {
      const Json& response = at(part, {"functionResponse"});
      if (response.is_object()) {
        core::PastResult result{.call_id = text_at(response, {"id"}), .text = {}};
        read_response(response, result);
        history_.result(std::move(result));
      } else if (auto media = media_of(part)) {
        history_.user_media(*std::move(media));
      } else if (const Json& file = at(part, {"fileData"}); file.is_object()) {
        history_.user_text("[file: " + text_at(file, {"fileUri"}) + "]");
      } else {
        history_.user_text(part_text(part));
      }
    }
  }

  void add_reply(const Json& message) {
    history_.begin_reply();
    if (std::string model = text_at(message, {"model"}); !model.empty()) {
      history_.model(std::move(model));
    }
    const std::vector<Json> parts = parts_of(at(message, {"content", "parts"}));
    for (const Json& part : parts) {
      if (!flag_at(part, {"thought"})) history_.reply_text(part_text(part));
    }
    for (const Json& part : parts) {
      const Json& call = at(part, {"functionCall"});
      if (call.is_object()) add_call(text_at(call, {"id"}), call);
    }
    const Json& calls = at(message, {"toolCalls"});
    for (const Json& call : calls) {
      const std::string id = text_at(call, {"id"});
      if (id.empty() || !history_.knows_call(id)) add_call(id, call);
    }
    for (const Json& call : calls) add_result(call);
  }

  void add_call(const std::string& id, const Json& call) {
    const std::string name = text_at(call, {"name"});
    if (name.empty()) return;
    MappedCall mapped = map_gemini_call(name, at(call, {"args"}));
    history_.call(id, mapped.name, raw(mapped.input));
  }

  void add_result(const Json& call) {
    core::PastResult result{.call_id = text_at(call, {"id"}), .text = {}};
    read_result_parts(at(call, {"result"}), result);
    apply_status(text_at(call, {"status"}), result);
    history_.result(std::move(result));
  }

  HistoryBuilder history_;
};

// Somebody really said something.
bool is_real(const Json& message) {
  const std::string type = text_at(message, {"type"});
  if (type == "gemini") return true;
  if (type != "user") return false;
  const auto parts = parts_of(at(message, {"content"}));
  return std::any_of(parts.begin(), parts.end(),
                     [](const Json& part) { return !without_noise(part_text(part)).empty(); });
}

// What the log says so far.
class Log {
 public:
  void apply(const Json& line) {
    const Json& set = at(line, {"$set"});
    if (const Json& rewound = at(line, {"$rewindTo"}); rewound.is_string()) {
      rewind(rewound.get<std::string>());
    } else if (at(line, {"id"}).is_string()) {
      put(line);
    } else if (set.is_object()) {
      if (at(set, {"messages"}).is_array()) replace(set["messages"]);
    } else if (at(line, {"messages"}).is_array()) {
      replace(line["messages"]);
    }
  }

  // A checkpoint that erased everything real (the same minute, another process) is not believed.
  const std::vector<Json>& messages() const {
    const auto real = [](const std::vector<Json>& list) {
      return std::any_of(list.begin(), list.end(), is_real);
    };
    return real(messages_) || !real(erased_) ? messages_ : erased_;
  }

 private:
  void put(const Json& message) {
    const std::string id = text_at(message, {"id"});
    const auto known = std::find_if(messages_.begin(), messages_.end(),
                                    [&id](const Json& one) { return text_at(one, {"id"}) == id; });
    if (known == messages_.end()) {
      messages_.push_back(message);
    } else {
      *known = message;
    }
  }

  void rewind(const std::string& id) {
    const auto known = std::find_if(messages_.begin(), messages_.end(),
                                    [&id](const Json& one) { return text_at(one, {"id"}) == id; });
    messages_.erase(known == messages_.end() ? messages_.begin() : known, messages_.end());
  }

  void replace(const Json& messages) {
    if (std::any_of(messages_.begin(), messages_.end(), is_real)) erased_ = std::move(messages_);
    messages_.assign(messages.begin(), messages.end());
  }

  std::vector<Json> messages_;
  std::vector<Json> erased_;
};

}  // namespace

core::Conversation read_gemini_messages(const std::vector<Json>& messages) {
  Importer importer;
  for (const Json& message : messages) importer.message(message);
  return importer.finish();
}

core::Conversation read_gemini_log(std::string_view bytes) {
  Log log;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    if (const auto parsed = parse(line)) log.apply(*parsed);
  }
  return read_gemini_messages(log.messages());
}

}  // namespace yume::transcript::import
