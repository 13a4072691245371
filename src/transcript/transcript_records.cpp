// SPDX-License-Identifier: MIT
#include "transcript/transcript_records.h"

#include "util/json_io.h"
#include "util/json_walk.h"

#include <charconv>
#include <utility>

namespace yume::transcript {
namespace {

using json_walk::each_element;
using json_walk::each_member;
using json_walk::k_ok;
using json_walk::read_string;
using json_walk::Status;
namespace od = json_walk::od;
using Key = od::raw_json_string;

Status read_flag(od::value value, bool& flag) {
  bool read = false;
  if (value.get_bool().get(read) == k_ok) flag = read;
  return k_ok;
}

Status read_count(od::value value, std::int64_t& count) {
  std::int64_t read = 0;
  if (value.get_int64().get(read) == k_ok && read >= 0) count = read;
  return k_ok;
}

Status read_raw_object(od::value value, std::string& out) {
  od::object object;
  std::string_view raw;
  YUME_SIMD(value.get_object().get(object));
  YUME_SIMD(object.raw_json().get(raw));
  out.assign(raw);
  return k_ok;
}

Status read_strings(od::value value, std::vector<std::string>& out) {
  return each_element(
      value, [&](od::value one) -> Status { return read_string(one, out.emplace_back()); });
}

// A block of a message: its fields, whatever its type turns out to be.
struct Block {
  std::string type;
  std::string text;  // also a result's
  std::string id;    // also tool_use_id
  std::string name;
  std::string input = "{}";
  bool is_error = false;
  std::optional<core::Media> media;
  std::vector<core::Media> result_media;
};

// A document may also be given as plain text.
Status read_source(od::value value, Block& block) {
  core::Media read;
  std::string type;
  const Status status = each_member(value, [&](Key key, od::value member) -> Status {
    if (key == "type") return read_string(member, type);
    if (key == "media_type") return read_string(member, read.mime_type);
    if (key == "data") return read_string(member, read.base64);
    return k_ok;
  });
  if (status != k_ok || read.base64.empty()) return status;
  if (type == "text") {
    block.text = std::move(read.base64);
  } else {
    block.media = std::move(read);
  }
  return status;
}

Status read_block(od::value value, Block& block);

// A string, or blocks of their own.
Status read_result_content(od::value value, Block& block) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type == od::json_type::string) return read_string(value, block.text);
  if (type != od::json_type::array) return k_ok;
  return each_element(value, [&](od::value one) -> Status {
    Block inner;
    YUME_SIMD(read_block(one, inner));
    if (!inner.text.empty()) block.text.append(block.text.empty() ? "" : "\n").append(inner.text);
    if (inner.media) block.result_media.push_back(*std::move(inner.media));
    return k_ok;
  });
}

Status read_block(od::value value, Block& block) {
  return each_member(value, [&](Key key, od::value member) -> Status {
    if (key == "type") return read_string(member, block.type);
    if (key == "text") return read_string(member, block.text);
    if (key == "id" || key == "tool_use_id") return read_string(member, block.id);
    if (key == "name") return read_string(member, block.name);
    if (key == "input") return read_raw_object(member, block.input);
    if (key == "is_error") return read_flag(member, block.is_error);
    if (key == "source") return read_source(member, block);
    if (key == "content") return read_result_content(member, block);
    return k_ok;
  });
}

// Who speaks is known only when the whole line is read: Claude Code writes `message` before `type`.
void add_block(Block block, Record& record) {
  if (block.type == "tool_use") {
    record.calls.push_back({.id = std::move(block.id),
                            .name = std::move(block.name),
                            .input = {std::move(block.input)}});
  } else if (block.type == "tool_result") {
    record.results.push_back({.call_id = std::move(block.id),
                              .text = std::move(block.text),
                              .media = std::move(block.result_media),
                              .is_error = block.is_error});
  } else if (block.media) {
    record.prompt.blocks.emplace_back(*std::move(block.media));
  } else if (block.type == "text" || block.type == "document") {
    record.prompt.blocks.emplace_back(std::move(block.text));
  }
}

Status read_usage(od::value value, core::Usage& usage) {
  std::int64_t fresh = 0;
  std::int64_t created = 0;
  const Status status = each_member(value, [&](Key key, od::value member) -> Status {
    if (key == "input_tokens") return read_count(member, fresh);
    if (key == "cache_creation_input_tokens") return read_count(member, created);
    if (key == "cache_read_input_tokens") return read_count(member, usage.cached_tokens);
    if (key == "output_tokens") return read_count(member, usage.output_tokens);
    return k_ok;
  });
  usage.prompt_tokens = fresh + created + usage.cached_tokens;
  return status;
}

Status read_content(od::value value, Record& record) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type == od::json_type::string) {
    std::string text;
    YUME_SIMD(read_string(value, text));
    record.prompt.blocks.emplace_back(std::move(text));
    return k_ok;
  }
  if (type != od::json_type::array) return k_ok;
  return each_element(value, [&](od::value one) -> Status {
    Block block;
    YUME_SIMD(read_block(one, block));
    add_block(std::move(block), record);
    return k_ok;
  });
}

