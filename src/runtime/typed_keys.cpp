// SPDX-License-Identifier: MIT
#include "runtime/typed_keys.h"

#include "platform/raw_typing.h"

#include <algorithm>
#include <utility>

namespace yume::runtime {
namespace {

constexpr char k_escape = '\x1b';
constexpr char k_backspace = '\x7f';
constexpr char k_other_backspace = '\b';
constexpr char k_forget_line = '\x15';  // Ctrl-U
constexpr std::size_t k_longest = 16U << 20U;
constexpr std::size_t k_longest_code = 32;

void remove_last_character(std::string& text) {
  while (!text.empty()) {
    const bool continues = (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U;
    text.pop_back();
    if (!continues) return;
  }
}

// Terminals send \r for a line end, and some \r\n.
void add_paste(std::string_view paste, std::string& begun) {
  for (std::size_t at = 0; at < paste.size() && begun.size() < k_longest; ++at) {
    const char key = paste[at];
    const bool printable = static_cast<unsigned char>(key) >= 0x20 && key != k_backspace;
    if (key == '\r') {
      begun += '\n';
    } else if (key == '\n') {
      if (at == 0 || paste[at - 1] != '\r') begun += '\n';
    } else if (printable || key == '\t') {
      begun += key;
    }
  }
}

}  // namespace

std::vector<std::string> TypedKeys::take(std::string_view bytes, std::string& begun) {
  std::vector<std::string> lines;
  keys_ += bytes;
  for (;;) {
    if (pasting_) {
      if (!take_paste(begun)) return lines;
      continue;
    }
    const std::size_t plain = std::min(keys_.find(k_escape), keys_.size());
    for (const char key : std::string_view(keys_).substr(0, plain)) take_key(key, begun, lines);
    keys_.erase(0, plain);
    const std::size_t length = length_of_code();
    if (length == 0) return lines;
    pasting_ = std::string_view(keys_).substr(0, length) == platform::k_paste_begins;
    keys_.erase(0, length);
  }
}

std::string TypedKeys::take_unfinished() {
  std::string rest;
  if (pasting_) rest = std::string(platform::k_paste_begins) + keys_;
  keys_.clear();
  pasting_ = false;
  return rest;
}

void TypedKeys::take_key(char key, std::string& begun, std::vector<std::string>& lines) {
  if (key == '\n' || key == '\r') {
    lines.push_back(std::exchange(begun, {}));
  } else if (key == k_backspace || key == k_other_backspace) {
    remove_last_character(begun);
  } else if (key == k_forget_line) {
    begun.clear();
  } else if ((static_cast<unsigned char>(key) >= 0x20 || key == '\t') && begun.size() < k_longest) {
    begun += key;
  }
}

// ESC [ ... letter, ESC O letter, or ESC and a key; a code that never ends is none.
std::size_t TypedKeys::length_of_code() const {
  if (keys_.size() < 2) return 0;
  if (keys_[1] == 'O') return keys_.size() < 3 ? 0 : 3;
  if (keys_[1] != '[') return 2;
  for (std::size_t at = 2; at < std::min(keys_.size(), k_longest_code); ++at) {
    if (keys_[at] >= '@' && keys_[at] <= '~') return at + 1;
  }
  return keys_.size() < k_longest_code ? 0 : k_longest_code;
}

// False: its end has not come.
bool TypedKeys::take_paste(std::string& begun) {
  const std::size_t end = keys_.find(platform::k_paste_ends);
  if (end != std::string::npos) {
    add_paste(std::string_view(keys_).substr(0, end), begun);
    keys_.erase(0, end + platform::k_paste_ends.size());
    pasting_ = false;
    return true;
  }
  // A line end, and the mark, may be cut in two.
  const std::size_t held = platform::k_paste_ends.size() + 1;
  if (keys_.size() <= held) return false;
  std::size_t ready = keys_.size() - held;
  if (keys_[ready - 1] == '\r') --ready;
  add_paste(std::string_view(keys_).substr(0, ready), begun);
  keys_.erase(0, ready);
  return false;
}

}  // namespace yume::runtime
