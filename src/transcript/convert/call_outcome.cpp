// SPDX-License-Identifier: MIT
#include "transcript/convert/call_outcome.h"

#include <utility>

namespace yume::transcript {
namespace {

constexpr std::string_view k_open = "<untrusted_context>";
constexpr std::string_view k_close = "</untrusted_context>";

}  // namespace

std::string without_wrapper(std::string text) {
  if (!text.starts_with(k_open)) return text;
  text.erase(0, k_open.size());
  if (const std::size_t close = text.rfind(k_close); close != std::string::npos) {
    text.resize(close);
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  }
  const std::size_t from = text.find_first_not_of("\r\n");
  return from == std::string::npos ? "" : text.substr(from);
}

CallResult outcome_of(const SaidCall& call) {
  CallResult result = call.result.value_or(CallResult{});
  result.text = without_wrapper(std::move(result.text));
  const bool finished = call.status == "success" || (call.status.empty() && call.result);
  if (finished && call.result) return result;
  result.is_error = true;
  const bool says_nothing = result.text.empty() && result.media.empty();
  if (!says_nothing || (call.status == "error" && call.result)) return result;
  result.text = call.status == "cancelled" ? "[cancelled by user]" : "[interrupted]";
  return result;
}

}  // namespace yume::transcript
