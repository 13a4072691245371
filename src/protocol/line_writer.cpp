// SPDX-License-Identifier: MIT
#include "protocol/line_writer.h"

namespace yume::protocol {

void LineWriter::line(std::string_view text) {
  const Hold hold(*this);
  buffer_.assign(text).push_back('\n');
  bytes(buffer_);
}

void LineWriter::bytes(std::string_view text) {
  const Hold hold(*this);
  if (!broken_) broken_ = !stream_.write(text).ok();
}

}  // namespace yume::protocol
