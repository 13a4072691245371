// SPDX-License-Identifier: MIT
// The list of tasks that the model keeps for itself and its user. Lives as long as the session.
// Thread-safe.
#pragma once

#include <mutex>
#include <string>
#include <utility>

#include "util/json_io.h"

namespace yume::tools {

class TodoList {
 public:
  // A JSON array of {content, status, activeForm}. Returns the list before.
  RawJson replace(RawJson todos);
  [[nodiscard]] RawJson todos() const;
  // For people and models: a line for each, empty when there is none.
  [[nodiscard]] std::string text() const;

 private:
  mutable std::mutex mutex_;
  RawJson todos_{"[]"};
};

}  // namespace yume::tools
