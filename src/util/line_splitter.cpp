// SPDX-License-Identifier: MIT
#include "util/line_splitter.h"

namespace yume {
namespace {

// Of a line that is too long: enough to say which it is.
constexpr std::size_t k_kept_beginning = 1'000;

}  // namespace

void LineSplitter::keep(std::string_view piece) {
  if (long_line_ > 0) {
    long_line_ += piece.size();
    return;
  }
  if (rest_.size() + piece.size() <= max_line_bytes_) {
    rest_ += piece;
    return;
  }
  long_line_ = rest_.size() + piece.size();
  if (rest_.size() < k_kept_beginning) rest_ += piece.substr(0, k_kept_beginning);
  std::string(rest_, 0, k_kept_beginning).swap(rest_);  // and its memory
}

}  // namespace yume
