// SPDX-License-Identifier: MIT
// The set of tools a session offers, found by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tool.h"

namespace yume::tools {

class Registry {
 public:
  explicit Registry(std::vector<std::unique_ptr<Tool>> tools) : tools_(std::move(tools)) {}

  // By its name or an alias (aliases.h). nullptr when there is none.
  [[nodiscard]] const Tool* find(std::string_view name) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Tool>>& all() const { return tools_; }
  [[nodiscard]] std::vector<std::string> names() const;
  void remove(std::string_view name);
  void add(std::unique_ptr<Tool> tool) { tools_.push_back(std::move(tool)); }

 private:
  std::vector<std::unique_ptr<Tool>> tools_;
};

Registry make_builtin_tools();
// Those that only make sense when a host can answer.
void add_question_tools(Registry& registry);

}  // namespace yume::tools
