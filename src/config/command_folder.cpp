// SPDX-License-Identifier: MIT
#include "config/command_folder.h"

#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::config {
namespace {

namespace fs = std::filesystem;
using Source = core::SlashCommandInfo::Source;

constexpr std::size_t k_most_commands = 300;
constexpr int k_deepest_namespace = 4;
constexpr std::size_t k_largest_file = 128U << 10U;
constexpr std::string_view k_ending = ".md";

// What can be typed behind a slash and shown in a list.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char letter) {
           const auto byte = static_cast<unsigned char>(letter);
           return byte > 0x20 && byte != 0x7f && letter != '/' && letter != ':';
         });
}

class Finder {
 public:
  Finder(Source source, const platform::FileSystem& files) : source_(source), files_(files) {}

  void add_skills(const fs::path& folder) {
    const auto entries = files_.list(folder);
    if (!entries.ok()) return;
    for (const platform::DirectoryEntry& entry : *entries) {
      const fs::path file = folder / entry.name / "SKILL.md";
      if (entry.kind == platform::FileKind::regular || !is_name(entry.name)) continue;
      if (const auto info = files_.info(file); !info.ok()) continue;
      add(entry.name, file, true);
    }
  }

  void add_commands(const fs::path& folder, const std::string& prefix, int depth) {
    const auto entries = files_.list(folder);
    if (!entries.ok()) return;
    for (const platform::DirectoryEntry& entry : *entries) {
      const std::string_view name = entry.name;
      const bool is_file = name.ends_with(k_ending) && entry.kind != platform::FileKind::directory;
      const std::string_view stem = is_file ? name.substr(0, name.size() - k_ending.size()) : name;
      if (!is_name(stem)) continue;
      if (is_file) {
        add(prefix + std::string(stem), folder / entry.name, false);
      } else if (entry.kind == platform::FileKind::directory && depth < k_deepest_namespace) {
        add_commands(folder / entry.name, prefix + std::string(stem) + ":", depth + 1);
      }
    }
  }

  std::vector<FoundCommand> take() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& one, const auto& other) { return one.name < other.name; });
    // Skills came first.
    const auto same = [](const auto& one, const auto& other) { return one.name == other.name; };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    return std::move(found_);
  }

 private:
  void add(std::string name, fs::path file, bool is_skill) {
    if (found_.size() >= k_most_commands || to_valid_utf8(name) != name) return;
    found_.push_back({.name = std::move(name),
                      .file = std::move(file),
                      .source = source_,
                      .is_skill = is_skill});
  }

  Source source_;
  const platform::FileSystem& files_;
  std::vector<FoundCommand> found_;
};

}  // namespace

std::vector<FoundCommand> find_commands(const fs::path& folder, Source source,
                                        const platform::FileSystem& files) {
  if (folder.empty()) return {};
  Finder finder(source, files);
  finder.add_skills(folder / "skills");
  finder.add_commands(folder / "commands", "", 0);
  return finder.take();
}

std::optional<CommandFile> read_command(const FoundCommand& command, const fs::path& project,
                                        const platform::FileSystem& files) {
  FileGuard guard;
  if (command.source == Source::project) guard.tree = project;
  const auto text = read_guarded(command.file, guard, k_largest_file, files);
  if (!text) return std::nullopt;
  return parse_command_file(to_valid_utf8(*text));
}

std::string note_grants(std::vector<FoundCommand>& commands, const fs::path& project,
                        const platform::FileSystem& files) {
  std::string lines;
  for (FoundCommand& command : commands) {
    auto file = read_command(command, project, files);
    if (!file) continue;
    command.granted = std::move(file->allowed_tools);
    for (const std::string& rule : command.granted) {
      lines += "in /" + command.name + " allow " + rule + "\n";
    }
  }
  return lines;
}

}  // namespace yume::config
