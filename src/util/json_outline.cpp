// SPDX-License-Identifier: MIT
#include "util/json_outline.h"

#include <algorithm>
#include <utility>

namespace yume {
namespace {

// Longer than every key and id that is looked for; what is cut off matches nothing.
constexpr std::size_t k_longest = 256;

}  // namespace

void JsonOutline::feed(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    // Nearly all of a long line is one string that nobody looks at.
    const bool skips = in_string_ && !after_backslash_ && (!watched() || text_.size() > k_longest);
    if (skips) at = bytes.find_first_of("\"\\", at);
    if (at >= bytes.size()) return;
    const char c = bytes[at++];
    if (in_string_) {
      in_string(c);
    } else {
      between_strings(c);
    }
  }
}

void JsonOutline::in_string(char c) {
  const bool escaped = std::exchange(after_backslash_, false);
  if (!escaped && c == '"') {
    end_string();
    return;
  }
  if (!escaped && c == '\\') after_backslash_ = true;
  if (watched() && text_.size() <= k_longest) text_.push_back(c);
}

void JsonOutline::between_strings(char c) {
  switch (c) {
    case '"':
      in_string_ = true;
      text_.clear();
      break;
    case ':':
      is_value_ = true;
      text_.clear();
      break;
    case ',':
      end_scalar();
      break;
    case '{':
    case '[':
      is_value_ = false;
      ++depth_;
      if (depth_ == k_deepest) keys_[k_deepest - 1].clear();
      break;
    case '}':
    case ']':
      end_scalar();
      if (depth_ > 0) --depth_;
      break;
    case ' ':
    case '\t':
    case '\r':
      break;
    default:
      if (is_value_ && watched() && text_.size() <= k_longest) text_.push_back(c);
      break;
  }
}

void JsonOutline::end_string() {
  in_string_ = false;
  std::string text = std::exchange(text_, {});
  if (!watched() || text.size() > k_longest) {
    is_value_ = false;
    return;
  }
  if (is_value_) {
    keep_value('"' + text + '"');
  } else {
    keys_[depth_ - 1] = std::move(text);
  }
}

void JsonOutline::end_scalar() {
  const std::string text = std::exchange(text_, {});
  if (is_value_ && watched() && !text.empty() && text.size() <= k_longest) keep_value(text);
  is_value_ = false;
}

void JsonOutline::keep_value(std::string value) {
  is_value_ = false;
  const OutlineMember here{.object = depth_ == 1 ? std::string_view() : keys_[0],
                           .key = keys_[depth_ - 1]};
  const auto found = std::find(wanted_.begin(), wanted_.end(), here);
  if (found == wanted_.end()) return;
  values_[static_cast<std::size_t>(found - wanted_.begin())] = std::move(value);
}

std::string_view JsonOutline::value(const OutlineMember& member) const {
  const auto found = std::find(wanted_.begin(), wanted_.end(), member);
  if (found == wanted_.end()) return {};
  return values_[static_cast<std::size_t>(found - wanted_.begin())];
}

std::string_view JsonOutline::text(const OutlineMember& member) const {
  const std::string_view written = value(member);
  return written.starts_with('"') ? written.substr(1, written.size() - 2) : std::string_view();
}

}  // namespace yume
