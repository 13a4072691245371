// SPDX-License-Identifier: MIT
#include "tools/live_output.h"

#include "util/utf8.h"

namespace yume::tools {
namespace {

constexpr std::size_t k_kept_bytes = 4096;
constexpr std::string_view k_line_ends = "\r\n";  // what counts up in place ends its lines with \r

}  // namespace

void LiveOutput::on_output(std::string_view bytes) {
  kept_.on_output(bytes);
  news_ = news_ || bytes.find_first_of(k_line_ends) != std::string_view::npos;
  if (bytes.size() > k_kept_bytes) {
    bytes.remove_prefix(bytes.size() - k_kept_bytes);
    end_.clear();
    cut_ = true;
  }
  end_ += bytes;
  if (end_.size() <= 2 * k_kept_bytes) return;
  end_.erase(0, end_.size() - k_kept_bytes);
  cut_ = true;
}

std::string LiveOutput::take() {
  if (!news_) return {};
  news_ = false;
  std::string_view lines = end_;
  const std::size_t last = lines.find_last_of(k_line_ends);
  if (last == std::string_view::npos) return {};
  lines = lines.substr(0, last + 1);
  if (cut_) lines.remove_prefix(lines.find_first_of(k_line_ends) + 1);
  std::string text = to_valid_utf8(lines);
  if (redactor_ != nullptr) redactor_->clean(text);
  return text;
}

}  // namespace yume::tools
