// SPDX-License-Identifier: MIT
#include "agent/system_prompt.h"

#include "agent/prompt_texts.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>

namespace yume::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_file_limit = 10'000;   // bytes of one instruction file
constexpr std::size_t k_total_limit = 32'000;  // bytes of all of them
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

std::vector<fs::path> directories_down_to(const fs::path& cwd) {
  std::vector<fs::path> directories;
  for (fs::path at = cwd; !at.empty(); at = at.parent_path()) {
    directories.push_back(at);
    if (at == at.root_path()) break;
  }
  std::reverse(directories.begin(), directories.end());
  return directories;
}

}  // namespace

std::vector<InstructionFile> find_instructions(const fs::path& cwd, const fs::path& home,
                                               const platform::FileSystem& files) {
  std::vector<fs::path> directories = directories_down_to(cwd);
  const bool home_is_above =
      std::find(directories.begin(), directories.end(), home) != directories.end();
  if (!home.empty() && !home_is_above) directories.insert(directories.begin(), home);

  std::vector<InstructionFile> found;
  std::size_t total = 0;
  for (const fs::path& directory : directories) {
    for (const char* name : k_names) {
      if (total >= k_total_limit) return found;
      const fs::path path = directory / name;
      auto text = files.read(path, k_largest_file);
      if (!text.ok() || text->empty()) continue;
      std::string kept = cut(to_valid_utf8(*text), std::min(k_file_limit, k_total_limit - total));
      total += kept.size();
      found.push_back({.path = path, .text = std::move(kept)});
    }
  }
  return found;
}

std::string make_system_prompt(const PromptSettings& settings, const platform::FileSystem& files,
                               platform::WallTime now) {
  std::string prompt;
  if (settings.replacement) {
    prompt = *settings.replacement;
  } else {
    prompt = std::string(prompt_text("system_prompt"));
    prompt += "\n\nEnvironment:\n- Working directory: " + settings.cwd.string() +
              "\n- Operating system: " + settings.os_name + "\n- Date: " + date_text(now) +
              "\n- Permissions: " + std::string(mode_text(settings.mode)) + "\n";
    for (const InstructionFile& file : find_instructions(settings.cwd, settings.home, files)) {
      prompt += "\nInstructions from " + file.path.string() + ":\n" + file.text + "\n";
    }
  }
  if (!settings.appended.empty()) {
    if (!prompt.empty()) prompt += "\n\n";
    prompt += settings.appended;
  }
  return prompt;
}

}  // namespace yume::agent
