// SPDX-License-Identifier: MIT
#include "protocol/overflow.h"

#include "util/json_io.h"

namespace yume::protocol {

std::string fit(std::string_view content, std::size_t max_bytes, std::string_view name,
                OverflowStore& store) {
  if (json_prefix(content, max_bytes).size() == content.size()) return std::string(content);
  constexpr std::size_t k_note_room = 5'000;  // a path can be 4,096 bytes long
  const std::string_view shown = json_prefix(content, max_bytes - k_note_room);
  const std::string where = store.keep(name, content);
  std::string text(shown);
  text += "\n\n[cut here: " + std::to_string(content.size() - shown.size()) + " of " +
          std::to_string(content.size()) + " bytes are not shown";
  text += where.empty() ? "]" : "; the whole text is in " + where + "]";
  return text;
}

}  // namespace yume::protocol
