// SPDX-License-Identifier: MIT
#include "transcript/convert/claude_lines.h"

#include "core/gemini_cli_tools.h"
#include "transcript/gemini_cli/message_reader.h"
#include "transcript/importers/import_json.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace yume::transcript {
namespace {

using import::at;
using import::flag_at;
using import::Json;
using import::media_of;
using import::text_at;

constexpr std::size_t k_piece = 256U << 10U;
// No record comes near it.
constexpr std::size_t k_longest_line = 512U << 20U;

struct LinePlace {
  std::uint64_t offset = 0;
  std::uint64_t uuid_hash = 0;
  std::uint32_t length = 0;
};

std::uint64_t hash_of(std::string_view id) {
  return std::hash<std::string_view>()(id);
}

// What stands between <tag> and </tag>.
std::optional<std::string> tagged(std::string_view text, std::string_view tag) {
  const std::string open = "<" + std::string(tag) + ">";
  const std::size_t from = text.find(open);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t to = text.find("</" + std::string(tag) + ">", from);
  if (to == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(from + open.size(), to - from - open.size()));
}

SaidBlock text_block(std::string text) {
  const auto command = tagged(text, "command-name");
  if (!command) return SaidText{std::move(text)};
  return SaidCommand{.command = *command,
                     .message = tagged(text, "command-message").value_or(""),
                     .arguments = tagged(text, "command-args").value_or("")};
}

SaidCall call_of(const Json& block) {
  SaidCall call{.id = text_at(block, {"id"}),
                .name = text_at(block, {"name"}),
                .input = import::object_of(at(block, {"input"})),
                .status = {}};
  if (call.name != "TodoWrite") return call;
  Json input = at(block, {"input"});
  const bool changed =
      input.is_object() && input.contains("todos") && core::translate_todos(input["todos"]);
  if (changed) call.input = import::raw(input);
  return call;
}

SaidResult result_of(const Json& block) {
  SaidResult said{.call_id = text_at(block, {"tool_use_id"}), .result = {}};
  const Json& content = at(block, {"content"});
  said.result.text = import::result_text(content, said.result.media);
  said.result.is_error = flag_at(block, {"is_error"});
  if (!content.is_null()) said.result.content = import::raw(content);
  return said;
}

void add_block(const Json& block, SessionRecord& record) {
  const std::string type = text_at(block, {"type"});
  if (type == "text") {
    record.blocks.push_back(text_block(text_at(block, {"text"})));
  } else if (type == "thinking") {
    record.blocks.emplace_back(SaidThought{.subject = {}, .text = text_at(block, {"thinking"})});
  } else if (type == "tool_use") {
    record.blocks.emplace_back(call_of(block));
  } else if (type == "tool_result") {
    record.blocks.emplace_back(result_of(block));
  } else if (auto media = media_of(block)) {
    record.blocks.emplace_back(*std::move(media));
  }
}

std::int64_t count_at(const Json& usage, const char* key) {
  const Json& value = at(usage, {key});
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::optional<TokenCounts> tokens_of(const Json& usage) {
  if (!usage.is_object()) return std::nullopt;
  TokenCounts tokens{.input = count_at(usage, "input_tokens"),
                     .output = count_at(usage, "output_tokens"),
                     .cached = count_at(usage, "cache_read_input_tokens"),
                     .cache_creation = count_at(usage, "cache_creation_input_tokens")};
  tokens.total = tokens.input + tokens.output;
  return tokens;
}

// nullopt: the line says nothing to anybody.
std::optional<SessionRecord> record_of(const Json& line) {
  const std::string type = text_at(line, {"type"});
  const Json& message = at(line, {"message"});
  if ((type != "user" && type != "assistant") || !message.is_object()) return std::nullopt;
  SessionRecord record{.id = text_at(line, {"uuid"}),
                       .time = text_at(line, {"timestamp"}),
                       .speaker = type == "user" ? RecordSpeaker::user : RecordSpeaker::model};
  record.model = text_at(message, {"model"});
  record.message_id = text_at(message, {"id"});
  record.tokens = tokens_of(at(message, {"usage"}));
  record.is_for_people = flag_at(line, {"isMeta"});
  const Json& content = at(message, {"content"});
  if (content.is_string()) {
    record.is_plain_text = true;
    record.blocks.push_back(text_block(content.get<std::string>()));
  }
  if (content.is_array()) {
    for (const Json& block : content) add_block(block, record);
  }
  return record;
}

class Lines {
 public:
  explicit Lines(ByteSource& bytes) : bytes_(bytes) {}

  Result<void> read() {
    std::string buffer(k_piece, '\0');
    std::uint64_t start = 0;
    std::string line;
    for (std::uint64_t at = 0;;) {
      YUME_TRY(const std::size_t got, bytes_.read_at(at, buffer));
      if (got == 0) break;
      for (std::string_view piece(buffer.data(), got); !piece.empty();) {
        const std::size_t end = piece.find('\n');
        const std::string_view part = piece.substr(0, end);
        if (line.size() + part.size() <= k_longest_line) line.append(part);
        piece.remove_prefix(part.size());
        at += part.size();
        if (end == std::string_view::npos) break;
        take(line, start);
        line.clear();
        piece.remove_prefix(1);
        at += 1;
        start = at;
      }
    }
    take(line, start);
    return {};
  }

  SessionFacts facts;
  std::vector<LinePlace> places;
  std::size_t skipped = 0;
  bool ours = false;  // it has lines that only this program writes

 private:
  void take(const std::string& text, std::uint64_t start) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) return;
    const auto line = import::parse(text);
    if (!line || !line->is_object()) {
      skipped += 1;
      return;
    }
    const std::string type = text_at(*line, {"type"});
    ours = ours || type.starts_with("gemini-");
    if (type == "gemini-rewind") {
      rewind(text_at(*line, {"leafUuid"}));
      return;
    }
    if (flag_at(*line, {"isSidechain"}) || !record_of(*line)) return;
    learn(*line);
    places.push_back({.offset = start,
                      .uuid_hash = hash_of(text_at(*line, {"uuid"})),
                      .length = static_cast<std::uint32_t>(text.size())});
  }

