// SPDX-License-Identifier: MIT
#include "core/agent_definition.h"

#include "core/tool_names.h"

#include <algorithm>

namespace yume::core {
namespace {

constexpr std::size_t k_longest_name = 64;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blank = " \t\r\n";
  const std::size_t from = text.find_first_not_of(k_blank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(k_blank) - from + 1);
}

}  // namespace

bool AgentDefinition::has_tool(std::string_view tool) const {
  // "mcp__server" and "mcp__server__*" are all tools of that server.
  const auto covers = [tool](std::string_view entry) {
    if (entry == tool) return true;
    if (!entry.starts_with("mcp__")) return false;
    if (entry.ends_with("__*")) entry.remove_suffix(3);
    return tool.size() > entry.size() + 2 && tool.starts_with(entry) &&
           tool.substr(entry.size(), 2) == "__";
  };
  const auto names = [&covers](const std::vector<std::string>& list) {
    return std::any_of(list.begin(), list.end(), covers);
  };
  return (!tools || names(*tools)) && !names(disallowed_tools);
}

bool is_agent_name(std::string_view name) {
  const auto allowed = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > ' ' && byte != 0x7f && c != ',' && c != '"' && c != '(' && c != ')';
  };
  return !name.empty() && name.size() <= k_longest_name &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::optional<std::vector<std::string>> read_tool_names(const std::vector<std::string>& entries,
                                                        std::string& refused) {
  std::vector<std::string> names;
  for (const std::string& entry : entries) {
    std::string_view rest = entry;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view one = trimmed(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      if (one.empty()) continue;
      if (one == "*") return std::nullopt;
      if (one.find('(') != std::string_view::npos && refused.empty()) refused = entry;
      names.emplace_back(tool_name_for(one));
    }
  }
  return names;
}

}  // namespace yume::core
