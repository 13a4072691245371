// SPDX-License-Identifier: MIT
#include "tools/search/class_reader.h"

#include <algorithm>
#include <utility>

namespace yume::tools::search {
namespace {

constexpr std::size_t k_ascii = 128;

std::size_t index(char c) {
  return static_cast<unsigned char>(c);
}

ByteSet range(char first, char last) {
  ByteSet bytes;
  for (std::size_t byte = index(first); byte <= index(last); ++byte) bytes.set(byte);
  return bytes;
}

ByteSet beyond_ascii() {
  ByteSet bytes;
  for (std::size_t byte = k_ascii; byte < bytes.size(); ++byte) bytes.set(byte);
  return bytes;
}

ByteSet word() {
  return range('a', 'z') | range('A', 'Z') | range('0', '9') | range('_', '_');
}

ByteSet space() {
  return range('\t', '\r') | range(' ', ' ');
}

bool has_any(const ByteSet& bytes, const ByteSet& others) {
  return (bytes & others).any();
}

Atom make_atom(ByteSet bytes) {
  bytes.reset(index('\n'));
  const bool longer = has_any(bytes, beyond_ascii());
  return Atom{.bytes = {bytes}, .is_whole = !longer};
}

// The items between the brackets.
class Items {
 public:
  Items(std::string_view pattern, std::size_t& at) : pattern_(pattern), at_(at) {}

  void read() {
    for (bool first = true; at_ < pattern_.size() && (first || pattern_[at_] != ']');
         first = false) {
      read_one();
    }
  }

  ByteSet bytes;
  bool understood = true;

 private:
  void read_one() {
    if (pattern_.substr(at_).starts_with("[:")) {
      const std::size_t end = pattern_.find(":]", at_ + 2);
      understood = false;
      at_ = end == std::string_view::npos ? at_ + 1 : end + 2;
      return;
    }
    const std::optional<char> first = one();
    if (!first) return;
    const bool is_range =
        at_ + 1 < pattern_.size() && pattern_[at_] == '-' && pattern_[at_ + 1] != ']';
    if (!is_range) {
      bytes.set(index(*first));
      return;
    }
    ++at_;
    const std::optional<char> last = one();
    if (last) {
      bytes |= range(*first, *last);
    } else {
      understood = false;  // it ends beyond ASCII, or is a mistake
    }
  }

  // The next character; nothing when it stands for several or is beyond ASCII.
  std::optional<char> one() {
    const char c = pattern_[at_++];
    if (index(c) >= k_ascii) {
      bytes |= beyond_ascii();
      return std::nullopt;
    }
    if (c != '\\') return c;
    if (at_ >= pattern_.size()) {
      understood = false;
      return std::nullopt;
    }
    const char escaped = pattern_[at_++];
    if (const auto several = perl_class(escaped)) {
      bytes |= several->bytes.front();
      return std::nullopt;
    }
    if (escaped == 't') return '\t';
    const bool is_plain = escaped > ' ' && index(escaped) < k_ascii && !word()[index(escaped)];
    if (is_plain) return escaped;
    understood = false;
    return std::nullopt;
  }

  std::string_view pattern_;
  std::size_t& at_;
};

}  // namespace

std::optional<Atom> perl_class(char letter) {
  switch (letter) {
    case 'd':
      return make_atom(range('0', '9'));
    case 'w':
      return make_atom(word());
    case 's':
      return make_atom(space());
    case 'D':
      return make_atom(~range('0', '9'));
    case 'W':
      return make_atom(~word());
    case 'S':
      return make_atom(~(range('\t', '\n') | range('\f', '\r') | range(' ', ' ')));
    default:
      return std::nullopt;
  }
}

std::optional<Atom> read_class(std::string_view pattern, std::size_t& at) {
  const bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) ++at;
  Items items(pattern, at);
  items.read();
  if (at < pattern.size()) ++at;
  if (!items.understood) return std::nullopt;
  return make_atom(negated ? ~items.bytes | beyond_ascii() : items.bytes);
}

std::optional<Atom> with_case_ignored(Atom atom) {
  if (atom.bytes.size() > 1) return std::nullopt;
  ByteSet& bytes = atom.bytes.front();
  if (has_any(bytes, beyond_ascii())) bytes.set(index('k')).set(index('s'));
  for (char lower = 'a'; lower <= 'z'; ++lower) {
    const std::size_t upper = index(lower) - ('a' - 'A');
    if (!bytes[index(lower)] && !bytes[upper]) continue;
    bytes.set(index(lower)).set(upper);
    if (lower == 'k' || lower == 's') bytes |= beyond_ascii();
  }
  return make_atom(bytes);
}

}  // namespace yume::tools::search
