// SPDX-License-Identifier: MIT
#include "transcript/gemini_cli/message_reader.h"

#include "transcript/importers/history_builder.h"
#include "transcript/importers/import_json.h"

#include <algorithm>
#include <utility>

namespace yume::transcript {
namespace {

using import::at;
using import::flag_at;
using import::Json;
using import::media_of;
using import::raw;
using import::text_at;

// `content` is a string, one part, or a list of strings and parts.
template <class Take>
void each_part(const Json& content, Take take) {
  if (content.is_array()) {
    for (const Json& part : content) take(part);
  } else if (!content.is_null()) {
    take(content);
  }
}

std::string part_text(const Json& part) {
  return part.is_string() ? part.get<std::string>() : text_at(part, {"text"});
}

void append_line(std::string& text, std::string_view more) {
  if (!more.empty()) text.append(text.empty() ? "" : "\n").append(more);
}

// What a tool answered, in the server's words.
void read_response(const Json& response, CallResult& result) {
  const Json& body = at(response, {"response"});
  const Json& error = at(body, {"error"});
  const Json& output = at(body, {"output", "content", "result"});
  if (!error.is_null()) result.is_error = true;
  // An output that is there counts, also beside an error.
  const bool has_output = !output.is_null() && !(output.is_string() && output.empty());
  const Json& said = has_output ? output : error;
  const bool other = said.is_null() && output.is_null() && body.is_object() && !body.empty();
  append_line(result.text, other ? raw(body).text : import::result_text(said, result.media));
  result.is_unnamed = at(body, {"output", "error"}).is_null();
  for (const Json& part : at(response, {"parts"})) {
    if (auto media = media_of(part)) result.media.push_back(*std::move(media));
  }
}

// Responses, and what lies beside them. nullopt: there is no result.
std::optional<CallResult> read_result(const Json& parts) {
  const bool none = parts.is_null() || (parts.is_array() && parts.empty());
  if (none) return std::nullopt;
  CallResult result;
  each_part(parts, [&result](const Json& part) {
    const Json& response = at(part, {"functionResponse"});
    if (response.is_object()) {
      read_response(response, result);
    } else if (auto media = media_of(part)) {
      result.media.push_back(*std::move(media));
    } else {
      append_line(result.text, part_text(part));
    }
  });
  return result;
}

SaidCall call_of(const Json& call) {
  return {.id = text_at(call, {"id"}),
          .name = text_at(call, {"name"}),
          .input = import::object_of(at(call, {"args"})),
          .status = text_at(call, {"status"})};
}

SaidCall finished_call_of(const Json& call) {
  SaidCall made = call_of(call);
  made.result = read_result(at(call, {"result"}));
  if (!made.result) return made;
  const bool failed = made.status == "error" || made.status == "cancelled";
  made.result->is_error = made.result->is_error || failed;
  const Json& display = at(call, {"resultDisplay"});
  if (display.is_object()) made.result->details = raw(display);
  return made;
}

// Checkpoints hold a thought as a text of its own: "**Subject** description".
bool says_the_same(const std::string& part, const SaidThought& thought) {
  return part.find(thought.subject) != std::string::npos &&
         part.find(thought.text) != std::string::npos;
}

class Message {
 public:
  explicit Message(SessionRecord& record) : record_(record) {}

  void read(const Json& message) {
    for (const Json& thought : at(message, {"thoughts"})) {
      if (!thought.is_object()) continue;
      thoughts_.push_back(
          {.subject = text_at(thought, {"subject"}), .text = text_at(thought, {"description"})});
    }
    for (const Json& call : at(message, {"toolCalls"})) {
      if (!text_at(call, {"name"}).empty()) calls_.push_back(finished_call_of(call));
    }
    const std::size_t finished = calls_.size();
    each_part(at(message, {"content", "parts"}),
              [this, finished](const Json& part) { add_part(part, finished); });
    for (SaidThought& thought : thoughts_) record_.blocks.emplace_back(std::move(thought));
    for (SaidBlock& block : said_) record_.blocks.push_back(std::move(block));
    for (SaidCall& call : calls_) record_.blocks.emplace_back(std::move(call));
  }

