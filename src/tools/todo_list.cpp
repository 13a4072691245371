// SPDX-License-Identifier: MIT
#include "tools/todo_list.h"

#include <utility>

namespace yume::tools {

std::vector<core::Todo> TodoList::replace(std::vector<core::Todo> todos) {
  const std::lock_guard lock(mutex_);
  return std::exchange(todos_, std::move(todos));
}

std::vector<core::Todo> TodoList::todos() const {
  const std::lock_guard lock(mutex_);
  return todos_;
}

std::string TodoList::text() const {
  std::string text;
  for (const core::Todo& todo : todos()) {
    text.append("\n- [").append(core::to_string(todo.status)).append("] ").append(todo.content);
  }
  return text.empty() ? text : "Todo list:" + text;
}

}  // namespace yume::tools
