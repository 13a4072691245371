// SPDX-License-Identifier: MIT
#include "foreign/claude_lines_decoder.h"

#include "core/gemini_cli_tools.h"
#include "foreign/claude_result.h"
#include "foreign/failure_words.h"
#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/json_walk.h"

#include <utility>

namespace yume::foreign {
namespace {

using json_walk::k_ok;
using json_walk::Status;
using nlohmann::json;
namespace od = json_walk::od;

constexpr std::string_view k_blank = " \t\r\n";

// A string, or blocks of which the texts count.
std::string content_text(const json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string out;
  if (!content.is_array()) return out;
  for (const json& block : content) {
    if (!block.is_object()) continue;
    const std::string text = text_at(block, "text");
    if (!text.empty()) out.append(out.empty() ? "" : "\n").append(text);
  }
  return out;
}

// One rule for all hosts: a task that is given up, and one without a text.
void settle(core::ToolCall& call) {
  if (call.name != "TodoWrite") return;
  auto input = read_ordered_json(call.input.text);
  const auto todos = input.find("todos");
  if (todos != input.end() && core::translate_todos(*todos)) call.input.text = write_json(input);
}

}  // namespace

// One block of a message's content. Texts are kept in the order of the line; what is rare stays
// JSON until it is wanted.
struct ClaudeLinesDecoder::Block {
  std::string type;
  std::string text;  // or thinking
  std::string id;    // of a call, or of the one that a result is of
  std::string name;
  std::string input;    // an object, as JSON
  std::string content;  // of a result, as JSON
  bool is_error = false;
};

struct ClaudeLinesDecoder::Line {
  std::string type;
  std::string parent;
  std::string message_id;
  std::string model;
  std::string usage;  // an object, as JSON
  std::vector<Block> blocks;
  std::size_t block_count = 0;  // of `blocks`, which keep their memory
  std::string text;             // a content that is a string
  bool is_replay = false;
  bool is_message = false;  // it has a message
  std::string all;          // of a line of another kind, as JSON

  void clear() {
    for (std::string* one : {&type, &parent, &message_id, &model, &usage, &text, &all}) {
      one->clear();
    }
    block_count = 0;
    is_replay = is_message = false;
  }
  Block& add() {
    if (block_count == blocks.size()) blocks.emplace_back();
    Block& block = blocks[block_count++];
    for (std::string* one :
         {&block.type, &block.text, &block.id, &block.name, &block.input, &block.content}) {
      one->clear();
    }
    block.is_error = false;
    return block;
  }
};

namespace {

Status assign_raw(od::value value, std::string& out) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  std::string_view raw;
  if (type == od::json_type::object) {
    od::object object;
    YUME_SIMD(value.get_object().get(object));
    YUME_SIMD(object.raw_json().get(raw));
  } else if (type == od::json_type::array) {
    od::array array;
    YUME_SIMD(value.get_array().get(array));
    YUME_SIMD(array.raw_json().get(raw));
  } else {
    raw = value.raw_json_token();
  }
  out.assign(raw.substr(0, raw.find_last_not_of(k_blank) + 1));
  return k_ok;
}

// Nothing where it is no string.
Status assign_text(od::value value, std::string& out) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type != od::json_type::string) return k_ok;
  return json_walk::read_string(value, out);
}

Status assign_flag(od::value value, bool& out) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type != od::json_type::boolean) return k_ok;
  return value.get_bool().get(out);
}

}  // namespace

struct ClaudeLinesDecoder::Parser {
  // False: it is no JSON object.
  bool read(std::string_view text, Line& line);

 private:
  Status read_members(std::string_view text, Line& line);
  static Status read_member(od::raw_json_string key, od::value value, Line& line);
  static Status read_message(od::value value, Line& line);
  static Status read_content(od::value value, Line& line);
  static Status read_block(od::value value, Block& block);

  od::parser parser_;
  std::string copy_;
};

Status ClaudeLinesDecoder::Parser::read_block(od::value value, Block& block) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type != od::json_type::object) return k_ok;
  return json_walk::each_member(value, [&block](od::raw_json_string key, od::value member) {
    if (key == "type") return assign_text(member, block.type);
    if (key == "text" || key == "thinking") return assign_text(member, block.text);
    if (key == "id" || key == "tool_use_id") return assign_text(member, block.id);
    if (key == "name") return assign_text(member, block.name);
    if (key == "input") return assign_raw(member, block.input);
    if (key == "content") return assign_raw(member, block.content);
    if (key == "is_error") return assign_flag(member, block.is_error);
    return k_ok;
  });
}

Status ClaudeLinesDecoder::Parser::read_content(od::value value, Line& line) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type == od::json_type::string) return json_walk::read_string(value, line.text);
  if (type != od::json_type::array) return k_ok;
  return json_walk::each_element(
      value, [&line](od::value block) { return read_block(block, line.add()); });
}

