// SPDX-License-Identifier: MIT
#include "agent/system_prompt.h"

#include "agent/prompt_texts.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <set>

namespace yume::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_file_limit = 10'000;   // bytes of one instruction file
constexpr std::size_t k_total_limit = 32'000;  // bytes of all of them
constexpr std::size_t k_smallest_piece = 100;  // less of a file says nothing
constexpr std::uint64_t k_largest_file = 4U << 20U;
constexpr std::array k_names = {"CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md", "AGENTS.md"};

std::string date_text(platform::WallTime now) {
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(now));
  std::string text = std::to_string(static_cast<int>(date.year()));
  for (const unsigned part :
       {static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())}) {
    text += part < 10 ? "-0" : "-";
    text += std::to_string(part);
  }
  return text;
}

std::string_view mode_text(core::PermissionMode mode) {
  switch (mode) {
    case core::PermissionMode::plan:
      return "Plan mode: look and plan only. Changes to files are refused.";
    case core::PermissionMode::accept_edits:
      return "Edits inside the working directory are accepted; other actions may be refused.";
    case core::PermissionMode::bypass:
      return "All tools may run without asking. Be careful with what cannot be undone.";
    case core::PermissionMode::dont_ask:
      return "Only actions allowed beforehand run; everything else is refused.";
    case core::PermissionMode::default_mode:
      break;
  }
  return "Some actions may be refused; the result of the call then says why.";
}

std::string cut(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  return std::string(utf8_prefix(text, limit)) + "\n[truncated]";
}

// The nearest first, the home directory last.
std::vector<fs::path> directories_from(const fs::path& cwd, const fs::path& home) {
  std::vector<fs::path> directories;
  for (fs::path at = cwd; !at.empty(); at = at.parent_path()) {
    directories.push_back(at);
    if (at == at.root_path()) break;
  }
  const bool home_is_above =
      std::find(directories.begin(), directories.end(), home) != directories.end();
  if (!home.empty() && !home_is_above) directories.push_back(home);
  return directories;
}

}  // namespace

std::vector<InstructionFile> find_instructions(const fs::path& cwd, const fs::path& home,
                                               const platform::FileSystem& files) {
  std::vector<InstructionFile> found;
  std::set<fs::path> taken;  // CLAUDE.md is often a link to AGENTS.md
  std::size_t total = 0;
  for (const fs::path& directory : directories_from(cwd, home)) {
    // Names from last to first, since the whole list is turned round at the end.
    for (auto name = k_names.rbegin(); name != k_names.rend(); ++name) {
      const fs::path path = directory / *name;
      auto text = files.read(path, k_largest_file);
      const bool too_large = !text.ok() && text.error().code == ErrorCode::too_large;
      if (!too_large && (!text.ok() || text->empty())) continue;
      const auto real = files.real_path(path);
      if (real.ok() && !taken.insert(*real).second) continue;
      // What is nearest counts most: the limit is spent from there.
      const std::size_t room = k_total_limit - std::min(total, k_total_limit);
      std::string kept = too_large || room < k_smallest_piece
                             ? std::string("[left out: over the size limit]")
                             : cut(to_valid_utf8(*text), std::min(k_file_limit, room));
      total += kept.size();
      found.push_back({.path = path, .text = std::move(kept)});
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::string make_system_prompt(const PromptSettings& settings, const platform::FileSystem& files,
                               platform::WallTime now) {
  std::string prompt;
  if (settings.replacement) {
    prompt = *settings.replacement;
  } else {
    prompt = std::string(prompt_text("system_prompt"));
    prompt += "\n\nEnvironment:\n- Working directory: " + to_utf8(settings.cwd) +
              "\n- Operating system: " + settings.os_name + "\n- Date: " + date_text(now) +
              "\n- Permissions: " + std::string(mode_text(settings.mode)) + "\n";
    for (const InstructionFile& file : find_instructions(settings.cwd, settings.home, files)) {
      prompt += "\nInstructions from " + to_utf8(file.path) + ":\n" + file.text + "\n";
    }
  }
  if (!settings.appended.empty()) {
    if (!prompt.empty()) prompt += "\n\n";
    prompt += settings.appended;
  }
  return prompt;
}

}  // namespace yume::agent
