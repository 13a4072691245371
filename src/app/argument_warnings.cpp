// SPDX-License-Identifier: MIT
#include "app/argument_warnings.h"

#include "core/tool_names.h"
#include "permissions/rule.h"

#include <algorithm>

namespace yume::app {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

// Words of a sentence that a list took in: no tool has such a name.
std::vector<std::string> prompt_words(const std::vector<std::string>& values,
                                      const std::vector<std::string>& tools) {
  std::vector<std::string> words;
  for (const std::string& entry : permissions::split_rules(joined(values, ","))) {
    const std::string tool(core::tool_name_for(entry.substr(0, entry.find('('))));
    const bool is_tool = std::find(tools.begin(), tools.end(), tool) != tools.end();
    const bool is_name =
        is_tool || core::is_known_tool(tool) || tool.starts_with("mcp__") || tool == "default";
    if (!is_name && !tool.empty()) words.push_back(tool);
  }
  return words;
}

}  // namespace

std::vector<std::string> argument_warnings(const Arguments& arguments,
                                           const std::vector<std::string>& tools) {
  std::vector<std::string> warnings;
  for (const std::string& flag : arguments.unknown_flags()) {
    warnings.push_back("warning: unknown option '" + flag + "' is ignored");
  }
  if (const auto& word = arguments.doubtful_word()) {
    warnings.push_back("warning: '" + *word +
                       "' was taken for the value of an unknown option; put the prompt in quotes, "
                       "first or behind --");
  }
  for (const char* flag : {"allowed-tools", "disallowed-tools", "tools"}) {
    const std::vector<std::string> words = prompt_words(arguments.list(flag), tools);
    if (words.empty()) continue;
    warnings.push_back("warning: '" + joined(words, " ") + "' was taken for a part of --" + flag +
                       "; put the prompt in quotes, first or behind --");
  }
  return warnings;
}

}  // namespace yume::app
