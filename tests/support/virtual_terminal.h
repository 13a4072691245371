// SPDX-License-Identifier: MIT
// What a person would see: a terminal with as much as the program uses of one. Anything else it is
// sent fails the test.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yume::test {

class VirtualTerminal {
 public:
  explicit VirtualTerminal(std::size_t columns = 80, std::size_t rows = 24)
      : columns_(columns), rows_(rows) {}

  void feed(std::string_view bytes);
  // All that was ever shown, with what was changed in place; blanks at ends of lines are left out.
  [[nodiscard]] std::string text() const;
  // The longest number of bytes in one feed.
  [[nodiscard]] std::size_t largest_feed() const { return largest_; }

 private:
  struct Cell {
    std::string character = " ";
    bool continues = false;  // the second half of a wide one
  };

  void put(std::string_view character, std::size_t width);
  void line_feed();
  std::size_t escape(std::string_view bytes);
  void clear_to_end_of_line();

  std::size_t columns_;
  std::size_t rows_;
  std::vector<std::vector<Cell>> lines_ = {{}};
  std::size_t line_ = 0;
  std::size_t column_ = 0;
  std::size_t largest_ = 0;
};

}  // namespace yume::test
