// SPDX-License-Identifier: MIT
#include "protocol/overflow.h"

#include <utility>

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

FittedInput fit_input(const RawJson& input, std::size_t max_bytes) {
  RawJson whole;
  append_ascii_json(whole.text, input.text);
  if (whole.text.size() <= max_bytes) return {.shown = std::move(whole)};
  for (std::size_t longest = 100'000; longest > 10; longest /= 10) {
    RawJson cut{shorten_json_strings(whole.text, longest)};
    if (cut.text.size() <= max_bytes) return {.shown = std::move(cut), .is_whole = false};
  }
  RawJson note;
  JsonWriter(note.text)
      .begin_object()
      .field("left_out", std::to_string(whole.text.size()) + " bytes")
      .end_object();
  return {.shown = std::move(note), .is_whole = false};
}

}  // namespace yume::protocol
