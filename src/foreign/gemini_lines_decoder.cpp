// SPDX-License-Identifier: MIT
#include "foreign/gemini_lines_decoder.h"

#include "core/gemini_cli_input.h"
#include "foreign/failure_words.h"
#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/json_walk.h"

#include <algorithm>
#include <utility>

namespace yume::foreign {
namespace {

using json_walk::k_ok;
using json_walk::Status;
using nlohmann::json;
namespace od = json_walk::od;

constexpr std::string_view k_blank = " \t\r\n";
constexpr std::string_view k_nothing_said = "the Gemini CLI ended the turn with an error";

std::int64_t count_at(const json& object, const char* key) {
  constexpr std::int64_t k_most = 0xFFFF'FFFF;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return 0;
  return std::clamp<std::int64_t>(found->get<std::int64_t>(), 0, k_most);
}

core::Usage usage_of(const json& stats) {
  const std::int64_t input = count_at(stats, "input_tokens");
  const std::int64_t output = count_at(stats, "output_tokens");
  return {.prompt_tokens = input,
          .cached_tokens = std::min(count_at(stats, "cached"), input),
          .output_tokens = output,
          // The only trace that the lines have of them.
          .thought_tokens =
              std::max<std::int64_t>(0, count_at(stats, "total_tokens") - input - output)};
}

void read_stats(const json& stats, const std::string& model, core::TurnDone& done) {
  if (!stats.is_object()) return;
  done.total = usage_of(stats);
  done.duration = std::chrono::milliseconds(count_at(stats, "duration_ms"));
  const auto models = stats.find("models");
  if (models != stats.end() && models->is_object()) {
    for (const auto& [name, counts] : models->items()) {
      if (counts.is_object()) done.by_model[name].usage = usage_of(counts);
    }
  } else if (!done.total.empty() && !model.empty()) {
    done.by_model[model].usage = done.total;
  }
}

// How the official CLI names the errors that end it, and what it repeats of the API's.
void read_failure(const std::string& type, core::TurnDone& done) {
  const FailureGuess guess = guess_failure(type + ": " + done.text);
  done.outcome = core::TurnOutcome::failed;
  done.failure = guess.kind;
  done.http_status = guess.http_status;
  if (type == "FatalTurnLimitedError") {
    done.outcome = core::TurnOutcome::max_turns;
    done.stop = core::StopReason::tool_use;
    done.failure = core::FailureKind::none;
  } else if (type == "FatalCancellationError") {
    done.outcome = core::TurnOutcome::interrupted;
    done.stop = core::StopReason::aborted;
    done.failure = core::FailureKind::none;
  }
}

// "read_file__call_1" and "read_file_1712345678901_0".
std::string tool_in(std::string_view id) {
  std::size_t end = id.find("__");
  if (end == std::string_view::npos) end = id.find('-');
  if (end == std::string_view::npos || end == 0) return "unknown";
  return std::string(id.substr(0, end));
}

}  // namespace

struct GeminiLinesDecoder::Line {
  std::string type;
  std::string session_id;
  std::string model;
  std::string role;
  std::string content;
  std::string name;  // of a tool
  std::string id;
  std::string parameters = "{}";
  std::string status;
  std::string output;
  std::string error;  // an object, as JSON
  std::string severity;
  std::string message;
  std::string stats;  // an object, as JSON
};

struct GeminiLinesDecoder::Parser {
  // False: it is no JSON object.
  bool read(std::string_view text, Line& line);

 private:
  Status read_members(std::string_view text, Line& line);
  Status read_member(od::field& field, Line& line);
  static std::string* text_member(od::raw_json_string key, Line& line);

