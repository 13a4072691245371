// SPDX-License-Identifier: MIT
#include "tools/registry.h"

#include "tools/aliases.h"
#include "tools/bash.h"
#include "tools/file_tools.h"
#include "tools/search_tools.h"
#include "tools/session_tools.h"
#include "tools/web_tools.h"

#include <algorithm>
#include <utility>

namespace yume::tools {

const Tool* Registry::find(std::string_view name) const {
  const std::string_view wanted = tool_name_for(name);
  const auto found = std::find_if(tools_.begin(), tools_.end(), [wanted](const auto& tool) {
    return tool->spec().name == wanted;
  });
  return found == tools_.end() ? nullptr : found->get();
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> names;
  for (const auto& tool : tools_) names.push_back(tool->spec().name);
  return names;
}

void Registry::remove(std::string_view name) {
  std::erase_if(tools_, [name](const auto& tool) { return tool->spec().name == name; });
  ++version_;
}

void Registry::add(std::unique_ptr<Tool> tool) {
  tools_.insert(tools_.end() - static_cast<std::ptrdiff_t>(remote_), std::move(tool));
  ++version_;
}

void Registry::add_remote(std::unique_ptr<Tool> tool) {
  tools_.push_back(std::move(tool));
  ++remote_;
  ++version_;
}

void Registry::remove_remote() {
  tools_.resize(tools_.size() - remote_);
  remote_ = 0;
  ++version_;
}

void Registry::add_first(std::unique_ptr<Tool> tool) {
  tools_.insert(tools_.begin(), std::move(tool));
  ++version_;
}

void Registry::wrap(std::string_view name,
                    const std::function<std::unique_ptr<Tool>(std::unique_ptr<Tool>)>& wrap) {
  for (std::unique_ptr<Tool>& tool : tools_) {
    if (tool->spec().name == name) tool = wrap(std::move(tool));
  }
}

Registry make_builtin_tools() {
  std::vector<std::unique_ptr<Tool>> tools;
  tools.push_back(make_bash_tool());
  tools.push_back(make_bash_output_tool());
  tools.push_back(make_edit_tool());
  tools.push_back(make_glob_tool());
  tools.push_back(make_grep_tool());
  tools.push_back(make_kill_shell_tool());
  tools.push_back(make_ls_tool());
  tools.push_back(make_multi_edit_tool());
  tools.push_back(make_notebook_edit_tool());
  tools.push_back(make_read_tool());
  tools.push_back(make_todo_write_tool());
  tools.push_back(make_web_fetch_tool());
  tools.push_back(make_web_search_tool());
  tools.push_back(make_write_tool());
  return Registry(std::move(tools));
}

void add_question_tools(Registry& registry) {
  registry.add(make_ask_user_question_tool());
  registry.add(make_exit_plan_mode_tool());
}

}  // namespace yume::tools