Status read_message(od::value value, Record& record) {
  return each_member(value, [&](Key key, od::value member) -> Status {
    if (key == "id") return read_string(member, record.message_id);
    if (key == "model") return read_string(member, record.model);
    if (key == "content") return read_content(member, record);
    if (key == "usage") return read_usage(member, record.usage);
    return k_ok;
  });
}

Status read_kept(od::value value, Record& record) {
  return each_member(value, [&](Key key, od::value member) -> Status {
    if (key == "anchorUuid") return read_string(member, record.anchor);
    if (key == "uuids") {
      record.kept.clear();
      record.kept_is_range = false;
      return read_strings(member, record.kept);
    }
    return k_ok;
  });
}

Status read_kept_range(od::value value, Record& record) {
  std::string first;
  std::string last;
  YUME_SIMD(each_member(value, [&](Key key, od::value member) -> Status {
    if (key == "anchorUuid") return read_string(member, record.anchor);
    if (key == "headUuid") return read_string(member, first);
    if (key == "tailUuid") return read_string(member, last);
    return k_ok;
  }));
  if (!record.kept.empty()) return k_ok;  // the list says more
  record.kept = {std::move(first), std::move(last)};
  record.kept_is_range = true;
  return k_ok;
}

Status read_metadata(od::value value, Record& record) {
  return each_member(value, [&](Key key, od::value member) -> Status {
    if (key == "preservedMessages") return read_kept(member, record);
    if (key == "preservedSegment") return read_kept_range(member, record);
    return k_ok;
  });
}

Status read_files(od::value value, core::WorkState& state) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    std::string_view path;
    YUME_SIMD(field.unescaped_key().get(path));
    const std::string name(path);
    std::string_view digits;
    YUME_SIMD(field.value().get_string().get(digits));
    std::uint64_t hash = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
    state.files[name] = hash;
  }
  return k_ok;
}

// An item that is none is passed over.
Status read_todos(od::value value, std::vector<core::Todo>& todos) {
  return each_element(value, [&](od::value one) -> Status {
    od::json_type type{};
    YUME_SIMD(one.type().get(type));
    if (type != od::json_type::object) return k_ok;
    core::Todo todo;
    std::string state;
    YUME_SIMD(each_member(one, [&](Key key, od::value member) -> Status {
      if (key == "content") return read_string(member, todo.content);
      if (key == "activeForm") return read_string(member, todo.active_form);
      return key == "status" ? read_string(member, state) : k_ok;
    }));
    const auto known = core::todo_status_from(state);
    if (!known || todo.content.empty()) return k_ok;
    todo.status = *known;
    todos.push_back(std::move(todo));
    return k_ok;
  });
}

Status read_parts(od::value value, std::vector<std::string>& parts) {
  return each_element(
      value, [&](od::value one) -> Status { return read_raw_object(one, parts.emplace_back()); });
}

Status read_calls(od::value value, std::vector<core::PastCall>& calls) {
  return each_element(value, [&](od::value one) -> Status {
    core::PastCall& call = calls.emplace_back();
    return each_member(one, [&](Key key, od::value member) -> Status {
      if (key == "id") return read_string(member, call.id);
      if (key == "name") return read_string(member, call.name);
      if (key == "providerId") return read_string(member, call.provider_id.emplace());
      return k_ok;
    });
  });
}

Status read_running(od::value value, std::vector<core::RunningCommand>& running) {
  return each_element(value, [&](od::value one) -> Status {
    core::RunningCommand& command = running.emplace_back();
    return each_member(one, [&](Key key, od::value member) -> Status {
      if (key == "id") return read_string(member, command.id);
      if (key == "title") return read_string(member, command.title);
      if (key == "outputFile") return read_string(member, command.output_file);
      return k_ok;
    });
  });
}

// Every field that any kind of line has; which ones count is known only when the type is.
struct Fields {
  std::string type;
  std::string subtype;
  bool is_sidechain = false;
  bool is_error_message = false;
  bool is_marker = false;
  bool has_unread = false;  // members whose meaning the type decides came before it
  std::string role;
  std::string model_note;  // what the model was told beside a result
  Record record;
  ContentNote content;
  RewindNote rewind;
  WithheldNote withheld;
  StateNote state;
};

Status read_link(Key key, od::value value, Fields& line, bool& known) {
  known = true;
  if (key == "type") return read_string(value, line.type);
  if (key == "subtype") return read_string(value, line.subtype);
  if (key == "uuid") return read_string(value, line.record.uuid);
  if (key == "parentUuid") return read_string(value, line.record.parent.emplace());
  if (key == "isSidechain") return read_flag(value, line.is_sidechain);
  if (key == "isMeta") return read_flag(value, line.record.is_synthetic);
  if (key == "isCompactSummary") return read_flag(value, line.record.is_summary);
  if (key == "isApiErrorMessage") return read_flag(value, line.is_error_message);
  if (key == "isInterruptMarker") return read_flag(value, line.is_marker);
  if (key == "message") return read_message(value, line.record);
  if (key == "compactMetadata") return read_metadata(value, line.record);
  if (key == "geminiNote") return read_string(value, line.model_note);
  known = false;
  return k_ok;
}

