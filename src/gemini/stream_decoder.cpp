// SPDX-License-Identifier: MIT
#include "gemini/stream_decoder.h"

#include "util/json_io.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

namespace yume::gemini {
namespace {

namespace od = simdjson::ondemand;

// simdjson reports errors as codes; inside this file they travel as this one exception-free type.
using Status = simdjson::error_code;
constexpr Status k_ok = simdjson::SUCCESS;

#define YUME_SIMD(expression)                               \
  if (const Status status = (expression); status != k_ok) { \
    return status;                                          \
  }

Status read_string(od::value value, std::string& out) {
  std::string_view view;
  YUME_SIMD(value.get_string().get(view));
  out.assign(view);
  return k_ok;
}

// Counts are never trusted: a missing, negative, fractional or impossibly large one is 0. Hosts
// read 32 bits, and sums must not overflow.
std::int64_t read_count(od::value value) {
  constexpr std::int64_t k_most = 0xFFFF'FFFF;
  std::int64_t count = 0;
  if (value.get_int64().get(count) != k_ok || count < 0 || count > k_most) return 0;
  return count;
}

Status read_usage(od::value value, Chunk& chunk) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  core::Usage usage;
  std::int64_t tool_prompt = 0;
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    const od::raw_json_string key = field.key();
    if (key == "promptTokenCount") {
      usage.prompt_tokens = read_count(field.value());
    } else if (key == "cachedContentTokenCount") {
      usage.cached_tokens = read_count(field.value());
    } else if (key == "candidatesTokenCount") {
      usage.output_tokens = read_count(field.value());
    } else if (key == "thoughtsTokenCount") {
      usage.thought_tokens = read_count(field.value());
    } else if (key == "toolUsePromptTokenCount") {
      tool_prompt = read_count(field.value());
    }
  }
  usage.prompt_tokens += tool_prompt;  // billed as input, but not part of promptTokenCount
  usage.cached_tokens = std::min(usage.cached_tokens, usage.prompt_tokens);
  if (!usage.empty())
    chunk.usage = usage;  // Vertex sends the traffic type alone in all but the last
  return k_ok;
}

Status read_call(od::value value, FunctionCall& call) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  call.args = "{}";
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    const od::raw_json_string key = field.key();
    if (key == "name") {
      YUME_SIMD(read_string(field.value(), call.name));
    } else if (key == "id") {
      std::string id;
      YUME_SIMD(read_string(field.value(), id));
      if (!id.empty()) call.id = std::move(id);
    } else if (key == "args") {
      od::object args;
      YUME_SIMD(field.value().get_object().get(args));
      std::string_view raw;
      YUME_SIMD(args.raw_json().get(raw));
      call.args.assign(raw);
    }
  }
  return call.name.empty() ? simdjson::NO_SUCH_FIELD : k_ok;
}

Status read_part(od::value value, Chunk& chunk) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  Part part;
  bool thought = false;
  bool is_signed = false;
  bool has_fields = false;
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    has_fields = true;
    const od::raw_json_string key = field.key();
    if (key == "text") {
      part.kind = PartKind::text;
      YUME_SIMD(read_string(field.value(), part.text));
    } else if (key == "thought") {
      YUME_SIMD(field.value().get_bool().get(thought));
    } else if (key == "thoughtSignature") {
      is_signed = true;
    } else if (key == "functionCall") {
      part.kind = PartKind::call;
      YUME_SIMD(read_call(field.value(), part.call));
    }
  }
  if (!has_fields) return k_ok;
  if (thought && part.kind == PartKind::text) part.kind = PartKind::thought;
  const bool plain = part.kind == PartKind::text || part.kind == PartKind::thought;
  if (is_signed || !plain) {
    YUME_SIMD(object.reset().error());
    std::string_view raw;
    YUME_SIMD(object.raw_json().get(raw));
    // On-demand parsing skips what it does not visit; what goes back to the server must be whole.
    if (!check_json(raw).ok()) return simdjson::TAPE_ERROR;
    append_ascii_json(part.raw, raw);
  }
  chunk.parts.push_back(std::move(part));
  return k_ok;
}

Status read_content(od::value value, Chunk& chunk) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    if (field.key() != "parts") continue;
    od::array parts;
    YUME_SIMD(field.value().get_array().get(parts));
    for (auto element : parts) {
      od::value part;
      YUME_SIMD(std::move(element).get(part));
      YUME_SIMD(read_part(part, chunk));
    }
  }
  return k_ok;
}

