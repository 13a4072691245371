// SPDX-License-Identifier: MIT
#include "tools/search/required_runs.h"

#include "tools/search/class_reader.h"
#include "tools/search/run_scan.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace yume::tools::search {
namespace {

constexpr int k_deepest = 50;
constexpr std::size_t k_longest_run = 32;
constexpr std::size_t k_most_copies = 8;

using Runs = std::vector<ByteRun>;

bool is_punctuation(char c) {
  return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') &&
         !(c >= 'a' && c <= 'z');
}

// How many candidates to expect in a text: the fewer, the better to look for.
double abundance(const Runs& runs) {
  if (runs.empty()) return 2;
  double sum = 0;
  for (const ByteRun& run : runs) sum += frequency(run);
  return sum;
}

struct Repeat {
  std::size_t least = 1;
  bool exact = true;  // never more than `least`
};

// The longest rows of bytes in a sequence of atoms, of which it keeps the rarest.
class Rows {
 public:
  void add(const Atom& atom, const Repeat& repeat) {
    if (repeat.least == 0) return end();
    const std::size_t copies = std::min(repeat.least, k_most_copies);
    append(atom, copies);
    if (repeat.exact && copies == repeat.least) return;
    // The last of many stands right before what follows.
    end();
    append(atom, copies);
  }

  void end() {
    if (!row_.empty()) offer({row_});
    row_.clear();
  }

  void offer(Runs runs) {
    if (abundance(runs) < abundance(best_)) best_ = std::move(runs);
  }

  Runs take_best() {
    end();
    return std::move(best_);
  }

 private:
  void append(const Atom& atom, std::size_t copies) {
    for (std::size_t i = 0; i < copies; ++i) {
      if (row_.size() + atom.bytes.size() > k_longest_run) end();
      row_.insert(row_.end(), atom.bytes.begin(), atom.bytes.end());
      if (!atom.is_whole) end();
    }
  }

  ByteRun row_;
  Runs best_;
};

class Reader {
 public:
  Reader(std::string_view pattern, LetterCase letter_case)
      : pattern_(pattern), letter_case_(letter_case) {}

  RequiredRuns read() {
    Runs found = alternatives(0);
    if (unsure_ || at_ < pattern_.size()) return {};
    const bool whole = plain_ && found.size() == 1 && letter_case_ == LetterCase::exact &&
                       pattern_.size() <= k_longest_run;
    return {.any_of = std::move(found), .is_whole = whole};
  }

 private:
  // a|b|c: one of the runs of each branch; none when one branch has none.
  Runs alternatives(int depth) {
    if (depth > k_deepest) unsure_ = true;
    if (unsure_) return {};
    Runs all = sequence(depth);
    bool complete = !all.empty();
    while (!unsure_ && at_ < pattern_.size() && pattern_[at_] == '|') {
      ++at_;
      plain_ = false;
      Runs next = sequence(depth);
      complete = complete && !next.empty();
      all.insert(all.end(), next.begin(), next.end());
    }
    if (!complete || all.size() > RunScan::k_most_runs) return {};
    return all;
  }

  Runs sequence(int depth) {
    Rows rows;
    while (!unsure_ && at_ < pattern_.size() && pattern_[at_] != '|' && pattern_[at_] != ')') {
      if (pattern_[at_] == '(') {
        plain_ = false;
        rows.end();
        Runs inner = group(depth);
        if (!unsure_ && quantifier().least > 0) rows.offer(std::move(inner));
        continue;
      }
      if (passes_zero_width()) {
        plain_ = false;
        [[maybe_unused]] const Repeat of_no_width = quantifier();
        continue;
      }
      const std::optional<Atom> atom = next_atom();
      const Repeat repeat = quantifier();
      if (repeat.least != 1 || !repeat.exact) plain_ = false;
      if (atom) {
        rows.add(*atom, repeat);
      } else {
        rows.end();
      }
    }
    return rows.take_best();
  }

  Runs group(int depth) {
    ++at_;
    if (pattern_.substr(at_).starts_with("?:")) {
      at_ += 2;
    } else if (pattern_.substr(at_).starts_with("?P<")) {
      at_ = std::min(pattern_.find('>', at_), pattern_.size() - 1) + 1;
    } else if (pattern_.substr(at_).starts_with("?")) {
      unsure_ = true;  // flags change what the rest means
      return {};
    }
    Runs inner = alternatives(depth + 1);
    if (at_ >= pattern_.size()) unsure_ = true;
    ++at_;
    return inner;
  }

