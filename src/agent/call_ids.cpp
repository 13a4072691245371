// SPDX-License-Identifier: MIT
#include "agent/call_ids.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace yume::agent {
namespace {

constexpr std::size_t k_longest_id = 128;  // a line must have room for the rest
constexpr std::string_view k_made = "call_gemini_";

}  // namespace

std::string CallIds::made(int number) const {
  return (prefix_.empty() ? std::string(k_made) : prefix_) + std::to_string(number);
}

std::string CallIds::next(const std::optional<std::string>& provider_id) {
  std::string id = provider_id.value_or("");
  if (!id.empty()) id = prefix_ + id;
  if (id.size() > k_longest_id) id.clear();
  while (id.empty() || used_.contains(id)) id = made(++made_);
  used_.insert(id);
  return id;
}

void CallIds::give_back(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) used_.erase(id);
  while (made_ > 0 && !used_.contains(made(made_))) --made_;
}

void CallIds::reserve(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    used_.insert(id);
    if (!id.starts_with(k_made)) continue;
    int number = 0;
    const char* end = id.data() + id.size();
    const auto read = std::from_chars(id.data() + k_made.size(), end, number);
    if (read.ptr == end && read.ec == std::errc()) made_ = std::max(made_, number);
  }
}

}  // namespace yume::agent
