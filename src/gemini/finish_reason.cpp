// SPDX-License-Identifier: MIT
#include "gemini/finish_reason.h"

#include <array>
#include <utility>

namespace yume::gemini {

FinishReason finish_reason(std::string_view name) {
  using enum FinishReason;
  constexpr std::array<std::pair<std::string_view, FinishReason>, 21> k_reasons = {{
      {"STOP", stop},
      {"MAX_TOKENS", max_tokens},
      {"CONTINUATION", continuation},
      {"SAFETY", blocked},
      {"LANGUAGE", blocked},
      {"BLOCKLIST", blocked},
      {"PROHIBITED_CONTENT", blocked},
      {"SPII", blocked},
      {"ESCALATION", blocked},
      {"MODEL_ARMOR", blocked},
      {"IMAGE_SAFETY", blocked},
      {"IMAGE_PROHIBITED_CONTENT", blocked},
      {"IMAGE_RECITATION", blocked},
      {"IMAGE_OTHER", blocked},
      {"NO_IMAGE", blocked},
      {"RECITATION", recitation},
      {"MALFORMED_FUNCTION_CALL", malformed_call},
      {"UNEXPECTED_TOOL_CALL", malformed_call},
      {"MALFORMED_RESPONSE", malformed_call},
      {"MISSING_THOUGHT_SIGNATURE", missing_signature},
      // TOO_MANY_TOOL_CALLS, OTHER, FINISH_REASON_UNSPECIFIED and names of the future
      {"OTHER", other},
  }};
  for (const auto& [known, reason] : k_reasons) {
    if (known == name) return reason;
  }
  return other;
}

}  // namespace yume::gemini