  // What stands between two characters without taking any.
  bool passes_zero_width() {
    constexpr std::string_view k_escaped = "bBAz";
    const char c = pattern_[at_];
    const bool escaped = c == '\\' && at_ + 1 < pattern_.size() &&
                         k_escaped.find(pattern_[at_ + 1]) != std::string_view::npos;
    if (c != '^' && c != '$' && !escaped) return false;
    at_ += escaped ? 2 : 1;
    return true;
  }

  // Nothing when it may be any character.
  std::optional<Atom> next_atom() {
    const char c = pattern_[at_];
    if (c == '*' || c == '+' || c == '?') unsure_ = true;
    if (c == '[' || c == '.') plain_ = false;
    ++at_;
    std::optional<Atom> atom;
    if (c == '[') {
      atom = read_class(pattern_, at_);
      if (pattern_[at_ - 1] != ']') unsure_ = true;
    } else if (c == '\\') {
      atom = escaped();
    } else if (c != '.') {
      --at_;
      atom = character();
    }
    return atom && letter_case_ == LetterCase::ignored ? with_case_ignored(*atom) : atom;
  }

  Atom character() {
    Atom atom;
    const auto take = [&] {
      atom.bytes.emplace_back().set(static_cast<unsigned char>(pattern_[at_++]));
    };
    const auto continues = [this] {
      return at_ < pattern_.size() && (static_cast<unsigned char>(pattern_[at_]) & 0xC0U) == 0x80U;
    };
    take();
    while (continues()) take();
    return atom;
  }

  std::optional<Atom> escaped() {
    if (at_ >= pattern_.size()) {
      unsure_ = true;
      return std::nullopt;
    }
    const char c = pattern_[at_];
    if (is_punctuation(c)) return character();
    plain_ = false;
    ++at_;
    if (auto several = perl_class(c)) return several;
    // These take no arguments; of those that do we know nothing.
    constexpr std::string_view k_simple = "tafnrv";
    if (k_simple.find(c) == std::string_view::npos) unsure_ = true;
    if (c != 't') return std::nullopt;
    Atom tab{.bytes = ByteRun(1)};
    tab.bytes.front().set('\t');
    return tab;
  }

  Repeat quantifier() {
    Repeat repeat;
    for (bool first = true; at_ < pattern_.size(); first = false) {
      const char c = pattern_[at_];
      std::optional<Repeat> next;
      if (c == '*' || (c == '?' && first)) {
        next = Repeat{.least = 0, .exact = false};
      } else if (c == '+') {
        next = Repeat{.least = 1, .exact = false};
      } else if (c == '{') {
        next = counted();
        if (!next) return repeat;
        --at_;
      } else if (c != '?') {
        return repeat;
      }
      ++at_;
      if (first && next) repeat = *next;
      // One upon another: at least once is all that is safe to say.
      if (!first && next)
        repeat = {.least = std::min({repeat.least, next->least, k_one}), .exact = false};
    }
    return repeat;
  }

  // `{2}`, `{2,}`, `{2,3}`; any other brace is a character like others.
  std::optional<Repeat> counted() {
    Repeat repeat{.least = 0, .exact = true};
    bool digits = false;
    std::size_t end = at_ + 1;
    for (; end < pattern_.size() && pattern_[end] != '}'; ++end) {
      const char c = pattern_[end];
      if (c != ',' && (c < '0' || c > '9')) return std::nullopt;
      if (c == ',') {
        repeat.exact = false;
      } else if (repeat.exact && repeat.least < k_longest_run) {
        repeat.least = repeat.least * 10 + static_cast<std::size_t>(c - '0');
      }
      digits |= c != ',';
    }
    if (end >= pattern_.size() || !digits) return std::nullopt;
    at_ = end + 1;
    return repeat;
  }

  static constexpr std::size_t k_one = 1;

  std::string_view pattern_;
  LetterCase letter_case_;
  std::size_t at_ = 0;
  bool unsure_ = false;
  bool plain_ = true;
};

}  // namespace

RequiredRuns required_runs(std::string_view pattern, LetterCase letter_case) {
  return Reader(pattern, letter_case).read();
}

}  // namespace yume::tools::search
