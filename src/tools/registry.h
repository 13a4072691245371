// SPDX-License-Identifier: MIT
// The set of tools a session offers, found by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
  // Puts what `wrap` makes of the tool in its place; nothing when there is none of that name.
  void wrap(std::string_view name,
            const std::function<std::unique_ptr<Tool>(std::unique_ptr<Tool>)>& wrap);
  void add_first(std::unique_ptr<Tool> tool);
  void add(std::unique_ptr<Tool> tool);
  // Tools of servers: they come behind all others, and go together.
  void add_remote(std::unique_ptr<Tool> tool);
  void remove_remote();
  // Changes with the set.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  std::vector<std::unique_ptr<Tool>> tools_;
  std::size_t remote_ = 0;  // how many at the end of the list
  std::uint64_t version_ = 0;
};

Registry make_builtin_tools();
// Those that only make sense when a host can answer.
void add_question_tools(Registry& registry);

}  // namespace yume::tools
