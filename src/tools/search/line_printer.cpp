// SPDX-License-Identifier: MIT
#include "tools/search/line_printer.h"

#include "tools/search/run_scan.h"
#include "util/utf8.h"

#include <algorithm>

namespace yume::tools::search {

std::string shown_line(std::string_view line, std::size_t match_at) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() <= k_longest_shown_line) return to_valid_utf8(line);
  std::size_t start = 0;
  if (match_at >= k_longest_shown_line * 4 / 5) {
    start = match_at - k_longest_shown_line / 5;
    while (start < match_at && (static_cast<unsigned char>(line[start]) & 0xC0U) == 0x80U) ++start;
  }
  const std::string_view part = utf8_prefix(line.substr(start), k_longest_shown_line);
  return (start > 0 ? "... " : "") + to_valid_utf8(part) + " ... [line of " +
         std::to_string(line.size()) + " bytes cut]";
}

bool LinePrinter::keeps(std::uint64_t number) {
  ++count_;
  last_printed_ = number;
  return lines_.size() < style_.most_lines;
}

void LinePrinter::print(std::uint64_t number, char separator, std::string_view text) {
  std::string made;
  made.reserve(path_.size() + text.size() + 12);
  if (!path_.empty()) made.append(path_).push_back(separator);
  if (style_.numbers) made.append(std::to_string(number)).push_back(separator);
  lines_.push_back(std::move(made.append(text)));
}

void LinePrinter::separate_from_last_group(std::uint64_t number) {
  if (!wants_context() || last_printed_ == 0 || number <= last_printed_ + 1) return;
  ++count_;
  if (lines_.size() < style_.most_lines) lines_.emplace_back("--");
}

void LinePrinter::matching(std::string_view line, std::size_t match_at) {
  if (style_.only_matching) {
    ++number_;
    return;
  }
  separate_from_last_group(earlier_.empty() ? number_ : earlier_.front().number);
  for (const Earlier& one : earlier_) {
    if (keeps(one.number)) print(one.number, '-', one.line);
  }
  earlier_.clear();
  if (keeps(number_)) print(number_, ':', shown_line(line, match_at));
  ++number_;
  owed_after_ = style_.after;
}

void LinePrinter::matching_part(std::string_view part) {
  if (keeps(number_)) print(number_, ':', shown_line(part, 0));
}

void LinePrinter::other(std::string_view line) {
  if (owed_after_ > 0) {
    --owed_after_;
    if (keeps(number_)) print(number_, '-', shown_line(line, 0));
  } else if (style_.before > 0) {
    if (earlier_.size() == style_.before) earlier_.pop_front();
    earlier_.push_back({.line = shown_line(line, 0), .number = number_});
  }
  ++number_;
}

void LinePrinter::skip(std::string_view lines) {
  if (style_.numbers || wants_context()) number_ += count_newlines(lines);
}

}  // namespace yume::tools::search
