// SPDX-License-Identifier: MIT
// The terminal of a person: text that stays, and below it rows that change in place. Only what
// differs is written, in one write, and each row is cut to the terminal's width, so that a row is a
// row. Main thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/stdio.h"
#include "protocol/line_writer.h"

namespace yume::protocol {

using platform::ScreenSize;

class Screen {
 public:
  // Without animation there are no rows that change.
  enum class Animation { unwanted, wanted };

  Screen(Output& output, Animation animation, std::function<ScreenSize()> size)
      : output_(output), animated_(animation == Animation::wanted), size_(std::move(size)) {}

  [[nodiscard]] bool animated() const { return animated_; }
  [[nodiscard]] ScreenSize size() const { return size_(); }

  // `lines` stay, each with its end; `rows`, without, stand below them from now on.
  void update(std::string_view lines, std::vector<std::string> rows);
  // The rows go, and whoever writes next begins at the start of a line.
  void clear() { update("", {}); }

 private:
  [[nodiscard]] std::size_t rows_that_stay(const std::vector<std::string>& rows) const;
  [[nodiscard]] std::size_t height(std::size_t from, std::size_t columns) const;

  Output& output_;
  bool animated_;
  std::function<ScreenSize()> size_;
  std::vector<std::string> rows_;  // as they are shown; the cursor is at the end of the last
  std::size_t columns_ = 0;        // of the terminal then
};

// The beginning of a text with codes for styles that takes at most `columns`.
std::string cut_to_width(std::string_view text, std::size_t columns);

}  // namespace yume::protocol
