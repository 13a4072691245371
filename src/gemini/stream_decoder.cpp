// SPDX-License-Identifier: MIT
#include "gemini/stream_decoder.h"

#include "gemini/finish_reason.h"
#include "gemini/grounding_reader.h"
#include "util/json_io.h"
#include "util/json_walk.h"

#include <algorithm>
#include <utility>

namespace yume::gemini {
namespace {

using json_walk::each_element;
using json_walk::each_member;
using json_walk::is_null;
using json_walk::k_ok;
using json_walk::read_string;
using json_walk::Status;
namespace od = json_walk::od;

// Counts are never trusted: a missing, negative, fractional or impossibly large one is 0. Hosts
// read 32 bits, and sums must not overflow.
std::int64_t read_count(od::value value) {
  constexpr std::int64_t k_most = 0xFFFF'FFFF;
  std::int64_t count = 0;
  if (value.get_int64().get(count) != k_ok || count < 0 || count > k_most) return 0;
  return count;
}

Status read_usage(od::value value, Chunk& chunk) {
  core::Usage usage;
  std::int64_t tool_prompt = 0;
  const Status members =
      each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
        if (key == "promptTokenCount") {
          usage.prompt_tokens = read_count(member);
        } else if (key == "cachedContentTokenCount") {
          usage.cached_tokens = read_count(member);
        } else if (key == "candidatesTokenCount") {
          usage.output_tokens = read_count(member);
        } else if (key == "thoughtsTokenCount") {
          usage.thought_tokens = read_count(member);
        } else if (key == "toolUsePromptTokenCount") {
          tool_prompt = read_count(member);
        }
        return k_ok;
      });
  if (members != k_ok) return members;
  usage.prompt_tokens += tool_prompt;  // billed as input, but not part of promptTokenCount
  usage.cached_tokens = std::min(usage.cached_tokens, usage.prompt_tokens);
  if (!usage.empty())
    chunk.usage = usage;  // Vertex sends the traffic type alone in all but the last
  return k_ok;
}

// A value of a streamed argument; which of the fields is there tells its type.
Status read_partial_arg(od::value value, PartialArg& arg) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    const od::raw_json_string key = field.key();
    if (key == "nullValue") {
      arg.value = nullptr;
    } else if (is_null(field)) {
      continue;
    } else if (key == "jsonPath") {
      YUME_SIMD(read_string(field.value(), arg.path));
    } else if (key == "stringValue") {
      std::string text;
      YUME_SIMD(read_string(field.value(), text));
      arg.value = std::move(text);
    } else if (key == "numberValue") {
      const std::string_view raw = field.value().raw_json_token();
      arg.value = NumberText{std::string(raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1))};
    } else if (key == "boolValue") {
      bool flag = false;
      YUME_SIMD(field.value().get_bool().get(flag));
      arg.value = flag;
    } else if (key == "willContinue") {
      YUME_SIMD(field.value().get_bool().get(arg.will_continue));
    }
  }
  return k_ok;
}

Status read_partial_args(od::value value, CallPiece& piece) {
  return each_element(
      value, [&](od::value one) { return read_partial_arg(one, piece.args.emplace_back()); });
}

// A call is whole when it has a name and either its arguments or none to wait for.
Status read_call(od::value value, Part& part) {
  FunctionCall call;
  CallPiece piece;
  const Status members =
      each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
        if (key == "name") {
          YUME_SIMD(read_string(member, call.name));
        } else if (key == "id") {
          std::string id;
          YUME_SIMD(read_string(member, id));
          if (!id.empty()) call.id = std::move(id);
        } else if (key == "args") {
          od::object args;
          YUME_SIMD(member.get_object().get(args));
          std::string_view raw;
          YUME_SIMD(args.raw_json().get(raw));
          call.args.assign(raw);
        } else if (key == "partialArgs") {
          YUME_SIMD(read_partial_args(member, piece));
        } else if (key == "willContinue") {
          YUME_SIMD(member.get_bool().get(piece.will_continue));
        }
        return k_ok;
      });
  if (members != k_ok) return members;
  if (call.name.empty() && !call.args.empty()) return simdjson::NO_SUCH_FIELD;
  const bool whole =
      !call.name.empty() && (!call.args.empty() || (piece.args.empty() && !piece.will_continue));
  if (whole) {
    part.kind = PartKind::call;
    if (call.args.empty()) call.args = "{}";
    part.call = std::move(call);
  } else {
    part.kind = PartKind::call_piece;
    piece.id = std::move(call.id);
    piece.name = std::move(call.name);
    part.piece = std::move(piece);
  }
  return k_ok;
}

// The part verbatim, for the history.
Status keep_raw(od::object& object, Part& part) {
  YUME_SIMD(object.reset().error());
  std::string_view raw;
  YUME_SIMD(object.raw_json().get(raw));
  // On-demand parsing skips what it does not visit; what goes back to the server must be whole.
  if (!check_json(raw).ok()) return simdjson::TAPE_ERROR;
  append_ascii_json(part.raw, raw);
  return k_ok;
}