  void learn(const Json& line) {
    const auto once = [&line](std::string& fact, const char* key) {
      if (fact.empty()) fact = text_at(line, {key});
    };
    once(facts.id, "sessionId");
    once(facts.cwd, "cwd");
    once(facts.started, "timestamp");
    if (std::string time = text_at(line, {"timestamp"}); !time.empty()) {
      facts.updated = std::move(time);
    }
  }

  // Behind a line that says nothing here, nothing is known to be wrong.
  void rewind(const std::string& leaf) {
    const auto last = std::find_if(
        places.rbegin(), places.rend(),
        [hash = hash_of(leaf)](const LinePlace& place) { return place.uuid_hash == hash; });
    if (leaf.empty()) places.clear();
    if (last != places.rend()) places.erase(last.base(), places.end());
  }

  ByteSource& bytes_;
};

}  // namespace

Result<ReadSession> read_claude_session(ByteSource& bytes, std::optional<SessionSource> source,
                                        RecordTarget& target) {
  Lines lines(bytes);
  if (const auto read = lines.read(); !read) return read.error();
  if (lines.places.empty()) {
    return Error{.code = ErrorCode::protocol, .message = "it is no transcript of Claude Code"};
  }
  lines.facts.source = source.value_or(lines.ours ? SessionSource::yume : SessionSource::claude);
  ReadSession read{.records = lines.places.size(), .skipped = lines.skipped};
  target.begin(lines.facts);
  for (const LinePlace& place : lines.places) {
    std::string text = bytes_at(bytes, {.offset = place.offset, .length = place.length});
    const auto line = import::parse(text);
    auto record = line ? record_of(*line) : std::nullopt;
    if (!record) continue;
    record->original.text = std::move(text);
    target.record(*std::move(record));
  }
  target.end();
  return read;
}

}  // namespace yume::transcript
