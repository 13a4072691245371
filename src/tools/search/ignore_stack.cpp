// SPDX-License-Identifier: MIT
#include "tools/search/ignore_stack.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "util/path_text.h"

namespace yume::tools::search {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_largest_ignore_file = 1U << 20U;

constexpr std::array<std::pair<std::string_view, IgnoreSource>, 3> k_files = {
    {{".rgignore", IgnoreSource::rgignore},
     {".ignore", IgnoreSource::ignore},
     {".gitignore", IgnoreSource::gitignore}}};

std::size_t index_of(IgnoreSource source) {
  return static_cast<std::size_t>(source);
}

IgnoreRules read_rules(const platform::FileSystem& files, const fs::path& path) {
  const auto text = files.read(path, k_largest_ignore_file);
  return text.ok() ? IgnoreRules::parse(*text) : IgnoreRules();
}

// One that is too large says nothing, like one that cannot be read.
IgnoreRules read_rules(const platform::TreeDirectory& directory, const std::string& name) {
  auto file = directory.open_file(name);
  if (!file.ok()) return {};
  std::string text(4096, '\0');
  std::size_t used = 0;
  while (used <= k_largest_ignore_file) {
    if (used == text.size()) text.resize(text.size() * 4);
    const auto got = (*file)->read({text.data() + used, text.size() - used});
    if (!got.ok()) return {};
    if (*got == 0) return IgnoreRules::parse(std::string_view(text).substr(0, used));
    used += *got;
  }
  return {};
}

bool says_nothing(const IgnoreNode& node) {
  return !node.is_repository && std::all_of(node.rules.begin(), node.rules.end(),
                                            [](const IgnoreRules& rules) { return rules.empty(); });
}

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

// The value of `excludesFile` in [core]. Includes and escapes of git's format are not followed.
std::optional<std::string> excludes_file(std::string_view config) {
  bool in_core = false;
  std::optional<std::string> found;
  while (!config.empty()) {
    const std::size_t end = config.find('\n');
    const std::string_view line = trimmed(config.substr(0, end));
    config = end == std::string_view::npos ? "" : config.substr(end + 1);
    if (line.starts_with('[')) {
      in_core = lower(line).starts_with("[core]");
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!in_core || equals == std::string_view::npos) continue;
    if (lower(trimmed(line.substr(0, equals))) != "excludesfile") continue;
    std::string_view value = trimmed(line.substr(equals + 1));
    if (value.size() > 1 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    found = std::string(value);
  }
  return found;
}

Candidate seen_from(const IgnoreNode& node, const Candidate& entry, std::string& room) {
  Candidate seen = entry;
  if (!node.above.empty()) {
    if (room.empty()) room.append(node.above).append("/").append(entry.path);
    seen.path = room;
  } else {
    seen.path.remove_prefix(node.below);
  }
  return seen;
}

}  // namespace

IgnoreRules global_ignore_rules(const platform::FileSystem& files, const fs::path& home) {
  if (home.empty()) return {};
  const auto config = files.read(home / ".gitconfig", k_largest_ignore_file);
  std::optional<std::string> named = config.ok() ? excludes_file(*config) : std::nullopt;
  if (!named) return read_rules(files, home / ".config" / "git" / "ignore");
  if (named->starts_with("~/")) return read_rules(files, home / named->substr(2));
  return read_rules(files, home / *named);
}

IgnoreNodes ignore_files_above(const platform::FileSystem& files, const fs::path& root,
                               const fs::path& home) {
  std::vector<fs::path> directories;  // nearest first
  for (fs::path at = root; at.has_relative_path();) {
    at = at.parent_path();
    directories.push_back(at);
  }
  IgnoreNodes nodes;
  for (auto at = directories.rbegin(); at != directories.rend(); ++at) {
    IgnoreNode node{.parent = nodes, .above = to_generic_utf8(root.lexically_relative(*at))};
    node.is_repository = files.info(*at / ".git").ok();
    for (const auto& [name, source] : k_files) {
      node.rules[index_of(source)] = read_rules(files, *at / name);
    }
    if (node.is_repository) {
      node.rules[index_of(IgnoreSource::exclude)] =
          read_rules(files, *at / ".git" / "info" / "exclude");
      node.rules[index_of(IgnoreSource::global)] = global_ignore_rules(files, home);
    }
    if (!says_nothing(node)) nodes = std::make_shared<const IgnoreNode>(std::move(node));
  }
  return nodes;
}

IgnoreNodes with_ignore_files_of(const ListedDirectory& listed, const IgnoreNodes& parents,
                                 const IgnoreRules& global) {
  IgnoreNode node{.parent = parents, .above = {}};
  node.below = listed.path.empty() ? 0 : listed.path.size() + 1;
  for (const platform::DirectoryEntry& entry : listed.entries) {
    if (!entry.name.starts_with('.')) continue;
    for (const auto& [name, source] : k_files) {
      if (entry.name == name) {
        node.rules[index_of(source)] = read_rules(listed.directory, entry.name);
      }
    }
    if (entry.name != ".git") continue;
    node.is_repository = true;
    node.rules[index_of(IgnoreSource::global)] = global;
    const std::string info = listed.path.empty() ? ".git/info" : listed.path + "/.git/info";
    if (const auto directory = listed.tree.open_directory(info); directory.ok()) {
      node.rules[index_of(IgnoreSource::exclude)] = read_rules(**directory, "exclude");
    }
  }
  return says_nothing(node) ? parents : std::make_shared<const IgnoreNode>(std::move(node));
}

Verdict judge(const IgnoreNode* nearest, const Candidate& entry) {
  bool in_repository = false;
  for (const IgnoreNode* node = nearest; node != nullptr; node = node->parent.get()) {
    in_repository |= node->is_repository;
  }
  std::array<Verdict, k_ignore_sources> verdicts{};
  bool inside = in_repository;  // still below the top of the nearest repository
  for (const IgnoreNode* node = nearest; node != nullptr; node = node->parent.get()) {
    std::string room;
    const Candidate seen = seen_from(*node, entry, room);
    for (std::size_t i = 0; i < k_ignore_sources; ++i) {
      const bool from_git = i >= index_of(IgnoreSource::gitignore);
      if (verdicts[i] != Verdict::none || node->rules[i].empty() || (from_git && !inside)) continue;
      verdicts[i] = node->rules[i].judge(seen);
    }
    if (node->is_repository) inside = false;
  }
  for (const Verdict verdict : verdicts) {
    if (verdict != Verdict::none) return verdict;
  }
  return Verdict::none;
}

}  // namespace yume::tools::search
