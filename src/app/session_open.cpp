// SPDX-License-Identifier: MIT
#include "app/session_open.h"

#include "platform/kept_files.h"
#include "protocol/claude_dialect.h"
#include "session/alias_book.h"
#include "session/importers/import_history.h"
#include "session/record_history.h"
#include "session/session_paths.h"
#include "util/uuid.h"

#include <set>
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

constexpr std::uint64_t k_largest_history = 512U << 20U;

Error unknown_session(const std::string& id) {
  return Error{.code = ErrorCode::not_found,
               .message = "No conversation found with session ID: " + id};
}

Result<session::OpenedSession> open_found(const SessionOptions& wish,
                                          const std::optional<session::FoundSession>& found,
                                          const session::SessionStore& store) {
  const auto persistence =
      wish.persisted ? session::Persistence::kept : session::Persistence::memory_only;
  if (!found) return store.create(wish.id.value_or(make_uuid()), persistence);
  if (wish.fork) {
    return store.fork(*found, wish.id.value_or(make_uuid()), wish.resume_at, persistence);
  }
  return store.resume(*found, wish.resume_at, persistence, {});
}

// A host that made up an id means the session it has just seen, whose process may be about to end.
// That of another window may run on for long: then the newest that has ended is taken.
constexpr std::chrono::milliseconds k_newest_patience{1'000};
constexpr std::chrono::milliseconds k_any_patience{4'500};
constexpr std::chrono::milliseconds k_look_again{20};

struct Pick {
  std::optional<std::string> id;
  bool some_run = false;  // but may end soon
};

Pick pick_session(const std::vector<session::FoundSession>& newest_first,
                  const std::set<std::string>& taken, bool only_newest) {
  Pick pick;
  for (const session::FoundSession& one : newest_first) {
    if (taken.contains(one.id)) continue;
    if (!platform::is_locked(one.file)) {
      pick.id = one.id;
      return pick;
    }
    pick.some_run = true;
    if (only_newest) return pick;
  }
  return pick;
}

Result<std::optional<std::string>> bind_to_newest(const std::string& alias,
                                                  const session::SessionStore& store,
                                                  const session::AliasBook& book,
                                                  const platform::Clock& clock) {
  const platform::SteadyTime start = clock.steady_now();
  for (;;) {
    const auto waited = clock.steady_now() - start;
    Pick pick;
    const auto bound = book.bind_chosen(alias, [&](const std::set<std::string>& taken) {
      pick = pick_session(store.here(store.settings().roots.front()), taken,
                          waited < k_newest_patience);
      return pick.id;
    });
    if (!bound.ok() || *bound || !pick.some_run || waited >= k_any_patience) return bound;
    clock.sleep_for(k_look_again, {});
  }
}

// Yume goes on with ids that it made up itself, and wants its conversation all the same.
Result<session::OpenedSession> open_by_alias(const Options& options,
                                             const session::SessionStore& store,
                                             const session::AliasBook& book,
                                             const platform::Clock& clock) {
  const std::string& alias = *options.session.resume_id;
  const auto known = book.find(alias);
  std::optional<session::FoundSession> found = known ? store.find(*known) : std::nullopt;
  std::optional<Error> failure;
  if (!found && session::is_made_up_id(alias)) {
    const auto bound = bind_to_newest(alias, store, book, clock);
    if (!bound.ok()) failure = bound.error();
    if (bound.ok() && *bound) found = store.find(**bound);
  }
  auto opened = open_found(options.session, found, store);
  const bool is_new = opened.ok() && (!found || options.session.fork);
  if (is_new && !failure && !opened->file.empty()) {
    if (const auto bound = book.bind(alias, opened->id); !bound.ok()) failure = bound.error();
  }
  if (opened.ok() && failure) {
    opened->notices.push_back("The name " + alias + " of this session could not be kept: " +
                              failure->message + ". Resume it as " + opened->id + ".");
  }
  return opened;
}

}  // namespace

std::filesystem::path yume_views_folder(const platform::Environment& environment) {
  const fs::path root = config_root(environment, "YUME_CONFIG_DIR", ".yume");
  return root.empty() ? fs::path() : session::views_folder(root);
}

std::optional<session::ViewSettings> yume_view_settings(const Options& options,
                                                        const session::OpenedSession& session,
                                                        const PreparedSession& prepared,
                                                        const platform::Environment& environment) {
  const fs::path folder = yume_views_folder(environment);
  if (!options.has_provider || session.file.empty() || folder.empty()) return std::nullopt;
  return session::ViewSettings{.folder = folder,
                               .session_file = session.file,
                               .size_at_open = session.size_at_open,
                               .model = prepared.model.id,
                               .price = prepared.price};
}

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

namespace {

Result<session::OpenedSession> open_wished(const Options& options,
                                           const session::SessionStore& store,
                                           const SessionWorld& world) {
  const SessionOptions& wish = options.session;
  std::optional<session::FoundSession> found;
  if (wish.resume_id) {
    found = store.find(*wish.resume_id);
    const bool fails = !options.has_provider || wish.fallback == ResumeFallback::error;
    if (!found && fails) return unknown_session(*wish.resume_id);
    if (!found && wish.fallback == ResumeFallback::alias) {
      const fs::path folder = yume_views_folder(world.environment);
      if (!folder.empty()) return open_by_alias(options, store, {folder, world.clock}, world.clock);
    }
  } else if (wish.resume_newest) {
    found = store.newest();
  } else if (wish.id && options.has_provider) {
    found = store.find(*wish.id);  // Yume's own ids are used again
  }
  return open_found(wish, found, store);
}

// What was said elsewhere becomes part of the session before anything is asked.
Result<void> begin_with(const fs::path& file, session::OpenedSession& session,
                        const platform::FileSystem& files) {
  const auto unusable = [&file](const std::string& why) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "Error: the history file " + file.string() + " cannot be used: " + why +
                            ". Check --history-file, or leave it out to begin anew."};
  };
  auto bytes = files.read(file, k_largest_history);
  if (!bytes.ok()) return unusable(bytes.error().message);
  auto imported = session::import_history(std::move(bytes).value());
  if (!imported.ok()) return unusable(imported.error().message);
  session.past = std::move(imported->conversation);
  if (session.past.entries.empty()) {
    session.notices.push_back("The history file " + file.string() + " (" +
                              std::string(name_of(imported->format)) + ") holds no messages.");
    return {};
  }
  session::record_history(session.past, *session.journal);
  session.size_at_open = 0;  // whoever keeps a view begins with what was just written
  return {};
}

}  // namespace

Result<session::OpenedSession> open_session(const Options& options,
                                            const session::SessionStore& store,
                                            const SessionWorld& world) {
  auto opened = open_wished(options, store, world);
  if (!opened.ok() || !options.session.history_file) return opened;
  const fs::path file = world.environment.cwd / *options.session.history_file;
  if (opened->size_at_open) {
    opened->notices.push_back("The history file " + file.string() + " was not used: session " +
                              opened->id + " goes on from what it has.");
    return opened;
  }
  if (const auto begun = begin_with(file, *opened, world.files); !begun) return begun.error();
  return opened;
}

}  // namespace yume::app