Status read_part(od::value value, Chunk& chunk) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  Part part;
  bool thought = false;
  int fields = 0;
  std::string signature;
  const Status members =
      each_member(object, [&](od::raw_json_string key, od::value member) -> Status {
        ++fields;
        if (key == "text") {
          part.kind = PartKind::text;
          YUME_SIMD(read_string(member, part.text));
        } else if (key == "thought") {
          YUME_SIMD(member.get_bool().get(thought));
        } else if (key == "thoughtSignature") {
          part.is_signed = true;
          YUME_SIMD(read_string(member, signature));
        } else if (key == "functionCall") {
          YUME_SIMD(read_call(member, part));
        }
        return k_ok;
      });
  if (members != k_ok) return members;
  if (fields == 0) return k_ok;
  if (part.kind == PartKind::other && !signature.empty() && fields == 1) {
    // The server takes no part without data, only empty text.
    part.kind = PartKind::text;
    JsonWriter(part.raw)
        .begin_object()
        .field("text", "")
        .field("thoughtSignature", signature)
        .end_object();
    chunk.parts.push_back(std::move(part));
    return k_ok;
  }
  if (thought && part.kind == PartKind::text) part.kind = PartKind::thought;
  const bool plain = part.kind == PartKind::text || part.kind == PartKind::thought;
  if (part.kind == PartKind::call_piece) {
    part.piece.signature = std::move(signature);
  } else if (part.is_signed || !plain) {
    YUME_SIMD(keep_raw(object, part));
  }
  chunk.parts.push_back(std::move(part));
  return k_ok;
}

Status read_content(od::value value, Chunk& chunk) {
  return each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
    if (key != "parts") return k_ok;
    return each_element(member, [&](od::value part) { return read_part(part, chunk); });
  });
}

Status read_candidate(od::value value, Chunk& chunk) {
  std::string reason;
  std::string message;
  const Status members =
      each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
        if (key == "content") {
          YUME_SIMD(read_content(member, chunk));
        } else if (key == "finishReason") {
          YUME_SIMD(read_string(member, reason));
        } else if (key == "finishMessage") {
          YUME_SIMD(read_string(member, message));
        } else if (key == "continuationToken") {
          std::string token;
          YUME_SIMD(read_string(member, token));
          if (!token.empty()) chunk.continuation = std::move(token);
        } else if (key == "groundingMetadata") {
          Grounding grounding;
          YUME_SIMD(read_grounding(member, grounding));
          chunk.grounding = std::move(grounding);
        }
        return k_ok;
      });
  if (members != k_ok) return members;
  if (!reason.empty()) {
    const FinishReason kind = finish_reason(reason);
    chunk.finish = Finish{kind, std::move(reason), std::move(message)};
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
  return each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
    if (key != "blockReason") return k_ok;
    std::string reason;
    YUME_SIMD(read_string(member, reason));
    if (reason.find("UNSPECIFIED") == std::string::npos) chunk.prompt_blocked = std::move(reason);
    return k_ok;
  });
}

// Only the stages that end; the others are nobody's concern.
Status read_model_status(od::value value, Chunk& chunk) {
  std::string stage;
  std::string message;
  const Status members =
      each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
        if (key == "modelStage") {
          YUME_SIMD(read_string(member, stage));
        } else if (key == "message") {
          YUME_SIMD(read_string(member, message));
        }
        return k_ok;
      });
  if (members != k_ok) return members;
  if (stage == "LEGACY" || stage == "DEPRECATED" || stage == "RETIRED") {
    chunk.model_notice =
        "the model is marked as " + stage + (message.empty() ? "" : ": " + message);
  }
  return k_ok;
}

Status read_chunk(od::document& document, std::string_view event, Chunk& chunk) {
  od::object object;
  YUME_SIMD(document.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    if (is_null(field)) continue;
    const od::raw_json_string key = field.key();
    if (key == "candidates") {
      YUME_SIMD(read_candidates(field.value(), chunk));
    } else if (key == "usageMetadata") {
      YUME_SIMD(read_usage(field.value(), chunk));
    } else if (key == "promptFeedback") {
      YUME_SIMD(read_feedback(field.value(), chunk));
    } else if (key == "modelStatus") {
      YUME_SIMD(read_model_status(field.value(), chunk));
    } else if (key == "error") {
      chunk.error = read_api_error(/*http_status=*/0, event);
      return k_ok;
    }
  }
  return k_ok;
}

}  // namespace

struct StreamDecoder::Parser {
  od::parser parser;
  std::string buffer;

  Status read(std::string_view event, Chunk& chunk) {
    buffer.reserve(event.size() + simdjson::SIMDJSON_PADDING);
    buffer.assign(event);
    od::document document;
    const Status status = json_walk::with_memory(
        parser.iterate(buffer.data(), buffer.size(), buffer.capacity()).get(document));
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
