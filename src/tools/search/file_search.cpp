// SPDX-License-Identifier: MIT
#include "tools/search/file_search.h"

#include "tools/search/run_scan.h"
#include "util/utf8.h"

#include <algorithm>
#include <cstring>

namespace yume::tools::search {
namespace {

constexpr std::size_t k_window = 256U << 10U;
constexpr std::size_t k_longest_line = 16U << 20U;
constexpr std::size_t k_none = std::string_view::npos;

constexpr std::string_view k_utf8_mark = "\xEF\xBB\xBF";
constexpr std::string_view k_little_endian_mark = "\xFF\xFE";
constexpr std::string_view k_big_endian_mark = "\xFE\xFF";

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t newline = at == 0 ? k_none : text.rfind('\n', at - 1);
  return newline == k_none ? 0 : newline + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// Tells the printer about the lines between two matches.
void tell_between(std::string_view text, LinePrinter& printer) {
  if (!printer.wants_context()) {
    printer.skip(text);
    return;
  }
  const auto tell_first = [&text, &printer](std::size_t most) {
    for (std::size_t i = 0; i < most && !text.empty(); ++i) {
      const std::size_t end = line_end(text, 0);
      printer.other(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  };
  tell_first(printer.owed_after());
  // Only the last few can be needed as context of what follows.
  std::size_t kept = text.size();
  for (std::size_t i = 0; i < printer.lines_before() && kept > 0; ++i) {
    kept = line_begin(text, kept - 1);
  }
  printer.skip(text.substr(0, kept));
  text.remove_prefix(kept);
  tell_first(printer.lines_before());
}

}  // namespace

std::string from_utf16(std::string_view bytes, bool big_endian) {
  std::string text;
  text.reserve(bytes.size());
  const auto unit = [&](std::size_t at) {
    const auto low = static_cast<unsigned char>(bytes[big_endian ? at + 1 : at]);
    const auto high = static_cast<unsigned char>(bytes[big_endian ? at : at + 1]);
    return static_cast<char32_t>(high * 256U + low);
  };
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    char32_t c = unit(at);
    if (c >= 0xD800 && c < 0xE000) {
      const char32_t next = c < 0xDC00 && at + 3 < bytes.size() ? unit(at + 2) : 0;
      if (next >= 0xDC00 && next < 0xE000) {
        c = 0x10000 + (c - 0xD800) * 0x400 + (next - 0xDC00);
        at += 2;
      } else {
        c = 0xFFFD;
      }
    }
    append_utf8(text, c);
  }
  return text;
}

// False when reading failed.
bool FileSearch::read_on(platform::TreeFile& file, std::size_t most) {
  while (used_ < most && !at_end_) {
    if (buffer_.size() < most) buffer_.resize(most);
    const auto got = file.read({buffer_.data() + used_, most - used_});
    if (!got.ok()) return false;
    at_end_ = *got == 0;
    used_ += *got;
  }
  return true;
}

// The window until it holds a whole line, or more than anyone needs. False when reading failed.
bool FileSearch::fill(platform::TreeFile& file) {
  for (std::size_t room = std::max(k_window, used_ * 2);; room *= 2) {
    const std::size_t fresh = used_;
    if (!read_on(file, std::min(room, k_longest_line))) return false;
    if (at_end_ || used_ >= k_longest_line) return true;
    if (whole_) continue;
    if (std::memchr(buffer_.data() + fresh, '\n', used_ - fresh) != nullptr) return true;
  }
}

void FileSearch::search_window(std::string_view window, Wanted wanted, LinePrinter& printer) {
  std::size_t told = 0;  // up to here the printer knows
  for (std::size_t at = 0; at <= window.size();) {
    const auto match = matcher_.find(window, at);
    if (!match) break;
    const std::size_t last = match->end > match->begin ? match->end - 1 : match->end;
    const std::size_t end = line_end(window, last);
    at = end + 1;
    ++matching_lines_;
    if (wanted == Wanted::whether) return;
    if (wanted == Wanted::count) continue;
    const std::size_t begin = line_begin(window, match->begin);
    tell_between(window.substr(told, begin - told), printer);
    if (printer.only_matching()) {
      for (auto part = match; part && part->begin < end;) {
        printer.matching_part(window.substr(part->begin, part->end - part->begin));
        const std::size_t next = std::max(part->end, part->begin + 1);
        if (next >= end) break;
        part = matcher_.find(window.substr(0, end), next);
      }
    }
    for (std::size_t line = begin; line <= end;) {
      const std::size_t stop = line_end(window, line);
      const std::size_t match_at = match->begin > line ? match->begin - line : 0;
      printer.matching(window.substr(line, stop - line), match_at);
      line = stop + 1;
    }
    told = std::min(end + 1, window.size());
  }
  // In most files nothing was found: nobody needs to know how many lines they have.
  const bool nothing_to_tell = (at_end_ || whole_) && matching_lines_ == 0;
  if (wanted == Wanted::lines && !nothing_to_tell) tell_between(window.substr(told), printer);
}

void FileSearch::keep_from(std::size_t position) {
  std::memmove(buffer_.data(), buffer_.data() + position, used_ - position);
  used_ -= position;
}

std::size_t FileSearch::search(platform::TreeFile& file, Wanted wanted, LinePrinter& printer,
                               const Budget& budget) {
  used_ = 0;
  at_end_ = false;
  matching_lines_ = 0;
  for (bool first = true;; first = false) {
    if (!fill(file)) break;
    std::string_view text(buffer_.data(), used_);
    const bool little = text.starts_with(k_little_endian_mark);
    if (first && (little || text.starts_with(k_big_endian_mark))) {
      if (!read_on(file, k_longest_line)) break;
      const std::string decoded =
          from_utf16(std::string_view(buffer_.data(), used_).substr(2), !little);
      search_window(decoded, wanted, printer);
      break;
    }
    if (std::memchr(text.data(), '\0', text.size()) != nullptr) break;
    // A last line without its newline waits for the rest, unless there is none or it is too long.
    const std::size_t newline = text.rfind('\n');
    const bool complete = at_end_ || newline == k_none || whole_;
    const std::size_t stop = complete ? text.size() : newline + 1;
    std::string_view window = text.substr(0, stop);
    if (first && window.starts_with(k_utf8_mark)) window.remove_prefix(k_utf8_mark.size());
    search_window(window, wanted, printer);
    if (at_end_ || whole_ || budget.spent()) break;
    if (wanted == Wanted::whether && matching_lines_ > 0) break;
    keep_from(stop);
  }
  if (buffer_.size() > 4 * k_window) buffer_ = std::string();
  return matching_lines_;
}

}  // namespace yume::tools::search
