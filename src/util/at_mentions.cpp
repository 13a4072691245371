// SPDX-License-Identifier: MIT
#include "util/at_mentions.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace yume {
namespace {

constexpr std::string_view k_white = " \t\r\n";
constexpr std::string_view k_punctuation = ".,;:!?)]}'\"*_";
constexpr std::size_t k_longest_path = 4096;

bool begins_word(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  return k_white.find(before) != std::string_view::npos || before == '(' || before == '[';
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

// `path#L3-9`; a suffix of any other form is part of the name.
NamedPath with_lines(std::string path) {
  const std::size_t mark = path.rfind("#L");
  if (mark == std::string::npos) return {.path = std::move(path)};
  const std::string_view range = std::string_view(path).substr(mark + 2);
  const std::size_t dash = range.find('-');
  const auto first = number(range.substr(0, dash));
  std::optional<std::int64_t> last = first;
  if (dash != std::string_view::npos) {
    std::string_view end = range.substr(dash + 1);
    if (end.starts_with('L')) end.remove_prefix(1);
    last = number(end);
  }
  if (!first || !last || *last < *first) return {.path = std::move(path)};
  return {.path = path.substr(0, mark), .lines = LineRange{*first, *last}};
}

std::string without_punctuation(const std::string& path) {
  return path.substr(0, path.find_last_not_of(k_punctuation) + 1);
}

class Finder {
 public:
  Finder(std::string_view text, CodeBlocks code) : text_(text), code_(code) {}

  std::vector<AtMention> run() {
    while (at_ < text_.size()) {
      if (code_ == CodeBlocks::are_skipped && text_[at_] == '`') {
        skip_code();
      } else if (text_[at_] == '@' && begins_word(text_, at_)) {
        ++at_;
        take();
      } else {
        ++at_;
      }
    }
    return std::move(found_);
  }

 private:
  // From a run of backticks to the next run of the same length; one that is never closed is text,
  // unless it fences a block.
  void skip_code() {
    const std::size_t end = std::min(text_.find_first_not_of('`', at_), text_.size());
    const std::string_view fence = text_.substr(at_, end - at_);
    std::size_t close = end;
    for (;;) {
      close = text_.find(fence, close);
      if (close == std::string_view::npos) break;
      const std::size_t after = std::min(text_.find_first_not_of('`', close), text_.size());
      if (after - close == fence.size()) {
        at_ = after;
        return;
      }
      close = after;
    }
    at_ = fence.size() >= 3 ? text_.size() : end;
  }

  void take() {
    if (at_ < text_.size() && text_[at_] == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) return;
      std::string path(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      const std::size_t suffix_end = std::min(text_.find_first_of(k_white, at_), text_.size());
      std::string suffix(text_.substr(at_, suffix_end - at_));
      add(std::move(path), suffix.starts_with("#L") ? without_punctuation(suffix) : "");
      return;
    }
    std::string path;
    while (at_ < text_.size() && k_white.find(text_[at_]) == std::string_view::npos) {
      const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == ' ';
      if (escaped) ++at_;
      path.push_back(text_[at_++]);
    }
    add(std::move(path), "");
  }

  void add(std::string path, const std::string& suffix) {
    if (path.empty() || path.size() > k_longest_path || path.front() == '@') return;
    path += suffix;
    AtMention mention{with_lines(path)};
    std::string bare = without_punctuation(path);
    if (!bare.empty() && bare != path) mention.push_back(with_lines(std::move(bare)));
    found_.push_back(std::move(mention));
  }

  std::string_view text_;
  CodeBlocks code_;
  std::size_t at_ = 0;
  std::vector<AtMention> found_;
};

}  // namespace

std::vector<AtMention> find_mentions(std::string_view text, CodeBlocks code) {
  if (text.find('@') == std::string_view::npos) return {};
  return Finder(text, code).run();
}

}  // namespace yume
