// SPDX-License-Identifier: MIT
#include "tools/search/required_literals.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace yume::tools::search {
namespace {

constexpr int k_deepest = 50;

bool is_punctuation(char c) {
  return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') &&
         !(c >= 'a' && c <= 'z');
}

using Strings = std::vector<std::string>;

std::size_t shortest(const Strings& strings) {
  std::size_t least = strings.empty() ? 0 : std::string::npos;
  for (const std::string& one : strings) least = std::min(least, one.size());
  return least;
}

class Reader {
 public:
  Reader(std::string_view pattern, LetterCase letter_case)
      : pattern_(pattern), letter_case_(letter_case) {}

  RequiredLiterals read() {
    Strings found = alternatives(0);
    if (unsure_ || at_ < pattern_.size()) return {};
    const bool whole = plain_ && found.size() == 1 && letter_case_ == LetterCase::exact;
    return {.any_of = std::move(found), .is_whole = whole};
  }

 private:
  // a|b|c: one of the strings of each branch; none when one branch has none.
  Strings alternatives(int depth) {
    if (depth > k_deepest) unsure_ = true;
    if (unsure_) return {};
    Strings all = sequence(depth);
    bool complete = !all.empty();
    while (!unsure_ && at_ < pattern_.size() && pattern_[at_] == '|') {
      ++at_;
      plain_ = false;
      Strings next = sequence(depth);
      complete = complete && !next.empty();
      all.insert(all.end(), next.begin(), next.end());
    }
    if (!complete || all.size() > LiteralScan::k_most_needles) return {};
    return all;
  }

  Strings sequence(int depth) {
    Strings best;
    std::string run;
    const auto offer = [&best](Strings strings) {
      if (shortest(strings) > shortest(best)) best = std::move(strings);
    };
    const auto end_run = [&] {
      if (!run.empty()) offer({run});
      run.clear();
    };
    while (!unsure_ && at_ < pattern_.size() && pattern_[at_] != '|' && pattern_[at_] != ')') {
      if (pattern_[at_] == '(') {
        plain_ = false;
        end_run();
        Strings inner = group(depth);
        if (!unsure_ && quantifier() != Repeat::maybe) offer(std::move(inner));
        continue;
      }
      const std::optional<std::string> character = one_character();
      if (!character) plain_ = false;
      const Repeat repeat = quantifier();
      if (repeat != Repeat::once) plain_ = false;
      if (!character || repeat == Repeat::maybe) {
        end_run();
      } else {
        run += *character;
        if (repeat == Repeat::at_least_once) end_run();
      }
    }
    end_run();
    return best;
  }

  Strings group(int depth) {
    ++at_;
    if (pattern_.substr(at_).starts_with("?:")) {
      at_ += 2;
    } else if (pattern_.substr(at_).starts_with("?P<")) {
      at_ = std::min(pattern_.find('>', at_), pattern_.size() - 1) + 1;
    } else if (pattern_.substr(at_).starts_with("?")) {
      unsure_ = true;  // flags change what the rest means
      return {};
    }
    Strings inner = alternatives(depth + 1);
    if (at_ >= pattern_.size()) unsure_ = true;
    ++at_;
    return inner;
  }

  // The next atom when it stands for one certain character; else it is passed over.
  std::optional<std::string> one_character() {
    const char c = pattern_[at_++];
    switch (c) {
      case '[':
        skip_class();
        return std::nullopt;
      case '.':
      case '^':
      case '$':
        return std::nullopt;
      case '*':
      case '+':
      case '?':
        unsure_ = true;
        return std::nullopt;
      case '\\':
        return escaped();
      default:
        return usable(std::string(1, c));
    }
  }

  std::optional<std::string> escaped() {
    if (at_ >= pattern_.size()) {
      unsure_ = true;
      return std::nullopt;
    }
    const char c = pattern_[at_++];
    if (is_punctuation(c)) return usable(std::string(1, c));
    if (c == 't') return "\t";
    // \w and the like take no arguments; of those that do we know nothing.
    constexpr std::string_view k_simple = "wWdDsSbBAzafnrv";
    if (k_simple.find(c) == std::string_view::npos) unsure_ = true;
    return std::nullopt;
  }

  std::optional<std::string> usable(std::string character) const {
    if (letter_case_ == LetterCase::exact) return character;
    char& c = character[0];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    if (c == 'k' || c == 's' || static_cast<unsigned char>(c) >= 0x80U) return std::nullopt;
    return character;
  }

  void skip_class() {
    if (at_ < pattern_.size() && pattern_[at_] == '^') ++at_;
    if (at_ < pattern_.size() && pattern_[at_] == ']') ++at_;
    for (; at_ < pattern_.size() && pattern_[at_] != ']'; ++at_) {
      if (pattern_[at_] == '\\') ++at_;
      if (pattern_.substr(std::min(at_, pattern_.size())).starts_with("[:")) {
        at_ = std::min(pattern_.find(":]", at_), pattern_.size() - 1) + 1;
      }
    }
    if (at_ >= pattern_.size()) unsure_ = true;
    ++at_;
  }

  enum class Repeat { once, at_least_once, maybe };

  Repeat quantifier() {
    Repeat repeat = Repeat::once;
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '*' || (c == '?' && repeat == Repeat::once)) {
        repeat = Repeat::maybe;
      } else if (c == '+') {
        if (repeat == Repeat::once) repeat = Repeat::at_least_once;
      } else if (c == '{') {
        if (!counted()) return repeat;
        repeat = Repeat::maybe;
        continue;
      } else if (c != '?') {
        return repeat;
      }
      ++at_;
    }
    return repeat;
  }

  // `{2}`, `{2,}`, `{2,3}`; any other brace is a character like others.
  bool counted() {
    std::size_t end = at_ + 1;
    bool digits = false;
    for (; end < pattern_.size() && pattern_[end] != '}'; ++end) {
      const char c = pattern_[end];
      if (c != ',' && (c < '0' || c > '9')) return false;
      digits |= c != ',';
    }
    if (end >= pattern_.size() || !digits) return false;
    at_ = end + 1;
    return true;
  }

  std::string_view pattern_;
  LetterCase letter_case_;
  std::size_t at_ = 0;
  bool unsure_ = false;
  bool plain_ = true;
};

}  // namespace

RequiredLiterals required_literals(std::string_view pattern, LetterCase letter_case) {
  return Reader(pattern, letter_case).read();
}

}  // namespace yume::tools::search
