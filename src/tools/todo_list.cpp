// SPDX-License-Identifier: MIT
#include "tools/todo_list.h"

#include "util/json_tree.h"

namespace yume::tools {

RawJson TodoList::replace(RawJson todos) {
  const std::lock_guard lock(mutex_);
  return std::exchange(todos_, std::move(todos));
}

RawJson TodoList::todos() const {
  const std::lock_guard lock(mutex_);
  return todos_;
}

std::string TodoList::text() const {
  const auto list = read_json(todos().text);
  std::string text;
  if (!list.is_array()) return text;
  for (const auto& todo : list) {
    if (!todo.is_object()) continue;
    text += "\n- [" + todo.value("status", "pending") + "] " + todo.value("content", "");
  }
  return text.empty() ? text : "Todo list:" + text;
}

}  // namespace yume::tools
