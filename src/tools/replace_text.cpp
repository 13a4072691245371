// SPDX-License-Identifier: MIT
#include "tools/replace_text.h"

#include "tools/find_text.h"
#include "tools/line_endings.h"

#include <algorithm>

namespace yume::tools {
namespace {

constexpr std::size_t k_most_lines_told = 8;

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Matches without overlap, from the left.
std::vector<Span> find_all(std::string_view content, std::string_view needle) {
  std::vector<Span> found;
  for (const std::size_t at : find_places(content, needle)) {
    found.push_back({at, at + needle.size()});
  }
  return found;
}

// A text as the model sees it, and the way back to its bytes.
class ShownText {
 public:
  ShownText(std::string_view content, LineEnds ends) {
    text_.reserve(content.size());
    for (std::size_t i = 0; i < content.size(); ++i) {
      const bool before_lf = content[i] == '\r' && i + 1 < content.size() && content[i + 1] == '\n';
      if (before_lf) {
        dropped_.push_back(text_.size());
      } else {
        text_.push_back(content[i] == '\r' && ends == LineEnds::cr ? '\n' : content[i]);
      }
    }
  }

  const std::string& text() const { return text_; }

  // Where the CR of a CRLF is left out, the border before the LF is the one before the CR.
  std::size_t byte_at(std::size_t at) const {
    const auto before = std::lower_bound(dropped_.begin(), dropped_.end(), at);
    return at + static_cast<std::size_t>(before - dropped_.begin());
  }

 private:
  std::string text_;
  std::vector<std::size_t> dropped_;  // places in text_ where a CR was
};

std::vector<Span> matches_of(std::string_view content, std::string_view old_text, LineEnds ends) {
  const bool shown_otherwise =
      ends == LineEnds::crlf || ends == LineEnds::mixed || ends == LineEnds::cr;
  if (!shown_otherwise || old_text.find('\r') != std::string_view::npos) {
    return find_all(content, old_text);
  }
  const ShownText shown(content, ends);
  std::vector<Span> found = find_all(shown.text(), old_text);
  for (Span& span : found) span = {shown.byte_at(span.begin), shown.byte_at(span.end)};
  return found;
}

// The ending of the line a place is in, or of the one before; within reason.
std::string_view ending_near(std::string_view content, const Span& place, LineEnds ends) {
  if (ends == LineEnds::crlf) return "\r\n";
  if (ends == LineEnds::cr) return "\r";
  if (ends != LineEnds::mixed) return "\n";
  constexpr std::size_t k_reach = 1U << 16U;
  std::size_t lf = content.substr(place.end, k_reach).find('\n');
  if (lf != std::string_view::npos) {
    lf += place.end;
  } else {
    const std::size_t from = place.begin - std::min(place.begin, k_reach);
    lf = content.substr(from, place.begin - from).rfind('\n');
    if (lf == std::string_view::npos) return "\n";
    lf += from;
  }
  return lf > 0 && content[lf - 1] == '\r' ? "\r\n" : "\n";
}

// A lone CR is a line's end only in a file that has no other.
std::string_view example_in(std::string_view old_text, LineEnds of_file) {
  const bool lone_cr = of_file != LineEnds::cr && line_ends_of(old_text) == LineEnds::cr;
  return lone_cr ? std::string_view() : old_text;
}

Ambiguous ambiguous(std::string_view content, const std::vector<Span>& matches, LineEnds ends) {
  Ambiguous answer{.matches = matches.size(), .lines = {}};
  const char end = ends == LineEnds::cr ? '\r' : '\n';
  std::size_t line = 1;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < std::min(matches.size(), k_most_lines_told); ++i) {
    const std::string_view before = content.substr(counted, matches[i].begin - counted);
    line += static_cast<std::size_t>(std::count(before.begin(), before.end(), end));
    counted = matches[i].begin;
    answer.lines.push_back(line);
  }
  return answer;
}

}  // namespace

std::variant<ReplacedText, NotFound, Ambiguous> replace_text(std::string_view content,
                                                             const Replacement& replacement) {
  if (replacement.old_text.empty()) return NotFound{};
  const LineEnds ends = line_ends_of(content);
  const std::vector<Span> matches = matches_of(content, replacement.old_text, ends);
  if (matches.empty()) return NotFound{};
  if (matches.size() > 1 && !replacement.all) return ambiguous(content, matches, ends);

  ReplacedText replaced{.content = {}, .matches = matches.size()};
  std::size_t copied = 0;
  for (const Span& match : matches) {
    const std::string_view old_text = content.substr(match.begin, match.end - match.begin);
    replaced.content.append(content.substr(copied, match.begin - copied));
    replaced.content.append(with_line_ends_of(example_in(old_text, ends), replacement.new_text,
                                              ending_near(content, match, ends)));
    copied = match.end;
  }
  replaced.content.append(content.substr(copied));
  return replaced;
}

}  // namespace yume::tools
