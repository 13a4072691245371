// SPDX-License-Identifier: MIT
// One event of a streamed reply, from JSON to values. Pure: no state between chunks, every level of
// nesting may be missing. What the values mean for the turn is decided elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/usage.h"
#include "gemini/api_error.h"
#include "gemini/finish_reason.h"
#include "gemini/grounding.h"
#include "gemini/partial_args.h"
#include "util/result.h"

namespace yume::gemini {

struct FunctionCall {
  std::optional<std::string> id;
  std::string name;
  std::string args;  // raw JSON object
};

// A call whose arguments are streamed: the first piece has the name, the last no `will_continue`.
struct CallPiece {
  std::optional<std::string> id;
  std::string name;  // empty: more of the call that is open
  std::vector<PartialArg> args;
  bool will_continue = false;
  std::string signature;  // of the first piece
};

enum class PartKind { text, thought, call, call_piece, other };

struct Part {
  PartKind kind = PartKind::other;
  std::string text;        // text, thought
  FunctionCall call = {};  // call
  CallPiece piece = {};    // call_piece
  bool is_signed = false;  // carries a thought signature
  // The part verbatim, for everything that must go back as it came: calls, signed parts, unknown
  // kinds. Empty for plain text and thoughts.
  std::string raw = {};
};

struct Finish {
  FinishReason reason = FinishReason::other;
  std::string name;     // as the server spelled it
  std::string message;  // its detail text, may be empty
};

struct Chunk {
  std::vector<Part> parts;
  std::optional<core::Usage> usage;
  std::optional<Finish> finish;
  std::optional<std::string> prompt_blocked;  // block reason: there will be no candidate
  std::optional<std::string> continuation;    // base64, to be sent back as it is
  std::optional<std::string> model_notice;    // the server says that the model is on its way out
  std::optional<Grounding> grounding;         // of all text so far
  std::optional<ApiError> error;              // an error object in the stream
};

class StreamDecoder {
 public:
  StreamDecoder();
  ~StreamDecoder();

  // protocol error when the event is not a JSON object of the expected kind.
  Result<Chunk> decode(std::string_view event);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;  // reused buffers
};

}  // namespace yume::gemini
