// SPDX-License-Identifier: MIT
#include "core/todo.h"

#include <array>

namespace yume::core {

std::string_view to_string(TodoStatus status) {
  switch (status) {
    case TodoStatus::pending:
      return "pending";
    case TodoStatus::in_progress:
      return "in_progress";
    case TodoStatus::completed:
      break;
  }
  return "completed";
}

std::optional<TodoStatus> todo_status_from(std::string_view text) {
  constexpr std::array k_all = {TodoStatus::pending, TodoStatus::in_progress,
                                TodoStatus::completed};
  for (const TodoStatus status : k_all) {
    if (to_string(status) == text) return status;
  }
  return std::nullopt;
}

}  // namespace yume::core
