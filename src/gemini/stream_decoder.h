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
#include "util/result.h"

namespace yume::gemini {

struct FunctionCall {
  std::optional<std::string> id;
  std::string name;
  std::string args;  // raw JSON object
};

enum class PartKind { text, thought, call, other };

struct Part {
  PartKind kind = PartKind::other;
  std::string text;   // text, thought
  FunctionCall call;  // call
  // The part verbatim, for everything that must go back as it came: calls, signed parts, unknown
  // kinds. Empty for plain text and thoughts.
  std::string raw;
};

enum class FinishReason {
  stop,
  max_tokens,
  blocked,         // safety and other filters: asking again with the same input is pointless
  malformed_call,  // the model's call could not be read by the server
  other,           // unspecified or unknown
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