  od::parser parser_;
  std::string copy_;
};

namespace {

Status raw_text(od::value value, std::string& out) {
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

// A string, the text of an object that has one, else the value as it is written.
Status any_text(od::value value, std::string& out) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  if (type == od::json_type::string) return json_walk::read_string(value, out);
  YUME_SIMD(raw_text(value, out));
  if (type == od::json_type::null) out.clear();
  if (type != od::json_type::object) return k_ok;
  const json object = read_json(out);
  if (object.is_object() && object.contains("text")) out = text_at(object, "text");
  return k_ok;
}

}  // namespace

std::string* GeminiLinesDecoder::Parser::text_member(od::raw_json_string key, Line& line) {
  if (key == "type") return &line.type;
  if (key == "content") return &line.content;
  if (key == "role") return &line.role;
  if (key == "tool_id" || key == "id" || key == "tool_use_id") return &line.id;
  if (key == "tool_name" || key == "name") return &line.name;
  if (key == "status") return &line.status;
  if (key == "output") return &line.output;
  if (key == "session_id" || key == "sessionId") return &line.session_id;
  if (key == "model") return &line.model;
  if (key == "severity") return &line.severity;
  if (key == "message") return &line.message;
  return nullptr;
}

Status GeminiLinesDecoder::Parser::read_member(od::field& field, Line& line) {
  const od::raw_json_string key = field.key();
  if (std::string* text = text_member(key, line)) {
    std::string value;
    YUME_SIMD(any_text(field.value(), value));
    // Of two spellings the one that says something.
    if (!value.empty()) *text = std::move(value);
    return k_ok;
  }
  std::string value;
  YUME_SIMD(raw_text(field.value(), value));
  if (value == "null") return k_ok;
  if (key == "parameters" || key == "input" || key == "args") line.parameters = std::move(value);
  if (key == "error") line.error = std::move(value);
  if (key == "stats") line.stats = std::move(value);
  return k_ok;
}

Status GeminiLinesDecoder::Parser::read_members(std::string_view text, Line& line) {
  copy_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  copy_.assign(text);
  od::document document;
  YUME_SIMD(json_walk::with_memory(
      parser_.iterate(simdjson::padded_string_view(copy_.data(), copy_.size(), copy_.capacity()))
          .get(document)));
  od::object object;
  YUME_SIMD(document.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    YUME_SIMD(read_member(field, line));
  }
  const char* rest = nullptr;
  const bool at_end = document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
  return at_end ? k_ok : simdjson::TRAILING_CONTENT;
}

// What one character breaks must not cost the whole line.
bool GeminiLinesDecoder::Parser::read(std::string_view text, Line& line) {
  if (read_members(text, line) == k_ok) return true;
  line = {};
  std::string mended;
  append_ascii_json(mended, text);
  return check_json(mended).ok() && read_members(mended, line) == k_ok;
}

GeminiLinesDecoder::GeminiLinesDecoder(DecoderOptions options)
    : words_(options.words), parser_(std::make_unique<Parser>()), flow_(std::move(options)) {}

GeminiLinesDecoder::~GeminiLinesDecoder() = default;

std::optional<BadLine> GeminiLinesDecoder::feed(std::string_view text, const Emit& emit) {
  if (text.find_first_not_of(k_blank) == std::string_view::npos) return std::nullopt;
  Line line;
  if (!parser_->read(text, line)) return bad_line(text);
  take(line, emit);
  return std::nullopt;
}

void GeminiLinesDecoder::take(Line& line, const Emit& emit) {
  if (line.type != "tool_result" && !waiting_.empty()) release_results(emit);
  if (line.type == "message") {
    on_message(line, emit);
  } else if (line.type == "tool_use") {
    on_tool_use(line, emit);
  } else if (line.type == "tool_result") {
    on_tool_result(line, emit);
  } else if (line.type == "error") {
    on_error(line, emit);
  } else if (line.type == "init") {
    on_init(line, emit);
  } else if (line.type == "result") {
    on_result(line, emit);
  }
}

void GeminiLinesDecoder::on_init(Line& line, const Emit& emit) {
  // Two runs one after the other, of which the first broke off.
  if (flow_.is_open()) finish({}, emit);
  session_id_ = line.session_id;
  flow_.set_model(line.model);
  flow_.begin();
  emit(core::SessionStarted{.session_id = std::move(line.session_id),
                            .model = std::move(line.model),
                            .cwd = {},
                            .tools = {},
                            .credential_source = {}});
}

void GeminiLinesDecoder::on_message(Line& line, const Emit& emit) {
  flow_.begin();
  if (line.role == "user") {
    emit(core::PromptTaken{.uuid = {}, .message = core::UserMessage(std::move(line.content))});
  } else {
    flow_.text(line.content, {}, emit);
  }
}

void GeminiLinesDecoder::on_tool_use(Line& line, const Emit& emit) {
  core::ToolCall call{.id = {}, .name = std::move(line.name), .input = {"{}"}};
  if (words_ == CallWords::as_given) {
    call.input.text = std::move(line.parameters);
  } else if (check_json(line.parameters).ok()) {
    core::MappedCall mapped =
        core::map_gemini_cli_call(call.name, read_ordered_json(line.parameters));
    call = {.id = {}, .name = std::move(mapped.name), .input = {write_json(mapped.input)}};
  }
  if (!check_json(call.input.text).ok()) call.input.text = "{}";
  if (call.name.empty()) call.name = tool_in(line.id);
  flow_.call(line.id, std::move(call), emit);
}

void GeminiLinesDecoder::on_tool_result(Line& line, const Emit& emit) {
  if (flow_.open_call(line.id) == nullptr) {
    // Whose call was not said: a line that could not be read, or a call that was never announced.
    Line call;
    call.name = tool_in(line.id);
    call.id = line.id;
    on_tool_use(call, emit);
  }
  const json error = line.error.empty() ? json() : read_json(line.error);
  std::string type;
  std::string why;
  if (error.is_object()) {
    type = text_at(error, "type");
    why = text_at(error, "message");
  } else if (error.is_string()) {
    why = error.get<std::string>();
  }
  const bool failed = line.status.empty() ? !line.error.empty() : line.status != "success";
  if (failed && type == "policy_violation") {
    release_results(emit);
    return flow_.refused(line.id, why.empty() ? line.output : why, TurnFlow::Refused::unasked,
                         emit);
  }
  core::ToolOutcome outcome{.is_error = failed, .content = std::move(line.output), .details = {}};
  if (failed && !why.empty()) outcome.content = std::move(why);
  const bool complete = failed || !complete_ || complete_(line.id, outcome);
  if (complete && waiting_.empty()) return flow_.result(line.id, std::move(outcome), emit);
  waiting_.push_back({.tool_id = std::move(line.id), .outcome = std::move(outcome)});
}

void GeminiLinesDecoder::release_results(const Emit& emit) {
  for (WaitingResult& result : std::exchange(waiting_, {})) {
    if (!result.outcome.is_error) complete_(result.tool_id, result.outcome);
    flow_.result(result.tool_id, std::move(result.outcome), emit);
  }
}

void GeminiLinesDecoder::on_error(Line& line, const Emit& emit) {
  flow_.begin();
  if (line.message.empty() && !line.error.empty()) {
    const json error = read_json(line.error);
    line.message = error.is_object() ? text_at(error, "message") : line.error;
  }
  if (line.severity != "warning") last_error_ = line.message;
  emit(core::Notice{std::move(line.message)});
}

void GeminiLinesDecoder::on_result(Line& line, const Emit& emit) {
  core::TurnDone done;
  read_stats(line.stats.empty() ? json() : read_json(line.stats), flow_.model(), done);
  if (line.status != "success") {
    const json error = line.error.empty() ? json() : read_json(line.error);
    std::string type;
    if (error.is_object()) {
      type = text_at(error, "type");
      done.text = text_at(error, "message");
    } else if (error.is_string()) {
      done.text = error.get<std::string>();
    }
    if (done.text.empty()) done.text = last_error_;
    if (done.text.empty()) done.text = std::string(k_nothing_said);
    read_failure(type, done);
  }
  last_error_.clear();
  flow_.end(std::move(done), emit);
}

void GeminiLinesDecoder::finish(const StreamEnd& end, const Emit& emit) {
  release_results(emit);
  if (!flow_.is_open() && flow_.any_ended()) return;
  core::TurnDone done = cut_off_turn(end);
  if (end.outcome == core::TurnOutcome::failed && !last_error_.empty()) {
    done.text += " (" + last_error_ + ")";
  }
  last_error_.clear();
  flow_.end(std::move(done), emit);
}

}  // namespace yume::foreign