Status ClaudeLinesDecoder::Parser::read_message(od::value value, Line& line) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type != od::json_type::object) return k_ok;
  line.is_message = true;
  return json_walk::each_member(value, [&line](od::raw_json_string key, od::value member) {
    if (key == "content") return read_content(member, line);
    if (key == "id") return assign_text(member, line.message_id);
    if (key == "model") return assign_text(member, line.model);
    if (key == "usage") return assign_raw(member, line.usage);
    return k_ok;
  });
}

Status ClaudeLinesDecoder::Parser::read_member(od::raw_json_string key, od::value value,
                                               Line& line) {
  if (key == "type") return assign_text(value, line.type);
  if (key == "message") return read_message(value, line);
  if (key == "parent_tool_use_id") return assign_text(value, line.parent);
  if (key == "isReplay") return assign_flag(value, line.is_replay);
  return k_ok;
}

Status ClaudeLinesDecoder::Parser::read_members(std::string_view text, Line& line) {
  line.clear();
  copy_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  copy_.assign(text);
  od::document document;
  YUME_SIMD(json_walk::with_memory(
      parser_.iterate(simdjson::padded_string_view(copy_.data(), copy_.size(), copy_.capacity()))
          .get(document)));
  od::object object;
  YUME_SIMD(document.get_object().get(object));
  YUME_SIMD(json_walk::each_member(object, [&line](od::raw_json_string key, od::value value) {
    return read_member(key, value, line);
  }));
  const char* rest = nullptr;
  const bool at_end = document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
  if (!at_end) return simdjson::TRAILING_CONTENT;
  const bool is_message = line.type == "assistant" || line.type == "user";
  if (!is_message) line.all.assign(text);
  return k_ok;
}

// What one character breaks must not cost the whole line.
bool ClaudeLinesDecoder::Parser::read(std::string_view text, Line& line) {
  if (read_members(text, line) == k_ok) return true;
  std::string mended;
  append_ascii_json(mended, text);
  return check_json(mended).ok() && read_members(mended, line) == k_ok;
}

ClaudeLinesDecoder::ClaudeLinesDecoder(DecoderOptions options)
    : options_(options),
      parser_(std::make_unique<Parser>()),
      line_(std::make_unique<Line>()),
      flow_(std::move(options)) {}

ClaudeLinesDecoder::~ClaudeLinesDecoder() = default;

TurnFlow& ClaudeLinesDecoder::flow() {
  if (parent_.empty()) return flow_;
  return subagents_.try_emplace(parent_, options_).first->second;
}

std::optional<BadLine> ClaudeLinesDecoder::feed(std::string_view text, const Emit& emit) {
  if (text.find_first_not_of(k_blank) == std::string_view::npos) return std::nullopt;
  if (!parser_->read(text, *line_)) return bad_line(text);
  take(*line_, emit);
  return std::nullopt;
}

void ClaudeLinesDecoder::take(Line& line, const Emit& emit) {
  parent_.clear();
  if (line.type == "assistant") {
    parent_ = line.parent;
    on_assistant(line, emit);
  } else if (line.type == "user") {
    parent_ = line.parent;
    on_user(line, emit);
  } else if (line.type == "stream_event") {
    if (line.parent.empty()) on_piece(line, emit);
  } else if (line.type == "result") {
    on_result(line, emit);
  } else if (line.type == "system") {
    on_system(line, emit);
  }
}

void ClaudeLinesDecoder::on_init(Line& line, const Emit& emit) {
  const json init = read_json(line.all);
  // Two runs one after the other, of which the first broke off.
  if (flow_.is_open()) finish({}, emit);
  core::SessionStarted started;
  started.session_id = text_at(init, "session_id");
  started.model = text_at(init, "model");
  started.cwd = text_at(init, "cwd");
  started.tools = claude_texts(init, "tools");
  started.slash_commands = claude_texts(init, "slash_commands");
  started.skills = claude_texts(init, "skills");
  started.agents = claude_texts(init, "agents");
  started.credential_source = text_at(init, "apiKeySource");
  started.mode = core::permission_mode_from(text_at(init, "permissionMode"))
                     .value_or(core::PermissionMode::default_mode);
  flow_.set_model(started.model);
  flow_.begin();
  emit(std::move(started));
}

void ClaudeLinesDecoder::on_system(Line& line, const Emit& emit) {
  const json system = read_json(line.all);
  const std::string subtype = text_at(system, "subtype");
  if (subtype == "init") return on_init(line, emit);
  if (subtype == "status" && text_at(system, "status") == "compacting") {
    emit(core::CompactionStarted{});
  } else if (subtype == "compact_boundary") {
    const json facts = system.value("compact_metadata", json::object());
    emit(core::Compacted{.trigger = text_at(facts, "trigger") == "manual"
                                        ? core::CompactionTrigger::manual
                                        : core::CompactionTrigger::automatic,
                         .pre_tokens = claude_count(facts, "pre_tokens"),
                         .post_tokens = claude_count(facts, "post_tokens"),
                         .boundary_uuid = text_at(system, "uuid"),
                         .summary_uuid = {},
                         .summary = {}});
  } else if (subtype == "api_retry") {
    const int status = static_cast<int>(claude_count(system, "error_status"));
    std::string reason = text_at(system, "message");
    if (reason.empty()) reason = text_at(system, "error");
    emit(core::RetryScheduled{
        .attempt = static_cast<int>(claude_count(system, "attempt")),
        .max_retries = static_cast<int>(claude_count(system, "max_retries")),
        .delay = std::chrono::milliseconds(claude_count(system, "retry_delay_ms")),
        .http_status = status,
        .kind = status > 0 ? failure_kind_of(status) : core::FailureKind::unknown,
        .reason = std::move(reason)});
  } else if (subtype == "notice" || subtype == "informational") {
    std::string text = text_at(system, "message");
    if (text.empty()) text = text_at(system, "content");
    if (!text.empty()) emit(core::Notice{std::move(text)});
  }
}