Status read_note(Key key, od::value value, Fields& line) {
  if (key == "messageId") return read_string(value, line.content.message_id);
  if (key == "role") return read_string(value, line.role);
  if (key == "parts") return read_parts(value, line.content.content.parts);
  if (key == "calls") return read_calls(value, line.content.calls);
  if (key == "leafUuid") return read_string(value, line.rewind.leaf);
  if (key == "toolUseIds") return read_strings(value, line.withheld.call_ids);
  if (key == "media") return read_flag(value, line.withheld.media);
  if (key == "afterUuid") return read_string(value, line.withheld.after);
  if (key == "files") return read_files(value, line.state.state);
  if (key == "shellCwd") return read_string(value, line.state.state.shell_cwd);
  if (key == "todos") return read_todos(value, line.state.state.todos);
  if (key == "running") return read_running(value, line.state.state.running);
  return k_ok;
}

bool is_note(const Fields& line) {
  return line.type.starts_with("gemini-");
}

// The meaning of `content` and some others depends on the type, which our own lines put first.
Status read_field(Key key, od::value value, Fields& line) {
  bool known = false;
  YUME_SIMD(read_link(key, value, line, known));
  if (known) return k_ok;
  if (!is_note(line)) {
    line.has_unread = true;
    return k_ok;
  }
  if (key == "content") return read_string(value, line.withheld.instead);
  return read_note(key, value, line);
}

// Moved where possible: a long session's texts are most of its memory.
void move_texts_to_reply(Record& record) {
  for (core::UserBlock& block : record.prompt.blocks) {
    auto* text = std::get_if<std::string>(&block);
    if (text == nullptr) continue;
    if (record.text.empty()) {
      record.text = std::move(*text);
    } else {
      record.text += *text;
    }
  }
  record.prompt.blocks.clear();
}

TranscriptLine record_of(Fields line) {
  Record& record = line.record;
  if (line.is_sidechain || record.uuid.empty()) return ForeignLine{};
  if (line.type == "user") {
    record.kind = Record::Kind::prompt;
    record.is_hidden = line.is_marker;
    if (!record.results.empty() && !line.model_note.empty()) {
      std::string& text = record.results.back().text;
      text.append(text.empty() ? "" : "\n\n").append(line.model_note);
    }
  } else if (line.type == "assistant") {
    record.kind = Record::Kind::reply;
    record.is_hidden = line.is_error_message || record.model == "<synthetic>";
    move_texts_to_reply(record);
  } else if (line.type == "system" && line.subtype == "compact_boundary") {
    record.kind = Record::Kind::boundary;
  }
  return std::move(record);
}

TranscriptLine line_of(Fields line) {
  if (line.type == "gemini-content") {
    line.content.content.from_model = line.role != "user";
    return std::move(line.content);
  }
  if (line.type == "gemini-rewind") return std::move(line.rewind);
  if (line.type == "gemini-withheld") return std::move(line.withheld);
  if (line.type == "gemini-state") return std::move(line.state);
  return record_of(std::move(line));
}

}  // namespace

struct LineReader::Parsers {
  od::parser line;

  Status read(const char* text, std::size_t length, std::size_t room, Fields& fields) {
    od::document document;
    YUME_SIMD(json_walk::with_memory(line.iterate(text, length, room).get(document)));
    od::object object;
    YUME_SIMD(document.get_object().get(object));
    YUME_SIMD(read_fields(object, fields));
    if (is_note(fields) && fields.has_unread) {
      Fields again;
      again.type = std::move(fields.type);
      fields = std::move(again);
      YUME_SIMD(object.reset().error());
      YUME_SIMD(read_fields(object, fields));
    }
    const char* rest = nullptr;
    if (document.current_location().get(rest) == k_ok) return simdjson::TAPE_ERROR;
    return k_ok;
  }

 private:
  static Status read_fields(od::object& object, Fields& fields) {
    for (auto member : object) {
      od::field field;
      YUME_SIMD(std::move(member).get(field));
      if (json_walk::is_null(field)) {
        // Said to be the first, which is not the same as not saying who comes before.
        if (field.key() == "parentUuid") fields.record.parent.emplace();
        continue;
      }
      YUME_SIMD(read_field(field.key(), field.value(), fields));
    }
    return k_ok;
  }
};

LineReader::LineReader() : parsers_(std::make_unique<Parsers>()) {}
LineReader::~LineReader() = default;

TranscriptLine LineReader::read(const char* line, std::size_t length, std::size_t room) {
  Fields fields;
  if (parsers_->read(line, length, room, fields) == k_ok) return line_of(std::move(fields));
  // Bytes that are not UTF-8, or half a surrogate pair: replaced, and read again.
  std::string repaired;
  append_ascii_json(repaired, std::string_view(line, length));
  const std::size_t size = repaired.size();
  repaired.resize(size + simdjson::SIMDJSON_PADDING);
  Fields again;
  if (parsers_->read(repaired.data(), size, repaired.size(), again) != k_ok) return BadLine{};
  return line_of(std::move(again));
}

}  // namespace yume::transcript
