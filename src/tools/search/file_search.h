// SPDX-License-Identifier: MIT
// Searches one file at a time through a window that slides over it, so that memory does not grow
// with the file: binary files (a NUL byte) are left at once, UTF-16 with a byte order mark is read
// as text, a line over 16 MB is searched in pieces. Each worker has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/search_tree.h"
#include "tools/search/line_printer.h"
#include "tools/search/matcher.h"
#include "tools/search/walker.h"

namespace yume::tools::search {

enum class Wanted { whether, count, lines };

class FileSearch {
 public:
  FileSearch(Matcher matcher, bool multiline) : matcher_(std::move(matcher)), whole_(multiline) {}

  // How many lines match (with `whether` at most 1); 0 also for a binary or unreadable file. Lines
  // go to `printer`. A spent budget ends it early.
  std::size_t search(platform::TreeFile& file, Wanted wanted, LinePrinter& printer,
                     const Budget& budget);

 private:
  bool fill(platform::TreeFile& file);
  void search_window(std::string_view window, Wanted wanted, LinePrinter& printer);
  void keep_from(std::size_t position);
  bool read_on(platform::TreeFile& file, std::size_t most);

  Matcher matcher_;
  bool whole_;
  std::string buffer_;
  std::size_t used_ = 0;
  bool at_end_ = false;
  std::size_t matching_lines_ = 0;
};

// UTF-16 without its byte order mark as UTF-8.
std::string from_utf16(std::string_view bytes, bool big_endian);

}  // namespace yume::tools::search
