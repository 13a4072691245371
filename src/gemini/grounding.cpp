// SPDX-License-Identifier: MIT
#include "gemini/grounding.h"

#include <algorithm>
#include <map>
#include <set>

namespace yume::gemini {
namespace {

// Where the stretch ends in the text we have. The server counts bytes, but of the text as it came;
// what does not fit there is looked for.
std::size_t end_of(std::string_view text, const GroundingSupport& support) {
  const std::size_t length = support.text.size();
  if (length == 0) return support.end <= text.size() ? support.end : std::string_view::npos;
  if (support.end >= length && support.end <= text.size() &&
      text.substr(support.end - length, length) == support.text) {
    return support.end;
  }
  const std::size_t found = text.find(support.text);
  return found == std::string_view::npos ? found : found + length;
}

// Not inside a character.
bool is_border(std::string_view text, std::size_t at) {
  return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

}  // namespace

std::string with_marks(std::string_view text, const std::vector<GroundingSupport>& supports,
                       const std::vector<std::size_t>& numbers) {
  std::map<std::size_t, std::set<std::size_t>> marks;  // by place
  for (const GroundingSupport& support : supports) {
    const std::size_t end = end_of(text, support);
    if (end == std::string_view::npos || !is_border(text, end)) continue;
    for (const std::size_t source : support.sources) {
      if (source < numbers.size() && numbers[source] > 0) marks[end].insert(numbers[source]);
    }
  }
  std::string out;
  std::size_t done = 0;
  for (const auto& [place, shown] : marks) {
    out.append(text.substr(done, place - done));
    for (const std::size_t number : shown) out += "[" + std::to_string(number) + "]";
    done = place;
  }
  return out.append(text.substr(done));
}

}  // namespace yume::gemini