 private:
  void add_part(const Json& part, std::size_t finished) {
    const Json& response = at(part, {"functionResponse"});
    const Json& call = at(part, {"functionCall"});
    const Json& file = at(part, {"fileData"});
    if (response.is_object()) {
      SaidResult said{.call_id = text_at(response, {"id"}), .result = {}};
      read_response(response, said.result);
      said_.emplace_back(std::move(said));
    } else if (call.is_object()) {
      add_call(call, finished);
    } else if (auto media = media_of(part)) {
      said_.emplace_back(*std::move(media));
    } else if (file.is_object()) {
      said_.emplace_back(
          SaidFile{.uri = text_at(file, {"fileUri"}), .mime_type = text_at(file, {"mimeType"})});
    } else if (flag_at(part, {"thought"})) {
      add_thought(part_text(part));
    } else if (std::string text = part_text(part); !text.empty()) {
      said_.emplace_back(SaidText{std::move(text)});
    }
  }

  // A call is there twice when the message was written with its results.
  void add_call(const Json& part, std::size_t finished) {
    SaidCall call = call_of(part);
    const auto end = calls_.begin() + static_cast<std::ptrdiff_t>(finished);
    const bool known = std::any_of(calls_.begin(), end, [&call](const SaidCall& one) {
      return call.id.empty() ? one.name == call.name : one.id == call.id;
    });
    if (!known && !call.name.empty()) calls_.push_back(std::move(call));
  }

  void add_thought(std::string text) {
    const bool known = std::any_of(thoughts_.begin(), thoughts_.end(), [&text](const auto& one) {
      return !one.subject.empty() && says_the_same(text, one);
    });
    if (!known) thoughts_.push_back({.subject = {}, .text = std::move(text)});
  }

  SessionRecord& record_;
  std::vector<SaidThought> thoughts_;
  std::vector<SaidBlock> said_;
  std::vector<SaidCall> calls_;
};

std::int64_t number_at(const Json& object, const char* key) {
  const Json& value = at(object, {key});
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.is_number() ? static_cast<std::int64_t>(value.get<double>()) : 0;
}

std::optional<TokenCounts> tokens_of(const Json& tokens) {
  if (!tokens.is_object()) return std::nullopt;
  return TokenCounts{.input = number_at(tokens, "input"),
                     .output = number_at(tokens, "output"),
                     .cached = number_at(tokens, "cached"),
                     .thoughts = number_at(tokens, "thoughts"),
                     .tool = number_at(tokens, "tool"),
                     .total = number_at(tokens, "total")};
}

// Context that the program adds itself is not what anybody said.
bool is_context(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return true;
  text.remove_prefix(from);
  return text.starts_with("<session_context>") || text.starts_with("<hook_context>");
}

bool says_nothing(const SaidBlock& block) {
  const auto* text = std::get_if<SaidText>(&block);
  return text != nullptr && is_context(text->text);
}

RecordSpeaker speaker_of(const std::string& type) {
  if (type == "user") return RecordSpeaker::user;
  const bool note = type == "info" || type == "error" || type == "warning" || type == "system";
  return note ? RecordSpeaker::system : RecordSpeaker::model;
}

}  // namespace

std::optional<SessionRecord> read_gemini_message(std::string json) {
  const auto message = import::parse(json);
  if (!message || !message->is_object()) return std::nullopt;
  SessionRecord record{.id = text_at(*message, {"id"}),
                       .time = text_at(*message, {"timestamp"}),
                       .speaker = speaker_of(text_at(*message, {"type", "role"}))};
  record.model = text_at(*message, {"model"});
  record.tokens = tokens_of(at(*message, {"tokens"}));
  record.is_plain_text = at(*message, {"content"}).is_string();
  Message(record).read(*message);
  record.is_for_people = record.speaker == RecordSpeaker::system ||
                         (record.speaker == RecordSpeaker::user &&
                          std::all_of(record.blocks.begin(), record.blocks.end(), says_nothing));
  record.original.text = std::move(json);
  return record;
}

std::string bytes_at(ByteSource& bytes, const MessagePlace& place) {
  std::string text(place.length, '\0');
  const auto got = bytes.read_at(place.offset, text);
  if (!got.ok() || *got != text.size()) return {};
  return text;
}

bool is_real_message(ByteSource& bytes, const MessagePlace& place) {
  const auto record = read_gemini_message(bytes_at(bytes, place));
  if (!record || record->is_for_people) return false;
  if (record->speaker == RecordSpeaker::model) return true;
  return std::any_of(record->blocks.begin(), record->blocks.end(), [](const SaidBlock& block) {
    const auto* text = std::get_if<SaidText>(&block);
    return text != nullptr ? !without_noise(text->text).empty()
                           : !std::holds_alternative<SaidResult>(block);
  });
}

}  // namespace yume::transcript