// An error's text is repeated by the result, which says that it is one.
void ClaudeLinesDecoder::on_assistant(Line& line, const Emit& emit) {
  if (line.model == "<synthetic>") return;
  TurnFlow& turn = flow();
  turn.begin();
  if (!line.model.empty()) turn.set_model(std::move(line.model));
  const bool said = parent_.empty() && streamed_anything_ && line.message_id == streamed_;
  for (std::size_t i = 0; i < line.block_count; ++i) {
    Block& block = line.blocks[i];
    if (block.type == "text") {
      if (!said) turn.text(block.text, line.message_id, emit);
    } else if (block.type == "thinking") {
      if (!said) turn.thought(block.text, line.message_id, emit);
    } else if (block.type == "tool_use") {
      core::ToolCall call{.id = {}, .name = std::move(block.name), .input = {"{}"}};
      if (!block.input.empty() && block.input.front() == '{') {
        call.input.text = std::move(block.input);
      }
      if (!check_json(call.input.text).ok()) call.input.text = "{}";
      if (options_.words == CallWords::ours) settle(call);
      turn.call(block.id, std::move(call), emit);
    }
  }
  if (!line.usage.empty()) turn.usage(claude_usage(read_json(line.usage)));
}

void ClaudeLinesDecoder::on_user(Line& line, const Emit& emit) {
  TurnFlow& turn = flow();
  std::string prompt = std::move(line.text);
  for (std::size_t i = 0; i < line.block_count; ++i) {
    Block& block = line.blocks[i];
    if (block.type == "tool_result") {
      core::ToolOutcome outcome{.is_error = block.is_error, .content = {}, .details = {}};
      if (!block.content.empty()) outcome.content = content_text(read_json(block.content));
      turn.result(block.id, std::move(outcome), emit);
    } else if (block.type == "text") {
      prompt.append(prompt.empty() ? "" : "\n").append(block.text);
    }
  }
  // The rest is said by the program itself: that it was interrupted, what a hook wants.
  if (!line.is_replay || prompt.empty() || !parent_.empty()) return;
  turn.begin();
  emit(core::PromptTaken{.uuid = {}, .message = core::UserMessage(std::move(prompt))});
}

void ClaudeLinesDecoder::on_piece(Line& line, const Emit& emit) {
  const json parsed = read_json(line.all);
  const json event = parsed.value("event", json::object());
  if (!event.is_object()) return;
  const std::string type = text_at(event, "type");
  if (type == "message_start") {
    const json message = event.value("message", json::object());
    streamed_ = message.is_object() ? text_at(message, "id") : "";
    streamed_anything_ = false;
    if (std::string model = message.is_object() ? text_at(message, "model") : ""; !model.empty()) {
      flow_.set_model(std::move(model));
    }
    return;
  }
  if (type != "content_block_delta") return;
  const json delta = event.value("delta", json::object());
  if (!delta.is_object()) return;
  flow_.begin();
  const std::string text = text_at(delta, "text");
  const std::string thinking = text_at(delta, "thinking");
  flow_.text(text, streamed_, emit);
  flow_.thought(thinking, streamed_, emit);
  streamed_anything_ |= !text.empty() || !thinking.empty();
}

void ClaudeLinesDecoder::on_result(Line& line, const Emit& emit) {
  const json result = read_json(line.all);
  const auto turns = claude_count(result, "num_turns");
  std::vector<core::ToolCall> denials = read_claude_denials(result);
  subagents_.clear();
  flow_.end(read_claude_result(result), [&](core::Event event) {
    if (auto* done = std::get_if<core::TurnDone>(&event)) {
      if (turns > 0) done->num_turns = static_cast<int>(turns);
      if (!denials.empty()) done->denials = std::move(denials);
      // Older versions do not say which model used how much.
      if (done->by_model.empty() && !done->total.empty() && !flow_.model().empty()) {
        done->by_model[flow_.model()].usage = done->total;
      }
    }
    emit(std::move(event));
  });
}

void ClaudeLinesDecoder::finish(const StreamEnd& end, const Emit& emit) {
  parent_.clear();
  subagents_.clear();
  if (!flow_.is_open() && flow_.any_ended()) return;
  core::TurnDone done = cut_off_turn(end);
  flow_.end(std::move(done), emit);
}

}  // namespace yume::foreign
