// SPDX-License-Identifier: MIT
// While one lives, the terminal hands over each key at once and does not show it. Ctrl-C and Ctrl-Z
// still are signals. A pasted text can come between marks, which tell its line ends from Enter.
#pragma once

#include <memory>
#include <string_view>

namespace yume::platform {

class RawTyping {
 public:
  virtual ~RawTyping() = default;  // the terminal is as it was before
};

enum class Pastes { as_typed, marked };
inline constexpr std::string_view k_paste_begins = "\x1b[200~";
inline constexpr std::string_view k_paste_ends = "\x1b[201~";

// nullptr where stdin is no terminal. Pastes are marked only by terminals that can do that.
std::unique_ptr<RawTyping> begin_raw_typing(Pastes pastes = Pastes::as_typed);

}  // namespace yume::platform
