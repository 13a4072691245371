// SPDX-License-Identifier: MIT
#include "transcript/shown_session.h"

#include "protocol/claude/tool_details.h"
#include "util/json_tree.h"
#include "util/utf8.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace yume::transcript {
namespace {

using Json = nlohmann::ordered_json;
using Kind = ShownItem::Kind;

constexpr std::size_t k_longest_title = 200;
constexpr std::string_view k_interrupt_marker = "[Request interrupted by user";

bool flag_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::int64_t count_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return 0;
  return std::max<std::int64_t>(found->get<std::int64_t>(), 0);
}

RawJson raw(const Json& value) {
  return {write_json(value)};
}

// Deeply nested JSON must not reach what walks it by recursion.
bool is_shallow(std::string_view line) {
  constexpr int k_deepest = 128;
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > k_deepest) return false;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return true;
}

Json parse_line(std::string_view line) {
  if (!is_shallow(line)) return Json(Json::value_t::discarded);
  Json parsed = read_ordered_json(line);
  if (!parsed.is_discarded()) return parsed;
  // Bytes that are not UTF-8, or half a surrogate pair.
  std::string repaired;
  append_ascii_json(repaired, line);
  return read_ordered_json(repaired);
}

std::optional<core::Media> media_of(const Json& block) {
  const auto source = block.find("source");
  if (source == block.end() || !source->is_object()) return std::nullopt;
  core::Media media{.mime_type = text_at(*source, "media_type"),
                    .base64 = text_at(*source, "data")};
  if (media.base64.empty()) return std::nullopt;
  return media;
}

// Texts and media of a string, or of an array of blocks.
void read_content(const Json& content, std::string& text, std::vector<core::Media>& media) {
  if (content.is_string()) {
    text = content.get<std::string>();
    return;
  }
  if (!content.is_array()) return;
  for (const Json& block : content) {
    if (!block.is_object()) continue;
    if (auto picture = media_of(block)) {
      media.push_back(*std::move(picture));
    } else if (text_at(block, "type") == "text") {
      text.append(text.empty() ? "" : "\n").append(text_at(block, "text"));
    }
  }
}

class Reader {
 public:
  explicit Reader(ShownLines lines) : lines_(lines) {}

  void line(std::string_view text) {
    const Json line = parse_line(text);
    if (!line.is_object()) {
      ++out_.skipped;
      return;
    }
    const std::string type = text_at(line, "type");
    if (type == "gemini-rewind") {
      rewind(text_at(line, "leafUuid"));
      return;
    }
    const bool wanted = lines_ == ShownLines::all || !flag_at(line, "isSidechain");
    if (!wanted || !line.contains("uuid")) return;
    note_head(line);
    const auto message = line.find("message");
    const bool speaks = message != line.end() && message->is_object();
    if (type == "user" && speaks) add_user(line, *message);
    if (type == "assistant" && speaks) add_reply(line, *message);
    if (type == "system" && text_at(line, "subtype") == "compact_boundary") {
      ++out_.compactions;
      add(Kind::compaction, "");
    }
    ends_[text_at(line, "uuid")] = out_.items.size();
  }

  ShownSession finish() {
    for (auto& [id, request] : replies_) out_.requests.push_back(std::move(request));
    for (const ShownItem& item : out_.items) {
      if (item.kind != Kind::prompt || item.text.empty()) continue;
      out_.title = make_title(item.text);
      break;
    }
    return std::move(out_);
  }

 private:
  void note_head(const Json& line) {
    time_ = text_at(line, "timestamp");
    if (out_.id.empty()) out_.id = text_at(line, "sessionId");
    if (out_.cwd.empty()) out_.cwd = text_at(line, "cwd");
    if (out_.created.empty()) out_.created = time_;
    if (!time_.empty()) out_.updated = time_;
  }

  ShownItem& add(Kind kind, std::string text) {
    ShownItem& item = out_.items.emplace_back();
    item.kind = kind;
    item.time = time_;
    item.text = std::move(text);
    return item;
  }

  void add_user(const Json& line, const Json& message) {
    const auto content = message.find("content");
    if (content == message.end()) return;
    if (content->is_array() && add_results(line, *content)) return;
    std::string text;
    std::vector<core::Media> media;
    read_content(*content, text, media);
    if (flag_at(line, "isCompactSummary")) {
      add_summary(std::move(text));
    } else if (flag_at(line, "isInterruptMarker") || text.starts_with(k_interrupt_marker)) {
      add(Kind::interruption, std::move(text));
    } else if (!flag_at(line, "isMeta") && (!text.empty() || !media.empty())) {
      branch_off(text_at(line, "parentUuid"));
      add(Kind::prompt, std::move(text)).media = std::move(media);
    }
  }

  void add_summary(std::string text) {
    const bool announced = !out_.items.empty() && out_.items.back().kind == Kind::compaction;
    if (announced) {
      out_.items.back().text = std::move(text);
    } else {
      add(Kind::compaction, std::move(text));
    }
  }

  // A prompt that follows something older than another prompt takes the place of what came since.
  void branch_off(const std::string& parent) {
    const auto end = ends_.find(parent);
    if (end == ends_.end() || end->second >= out_.items.size()) return;
    const auto from = out_.items.begin() + static_cast<std::ptrdiff_t>(end->second);
    const bool replaces = std::any_of(
        from, out_.items.end(), [](const ShownItem& item) { return item.kind == Kind::prompt; });
    if (replaces) out_.items.erase(from, out_.items.end());
  }

