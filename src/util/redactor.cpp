// SPDX-License-Identifier: MIT
#include "util/redactor.h"

#include "util/json_io.h"

#include <algorithm>
#include <mutex>

namespace yume {
namespace {

constexpr std::size_t k_shortest = 16;
constexpr std::string_view k_replacement = "[redacted]";

}  // namespace

void Redactor::learn(std::string_view value) {
  if (value.size() < k_shortest) return;
  learn_one(value);
  // Some texts are JSON already, where quotes and the like are written in another way.
  std::string quoted;
  quoted.reserve(6 * value.size() + 2);
  append_json_string(quoted, value);
  const Secret in_json(quoted.substr(1, quoted.size() - 2));
  learn_one(in_json.reveal());
}

void Redactor::learn_one(std::string_view value) {
  const std::lock_guard lock(mutex_);
  const bool is_known = std::any_of(known_.begin(), known_.end(), [value](const Known& known) {
    return known.value.reveal() == value;
  });
  if (!is_known) known_.emplace_back(value);
}

void Redactor::clean(std::string& text) const {
  const std::shared_lock lock(mutex_);
  for (const Known& known : known_) {
    std::size_t from = 0;
    for (;;) {
      const std::string_view rest = std::string_view(text).substr(from);
      const auto found = std::search(rest.begin(), rest.end(), known.searcher);
      if (found == rest.end()) break;
      from += static_cast<std::size_t>(found - rest.begin());
      text.replace(from, known.value.reveal().size(), k_replacement);
      from += k_replacement.size();
    }
  }
}

void RedactingLog::write(std::string_view area, std::string_view message) {
  std::string clean(message);
  redactor_.clean(clean);
  log_.write(area, clean);
}

}  // namespace yume
