// SPDX-License-Identifier: MIT
// One task of the list that a model keeps for itself and its user.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yume::core {

enum class TodoStatus { pending, in_progress, completed };

std::string_view to_string(TodoStatus status);  // "in_progress"
std::optional<TodoStatus> todo_status_from(std::string_view text);

struct Todo {
  std::string content;
  TodoStatus status = TodoStatus::pending;
  std::string active_form;  // the same while it is being done: "Running tests"

  friend bool operator==(const Todo&, const Todo&) = default;
};

}  // namespace yume::core
