// SPDX-License-Identifier: MIT
// The list of tasks that the model keeps for itself and its user. Lives as long as the session.
// Thread-safe.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "core/todo.h"

namespace yume::tools {

class TodoList {
 public:
  // Returns the list before.
  std::vector<core::Todo> replace(std::vector<core::Todo> todos);
  [[nodiscard]] std::vector<core::Todo> todos() const;
  // For people and models: a line for each, empty when there is none.
  [[nodiscard]] std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::vector<core::Todo> todos_;
};

}  // namespace yume::tools