  void rewind(const std::string& leaf) {
    const auto end = ends_.find(leaf);
    if (leaf.empty()) {
      out_.items.clear();
    } else if (end != ends_.end() && end->second < out_.items.size()) {
      out_.items.resize(end->second);
    }
  }

  bool add_results(const Json& line, const Json& blocks) {
    bool any = false;
    for (const Json& block : blocks) {
      if (!block.is_object() || text_at(block, "type") != "tool_result") continue;
      any = true;
      ShownResult result{.text = {}, .is_error = flag_at(block, "is_error")};
      if (const auto content = block.find("content"); content != block.end()) {
        read_content(*content, result.text, result.media);
      }
      const auto details = line.find("toolUseResult");
      if (details != line.end()) result.patch = protocol::read_patch(*details);
      set_result(text_at(block, "tool_use_id"), std::move(result));
    }
    return any;
  }

  void set_result(const std::string& call_id, ShownResult result) {
    const auto call = calls_.find(call_id);
    if (call == calls_.end() || call->second >= out_.items.size()) return;
    ShownItem& item = out_.items[call->second];
    if (item.kind == Kind::call && item.call.id == call_id) item.result = std::move(result);
  }

  void add_reply(const Json& line, const Json& message) {
    const auto content = message.find("content");
    if (content == message.end()) return;
    const std::string id = text_at(message, "id");
    const std::string model = text_at(message, "model");
    const bool failed = flag_at(line, "isApiErrorMessage");
    if (!failed && model != "<synthetic>") note_usage(id, model, message);
    if (content->is_string()) {
      add(failed ? Kind::failure : Kind::text, content->get<std::string>()).message_id = id;
    }
    if (!content->is_array()) return;
    for (const Json& block : *content) {
      if (!block.is_object()) continue;
      const std::string type = text_at(block, "type");
      if (type == "text") {
        add(failed ? Kind::failure : Kind::text, text_at(block, "text")).message_id = id;
      } else if (type == "thinking" && !text_at(block, "thinking").empty()) {
        add(Kind::thought, text_at(block, "thinking")).message_id = id;
      } else if (type == "tool_use") {
        add_call(block, id);
      }
    }
  }

  void add_call(const Json& block, const std::string& message_id) {
    const auto input = block.find("input");
    const bool has_input = input != block.end() && input->is_object();
    core::ToolCall call{.id = text_at(block, "id"),
                        .name = text_at(block, "name"),
                        .input = has_input ? raw(*input) : RawJson{"{}"}};
    calls_[call.id] = out_.items.size();
    ShownItem& item = add(Kind::call, "");
    item.call = std::move(call);
    item.message_id = message_id;
  }

  // Each block's line repeats what its reply has used so far; the last one counts.
  void note_usage(const std::string& id, const std::string& model, const Json& message) {
    if (!model.empty()) out_.model = model;
    const auto found = message.find("usage");
    if (found == message.end() || !found->is_object()) return;
    core::Usage usage;
    usage.cached_tokens = count_at(*found, "cache_read_input_tokens");
    usage.prompt_tokens = count_at(*found, "input_tokens") +
                          count_at(*found, "cache_creation_input_tokens") + usage.cached_tokens;
    usage.output_tokens = count_at(*found, "output_tokens");
    if (usage.prompt_tokens > 0) out_.last_request = usage;
    ShownRequest& request = replies_[id];
    if (request.time.empty()) request.time = time_;
    request.message_id = id;
    request.model = model;
    request.usage = usage;
  }

  ShownLines lines_;
  ShownSession out_;
  std::string time_;
  std::unordered_map<std::string, std::size_t> ends_;   // by uuid: how many items there were then
  std::unordered_map<std::string, std::size_t> calls_;  // by id: which item
  std::map<std::string, ShownRequest> replies_;         // by id
};

bool is_blank(std::string_view line) {
  constexpr std::string_view k_blank(" \t\r\0", 4);
  return line.find_first_not_of(k_blank) == std::string_view::npos;
}

}  // namespace

std::size_t ShownSession::message_count() const {
  std::size_t count = 0;
  const std::string* reply = nullptr;
  for (const ShownItem& item : items) {
    const bool replies =
        item.kind == Kind::text || item.kind == Kind::thought || item.kind == Kind::call;
    if (!replies) {
      reply = nullptr;
      if (item.kind == Kind::prompt || item.kind == Kind::failure) ++count;
    } else if (reply == nullptr || *reply != item.message_id) {
      reply = &item.message_id;
      ++count;
    }
  }
  return count;
}

ShownSession read_shown(std::string_view bytes, ShownLines lines) {
  Reader reader(lines);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = bytes.substr(at, end - at);
    if (!is_blank(line)) reader.line(line);
    at = end + 1;
  }
  return reader.finish();
}

std::string make_title(std::string_view text) {
  std::string title;
  std::size_t length = 0;
  bool gap = false;
  for (std::size_t at = 0; at < text.size() && length < k_longest_title;) {
    const DecodedCharacter character = decode_utf8(text, at);
    at += character.length;
    const char32_t code = character.code_point;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    if (control || code == ' ' || code == 0x2028 || code == 0x2029) {
      gap = !title.empty();
      continue;
    }
    if (std::exchange(gap, false)) {
      title.push_back(' ');
      ++length;
    }
    if (length < k_longest_title) append_utf8(title, code);
    ++length;
  }
  return title;
}

}  // namespace yume::transcript
