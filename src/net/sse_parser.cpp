// SPDX-License-Identifier: MIT
#include "net/sse_parser.h"

#include <algorithm>
#include <utility>

namespace yume::net {
namespace {

constexpr std::string_view k_bom = "\xEF\xBB\xBF";

// A plain loop: find_first_of() of libstdc++ calls memchr once for every byte it looks at.
std::size_t find_line_end(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] == '\n' || bytes[at] == '\r') return at;
  }
  return std::string_view::npos;
}

}  // namespace

SseParser::SseParser(OnEvent on_event, OnStray on_stray, std::size_t max_event_bytes)
    : on_event_(std::move(on_event)),
      on_stray_(std::move(on_stray)),
      max_event_bytes_(max_event_bytes) {}

Result<void> SseParser::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (skip_lf_) {
      skip_lf_ = false;
      if (bytes.front() == '\n') {
        bytes.remove_prefix(1);
        continue;
      }
    }
    const std::size_t end = find_line_end(bytes);
    if (end == std::string_view::npos) {
      if (partial_line_.size() + data_.size() + bytes.size() > max_event_bytes_) break;
      partial_line_.append(bytes);
      return {};
    }
    skip_lf_ = bytes[end] == '\r';
    const std::string_view head = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (partial_line_.size() + data_.size() + head.size() > max_event_bytes_) {
      bytes = head;
      break;
    }
    if (partial_line_.empty()) {
      if (auto done = line(head); !done.ok()) return done;
    } else {
      partial_line_.append(head);
      const std::string whole = std::exchange(partial_line_, {});
      if (auto done = line(whole); !done.ok()) return done;
    }
  }
  if (bytes.empty()) return {};
  return Error{.code = ErrorCode::too_large,
               .message = "one event of the response is larger than " +
                          std::to_string(max_event_bytes_ >> 20U) + " MiB"};
}

std::size_t SseParser::content_bytes() const {
  const bool comment = partial_line_.starts_with(':');
  return content_bytes_ + (comment ? 0 : partial_line_.size());
}

Result<void> SseParser::finish() {
  if (!partial_line_.empty()) {
    const std::string whole = std::exchange(partial_line_, {});
    if (auto done = line(whole); !done.ok()) return done;
  }
  return dispatch();
}

Result<void> SseParser::line(std::string_view text) {
  if (std::exchange(at_start_, false) && text.starts_with(k_bom)) text.remove_prefix(k_bom.size());
  if (text.empty()) return dispatch();
  const std::string_view field = text.substr(0, text.find(':'));
  if (field != "data") {
    const bool known = field.empty() || field == "event" || field == "id" || field == "retry";
    if (!known) content_bytes_ += text.size();
    if (!known && on_stray_) on_stray_(text);
    return {};
  }
  content_bytes_ += text.size();
  text.remove_prefix(std::min(text.size(), field.size() + 1));
  if (text.starts_with(" ")) text.remove_prefix(1);
  if (has_data_) data_.push_back('\n');
  data_.append(text);
  has_data_ = true;
  return {};
}

Result<void> SseParser::dispatch() {
  if (!std::exchange(has_data_, false)) return {};
  const bool wanted = data_.empty() || on_event_(data_);
  data_.clear();
  if (wanted) return {};
  return Error{.code = ErrorCode::cancelled, .message = "the reader of the stream stopped"};
}

}  // namespace yume::net
