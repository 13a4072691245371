// SPDX-License-Identifier: MIT
// Why a reply ended, in the few classes that matter to the turn. The list of names grows on the
// server's side, so every name has a class.
#pragma once

#include <string_view>

namespace yume::gemini {

enum class FinishReason {
  stop,
  max_tokens,
  continuation,       // one hop of a long reply is over; its token asks for the next
  blocked,            // safety and other filters: asking again with the same input is pointless
  recitation,         // too close to known text; other words may pass
  malformed_call,     // the model's call could not be read by the server
  missing_signature,  // the history lost a signature
  other,              // unspecified or unknown: good when there is content
};

FinishReason finish_reason(std::string_view name);

}  // namespace yume::gemini
