// SPDX-License-Identifier: MIT
#include "app/session_open.h"

#include "protocol/claude_dialect.h"
#include "util/uuid.h"

#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

fs::path config_root(const platform::Environment& environment, const char* variable,
                     const char* folder) {
  if (const auto named = environment.get(variable)) return environment.cwd / *named;
  return environment.home.empty() ? fs::path() : environment.home / folder;
}

// The branch that HEAD names, without running git.
std::string git_branch(const platform::FileSystem& files, fs::path directory) {
  constexpr std::uint64_t k_largest_head = 4096;
  constexpr std::string_view k_branch = "ref: refs/heads/";
  for (;; directory = directory.parent_path()) {
    const auto head = files.read(directory / ".git" / "HEAD", k_largest_head);
    if (head.ok()) {
      const std::string_view text = *head;
      if (!text.starts_with(k_branch)) return "";
      return std::string(text.substr(k_branch.size(), text.find('\n') - k_branch.size()));
    }
    if (directory == directory.parent_path()) return "";
  }
}

Error unknown_session(const std::string& id) {
  return Error{.code = ErrorCode::not_found,
               .message = "No conversation found with session ID: " + id};
}

}  // namespace

std::vector<fs::path> session_roots(const platform::Environment& environment, bool has_provider) {
  const fs::path claude = config_root(environment, "CLAUDE_CONFIG_DIR", ".claude");
  const fs::path yume = config_root(environment, "YUME_CONFIG_DIR", ".yume");
  std::vector<fs::path> roots =
      has_provider ? std::vector{yume, claude} : std::vector{claude, yume};
  std::erase_if(roots, [](const fs::path& root) { return root.empty(); });
  return roots;
}

session::SessionStore make_session_store(const Options& options, const fs::path& cwd,
                                         const SessionWorld& world) {
  return {{.roots = session_roots(world.environment, options.has_provider),
           .cwd = cwd,
           .version = std::string(protocol::k_claude_code_version),
           .git_branch = git_branch(world.files, cwd)},
          world.files,
          world.clock};
}

Result<session::OpenedSession> open_session(const Options& options,
                                            const session::SessionStore& store) {
  const auto persistence =
      options.session.persisted ? session::Persistence::kept : session::Persistence::memory_only;
  const SessionOptions& wish = options.session;
  std::optional<session::FoundSession> found;
  if (wish.resume_id) {
    found = store.find(*wish.resume_id);
    if (!found && !options.has_provider) return unknown_session(*wish.resume_id);
  } else if (wish.resume_newest) {
    found = store.newest();
  } else if (wish.id && options.has_provider) {
    found = store.find(*wish.id);  // Yume's own ids are used again
  }
  if (!found) return store.create(wish.id.value_or(make_uuid()), persistence);
  if (wish.fork) {
    return store.fork(*found, wish.id.value_or(make_uuid()), wish.resume_at, persistence);
  }
  return store.resume(*found, wish.resume_at, persistence, {});
}

}  // namespace yume::app