FinishReason finish_reason(std::string_view name) {
  constexpr std::array k_blocked = {
      "SAFETY",     "RECITATION",  "LANGUAGE",     "BLOCKLIST", "PROHIBITED_CONTENT",      "SPII",
      "ESCALATION", "MODEL_ARMOR", "IMAGE_SAFETY", "NO_IMAGE",  "IMAGE_PROHIBITED_CONTENT"};
  if (name == "STOP") return FinishReason::stop;
  if (name == "MAX_TOKENS") return FinishReason::max_tokens;
  if (name == "MALFORMED_FUNCTION_CALL" || name == "UNEXPECTED_TOOL_CALL" ||
      name == "MALFORMED_RESPONSE") {
    return FinishReason::malformed_call;
  }
  const bool blocked = std::find(k_blocked.begin(), k_blocked.end(), name) != k_blocked.end();
  return blocked ? FinishReason::blocked : FinishReason::other;
}

Status read_candidate(od::value value, Chunk& chunk) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  std::string reason;
  std::string message;
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    const od::raw_json_string key = field.key();
    if (key == "content") {
      YUME_SIMD(read_content(field.value(), chunk));
    } else if (key == "finishReason") {
      YUME_SIMD(read_string(field.value(), reason));
    } else if (key == "finishMessage") {
      YUME_SIMD(read_string(field.value(), message));
    }
  }
  if (!reason.empty()) {
    chunk.finish = Finish{finish_reason(reason), std::move(reason), std::move(message)};
  }
  return k_ok;
}

Status read_candidates(od::value value, Chunk& chunk) {
  od::array candidates;
  YUME_SIMD(value.get_array().get(candidates));
  for (auto element : candidates) {
    od::value candidate;
    YUME_SIMD(std::move(element).get(candidate));
    return read_candidate(candidate, chunk);  // we ask for one; others would be alternatives
  }
  return k_ok;
}

Status read_feedback(od::value value, Chunk& chunk) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    if (field.key() != "blockReason") continue;
    std::string reason;
    YUME_SIMD(read_string(field.value(), reason));
    if (reason.find("UNSPECIFIED") == std::string::npos) chunk.prompt_blocked = std::move(reason);
  }
  return k_ok;
}

Status read_chunk(od::document& document, std::string_view event, Chunk& chunk) {
  od::object object;
  YUME_SIMD(document.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    const od::raw_json_string key = field.key();
    if (key == "candidates") {
      YUME_SIMD(read_candidates(field.value(), chunk));
    } else if (key == "usageMetadata") {
      YUME_SIMD(read_usage(field.value(), chunk));
    } else if (key == "promptFeedback") {
      YUME_SIMD(read_feedback(field.value(), chunk));
    } else if (key == "error") {
      chunk.error = read_api_error(/*http_status=*/0, event);
      return k_ok;
    }
  }
  return k_ok;
}

#undef YUME_SIMD

}  // namespace

struct StreamDecoder::Parser {
  od::parser parser;
  std::string buffer;

  Status read(std::string_view event, Chunk& chunk) {
    buffer.reserve(event.size() + simdjson::SIMDJSON_PADDING);
    buffer.assign(event);
    od::document document;
    const Status status =
        parser.iterate(buffer.data(), buffer.size(), buffer.capacity()).get(document);
    return status == k_ok ? read_chunk(document, event, chunk) : status;
  }
};

StreamDecoder::StreamDecoder() : parser_(std::make_unique<Parser>()) {}
StreamDecoder::~StreamDecoder() = default;

Result<Chunk> StreamDecoder::decode(std::string_view event) {
  Chunk chunk;
  Status status = parser_->read(event, chunk);
  if (status == simdjson::UTF8_ERROR || status == simdjson::STRING_ERROR ||
      status == simdjson::TAPE_ERROR) {
    // Bytes that are not UTF-8 or a lone surrogate: replace them and read again. In a part that is
    // kept whole they show as TAPE_ERROR.
    std::string repaired;
    append_ascii_json(repaired, event);
    chunk = {};
    status = parser_->read(repaired, chunk);
  }
  if (status == k_ok) return chunk;
  return Error{.code = ErrorCode::protocol,
               .message = std::string("the server sent an event that is not a Gemini answer: ") +
                          simdjson::error_message(status)};
}

}  // namespace yume::gemini
