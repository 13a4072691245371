// SPDX-License-Identifier: MIT
#include "config/agent_files.h"

#include "config/guarded_file.h"
#include "util/front_matter.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace yume::config {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_largest_file = 256U << 10U;
constexpr std::size_t k_most_files = 300;
constexpr int k_deepest = 4;

// They would keep the agent from something, and are not kept here.
constexpr std::array<std::string_view, 1> k_restrictions = {"isolation"};

Error wrong(std::string why) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(why)};
}

Result<void> read_tools(const FrontMatter& header, core::AgentDefinition& agent) {
  std::string refused;
  if (!header.written("tools").empty() || !header.list("tools").empty()) {
    agent.tools = core::read_tool_names(header.list("tools"), refused);
  }
  const auto disallowed = core::read_tool_names(header.list("disallowedTools"), refused);
  if (disallowed) {
    agent.disallowed_tools = *disallowed;
  } else {
    agent.tools = std::vector<std::string>{};  // all of them
  }
  if (refused.empty()) return {};
  return wrong("its tools name '" + refused +
               "': parts of a tool cannot be chosen; name the whole tool, and use permission rules "
               "for the rest");
}

Result<void> read_limits(const FrontMatter& header, core::AgentDefinition& agent) {
  if (const std::string mode = header.text("permissionMode"); !mode.empty()) {
    agent.mode = core::permission_mode_from(mode);
    if (!agent.mode) return wrong("its permissionMode '" + mode + "' is not known");
  }
  if (const std::string turns = header.text("maxTurns"); !turns.empty()) {
    const char* end = turns.data() + turns.size();
    const auto read = std::from_chars(turns.data(), end, agent.max_turns);
    if (read.ec != std::errc() || read.ptr != end || agent.max_turns <= 0) {
      return wrong("its maxTurns '" + turns + "' is no positive number");
    }
  }
  for (const std::string_view key : k_restrictions) {
    if (header.text(key).empty()) continue;
    return wrong("its '" + std::string(key) + "' is not supported, and would not be kept");
  }
  return {};
}

// Files below the folder, by name.
std::vector<fs::path> markdown_files(const fs::path& folder, const platform::FileSystem& files,
                                     int depth) {
  std::vector<fs::path> found;
  const auto entries = files.list(folder);
  if (!entries.ok()) return found;
  std::vector<std::string> names;
  for (const platform::DirectoryEntry& entry : *entries) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (found.size() >= k_most_files) break;
    if (name.ends_with(".md")) {
      found.push_back(folder / name);
    } else if (depth < k_deepest && name.find('.') == std::string::npos) {
      for (fs::path& file : markdown_files(folder / name, files, depth + 1)) {
        if (found.size() < k_most_files) found.push_back(std::move(file));
      }
    }
  }
  return found;
}

}  // namespace

Result<core::AgentDefinition> parse_agent_file(std::string_view text, core::AgentSource source) {
  const MarkdownFile file = read_markdown(text);
  core::AgentDefinition agent{.name = file.header.text("name"),
                              .description = file.header.text("description"),
                              .prompt = file.body,
                              .source = source};
  if (!core::is_agent_name(agent.name)) {
    return wrong(agent.name.empty()
                     ? "its header has no name"
                     : "its name '" + agent.name + "' must be one word of at most 64 letters");
  }
  if (agent.description.empty()) return wrong("its header has no description");
  if (auto read = read_tools(file.header, agent); !read.ok()) return std::move(read).error();
  if (auto read = read_limits(file.header, agent); !read.ok()) return std::move(read).error();
  agent.model = file.header.text("model");
  if (agent.model == "inherit") agent.model.clear();
  agent.in_background = file.header.flag("background").value_or(false);
  agent.without_instructions = file.header.flag("omitClaudeMd").value_or(false);
  return agent;
}

AgentFiles read_agent_folder(const fs::path& folder, core::AgentSource source, const fs::path& tree,
                             const platform::FileSystem& files) {
  AgentFiles all;
  if (folder.empty()) return all;
  for (const fs::path& path : markdown_files(folder, files, 0)) {
    const auto leave_out = [&](const std::string& why) {
      all.problems.push_back("The agent in " + to_utf8(path) + " was left out: " + why + ".");
    };
    const GuardedFile guarded = open_guarded(path, {.tree = tree}, files);
    if (guarded.file == nullptr) {
      if (guarded.refusal.why == Unreadable::Why::suspect) leave_out(guarded.refusal.reason);
      continue;
    }
    const auto text = read_beginning(*guarded.file, k_largest_file);
    if (!text.ok() || text->size() > k_largest_file) {
      leave_out(text.ok() ? "it is longer than 256 kB" : text.error().message);
      continue;
    }
    // Notes for people lie beside agents.
    if (read_markdown(*text).header.text("name").empty()) continue;
    auto agent = parse_agent_file(*text, source);
    if (agent.ok()) {
      all.agents.push_back(std::move(agent).value());
    } else {
      leave_out(agent.error().message);
    }
  }
  return all;
}

}  // namespace yume::config
