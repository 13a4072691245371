// SPDX-License-Identifier: MIT
#include "agent/git_snapshot.h"

#include "config/git_worktree.h"
#include "config/guarded_file.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace yume::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_largest_ref = 4096;
constexpr std::size_t k_largest_log = 512U << 10U;
constexpr std::size_t k_most_commits = 5;
constexpr std::size_t k_longest_subject = 100;
constexpr std::size_t k_hash = 40;
constexpr std::size_t k_short_hash = 7;
constexpr std::string_view k_branches = "refs/heads/";
constexpr std::string_view k_other_letters = "-_./+#@=";  // in names

// Where a repository keeps what belongs to this directory, and what all its worktrees share.
struct GitFolders {
  fs::path own;
  fs::path common;
};

struct LogEntry {
  std::string before;  // hash
  std::string action;  // "commit", "commit (amend)"
  std::string subject;
};

bool is_commit(std::string_view action) {
  return action.starts_with("commit") || action == "cherry-pick" || action == "revert";
}

bool is_hash(std::string_view text) {
  return text.size() == k_hash && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Names come from whoever made the repository, and stand in the prompt.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 200 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           k_other_letters.find(c) != std::string_view::npos;
  });
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

class Repository {
 public:
  Repository(GitFolders folders, const platform::FileSystem& files)
      : folders_(std::move(folders)), files_(files) {}

  std::optional<GitSnapshot> snapshot() {
    const std::string head = first_line(folders_.own, "HEAD");
    if (head.empty()) return std::nullopt;
    GitSnapshot found;
    std::string tip = head;
    if (const std::string ref = target(head); !ref.empty()) {
      if (ref.starts_with(k_branches)) found.branch = ref.substr(k_branches.size());
      tip = resolve(ref);
    }
    if (!is_plain_name(found.branch)) found.branch.clear();
    found.main_branch = main_branch();
    if (is_hash(tip)) found.commits = commits_from(tip);
    return found;
  }

 private:
  [[nodiscard]] std::string read(const fs::path& folder, const fs::path& name,
                                 std::size_t limit) const {
    auto text = config::read_guarded(folder / name, {.tree = folder}, limit, files_);
    return text ? *std::move(text) : std::string();
  }
  [[nodiscard]] std::string first_line(const fs::path& folder, const fs::path& name) const {
    const std::string text = read(folder, name, k_largest_ref);
    return text.substr(0, text.find_first_of("\r\n"));
  }
  // "ref: refs/heads/main" names another ref.
  static std::string target(std::string_view line) {
    constexpr std::string_view k_ref = "ref: ";
    if (!line.starts_with(k_ref)) return {};
    const std::string_view ref = line.substr(k_ref.size());
    const bool safe =
        ref.starts_with("refs/") && ref.find("..") == std::string_view::npos && is_plain_name(ref);
    return safe ? std::string(ref) : std::string();
  }

  std::string resolve(const std::string& ref) {
    const std::string loose = first_line(folders_.common, ref);
    if (!loose.empty()) return loose;
    return packed(ref);
  }

  std::string packed(const std::string& ref) {
    if (!packed_) packed_ = read(folders_.common, "packed-refs", k_largest_log);
    std::string_view rest = *packed_;
    while (!rest.empty()) {
      const std::string_view line = take_line(rest);
      if (line.size() > k_hash + 1 && line.substr(k_hash + 1) == ref) {
        return std::string(line.substr(0, k_hash));
      }
    }
    return {};
  }

  std::string main_branch() {
    constexpr std::string_view k_remote = "refs/remotes/origin/";
    const std::string of_remote = target(first_line(folders_.common, "refs/remotes/origin/HEAD"));
    if (of_remote.starts_with(k_remote)) return of_remote.substr(k_remote.size());
    for (const char* name : {"main", "master"}) {
      if (is_hash(resolve(std::string(k_branches) + name))) return name;
    }
    return {};
  }

  // Commits that were made here, by their hash.
  [[nodiscard]] std::map<std::string, LogEntry> log() const {
    std::map<std::string, LogEntry> entries;
    const std::string text = read(folders_.own, "logs/HEAD", k_largest_log);
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view line = take_line(rest);
      const std::size_t tab = line.find('\t');
      const std::size_t colon = line.find(": ", std::min(tab, line.size()));
      if (line.size() < 2 * k_hash + 1 || colon == std::string_view::npos) continue;
      const std::string_view action = line.substr(tab + 1, colon - tab - 1);
      if (!is_commit(action)) continue;
      entries[std::string(line.substr(k_hash + 1, k_hash))] = {
          .before = std::string(line.substr(0, k_hash)),
          .action = std::string(action),
          .subject = std::string(utf8_prefix(line.substr(colon + 2), k_longest_subject))};
    }
    return entries;
  }

  // Along the first parents, as far as the log says which they are.
  [[nodiscard]] std::vector<std::string> commits_from(std::string tip) const {
    const auto entries = log();
    std::vector<std::string> commits;
    while (commits.size() < k_most_commits) {
      const auto entry = entries.find(tip);
      if (entry == entries.end()) break;
      commits.push_back(tip.substr(0, k_short_hash) + " " + to_valid_utf8(entry->second.subject));
      std::string before = entry->second.before;
      // An amended commit has the parent of the one that it replaces.
      auto replaced = entry;
      for (int i = 0; i < 100 && replaced->second.action == "commit (amend)"; ++i) {
        replaced = entries.find(before);
        if (replaced == entries.end()) return commits;
        before = replaced->second.before;
      }
      if (before == tip) break;
      tip = std::move(before);
    }
    return commits;
  }

  GitFolders folders_;
  const platform::FileSystem& files_;
  std::optional<std::string> packed_;
};

std::optional<GitFolders> folders_at(const fs::path& root, const platform::FileSystem& files) {
  const auto info = files.info(root / ".git");
  if (!info.ok()) return std::nullopt;
  if (info->kind == platform::FileKind::directory) {
    const auto real = files.real_path(root / ".git");
    if (!real.ok()) return std::nullopt;
    return GitFolders{*real, *real};
  }
  const config::WorktreePlaces places = config::worktree_places(root, files);
  if (places.writable.empty()) return std::nullopt;
  const fs::path& own = places.writable.front();
  return GitFolders{own, own.parent_path().parent_path()};
}

}  // namespace

std::optional<GitSnapshot> read_git_snapshot(const fs::path& directory,
                                             const platform::FileSystem& files) {
  for (fs::path at = directory; !at.empty(); at = at.parent_path()) {
    if (auto folders = folders_at(at, files)) {
      return Repository(*std::move(folders), files).snapshot();
    }
    if (at == at.root_path()) break;
  }
  return std::nullopt;
}

}  // namespace yume::agent
