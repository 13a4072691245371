// SPDX-License-Identifier: MIT
#include "session/open_conversation.h"

#include "transcript/alias_book.h"
#include "transcript/importers/import_history.h"
#include "transcript/record_history.h"
#include "transcript/session_by_id.h"
#include "transcript/session_index.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <optional>
#include <set>
#include <utility>

namespace yume::session {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_history = 512U << 20U;

Error unknown_session(const std::string& id) {
  return Error{.code = ErrorCode::not_found,
               .message = "No conversation found with session ID: " + id};
}

Result<transcript::OpenedSession> open_found(const config::SessionChoice& choice,
                                             const std::optional<transcript::FoundSession>& found,
                                             const transcript::SessionStore& store) {
  const auto persistence =
      choice.persisted ? transcript::Persistence::kept : transcript::Persistence::memory_only;
  if (!found) return store.create(choice.id.value_or(make_uuid()), persistence);
  if (choice.fork) {
    return store.fork(*found, choice.id.value_or(make_uuid()), choice.resume_at, persistence);
  }
  return store.resume(*found, choice.resume_at, persistence, {});
}

// What a made-up id may mean. Nothing that Yume passes tells its tabs apart, so it is bound only
// where there is no choice.
struct Meant {
  std::optional<std::string> id;
  std::size_t candidates = 0;
};

Result<Meant> bind_to_only_one(const std::string& alias, const transcript::SessionStore& store,
                               const transcript::AliasBook& book, const OpenDeps& deps) {
  Meant meant;
  if (deps.made_by.empty()) return meant;
  const std::string cwd = to_utf8(store.settings().cwd);
  const auto entries = transcript::SessionIndex(deps.views, deps.clock).read();
  const auto bound = book.bind_chosen(alias, [&](const std::set<std::string>& taken) {
    std::optional<std::string> chosen;
    for (const transcript::IndexEntry& entry : entries) {
      const bool fits =
          entry.made_by == deps.made_by && entry.model == deps.model && entry.cwd == cwd;
      if (!fits || taken.contains(entry.id) || !store.find(entry.id)) continue;
      ++meant.candidates;
      chosen = entry.id;
    }
    if (meant.candidates == 1) meant.id = chosen;
    return meant.id;
  });
  if (!bound.ok()) return bound.error();
  return meant;
}

std::string begins_anew(const std::string& alias, std::size_t candidates) {
  const std::string why =
      candidates == 0 ? "no conversation is known by that name"
                      : std::to_string(candidates) + " conversations of this folder may be meant";
  return "A new conversation begins: it was asked for as " + alias + ", and " + why + ".";
}

// Yume goes on with ids that it made up itself, and wants its conversation all the same.
Result<transcript::OpenedSession> open_by_alias(const config::SessionChoice& choice,
                                                const transcript::SessionStore& store,
                                                const OpenDeps& deps) {
  const transcript::AliasBook book(deps.views, deps.clock);
  const std::string& alias = *choice.resume_id;
  const auto known = book.find(alias);
  std::optional<transcript::FoundSession> found = known ? store.find(*known) : std::nullopt;
  std::optional<Error> failure;
  std::size_t candidates = 0;
  if (!found && transcript::is_made_up_id(alias)) {
    const auto meant = bind_to_only_one(alias, store, book, deps);
    if (!meant.ok()) failure = meant.error();
    if (meant.ok()) candidates = meant->candidates;
    if (meant.ok() && meant->id) found = store.find(*meant->id);
  }
  auto opened = open_found(choice, found, store);
  const bool is_new = opened.ok() && (!found || choice.fork);
  if (is_new && !failure && !opened->file.empty()) {
    if (const auto bound = book.bind(alias, opened->id); !bound.ok()) failure = bound.error();
  }
  if (opened.ok() && !found) opened->notices.push_back(begins_anew(alias, candidates));
  if (opened.ok() && failure) {
    opened->notices.push_back("The name " + alias + " of this session could not be kept: " +
                              failure->message + ". Resume it as " + opened->id + ".");
  }
  return opened;
}

Result<transcript::OpenedSession> open_chosen(const config::SessionChoice& choice,
                                              const transcript::SessionStore& store,
                                              const OpenDeps& deps) {
  const bool for_yume = choice.host == config::HostKind::yume;
  std::optional<transcript::FoundSession> found;
  if (choice.resume_id) {
    if (for_yume) {
      found = store.find(*choice.resume_id);  // a name of Yume's own is never a beginning
    } else {
      auto meant = transcript::find_session(store, *choice.resume_id);
      if (meant.ok()) {
        found = std::move(meant).value();
      } else if (meant.error().code == ErrorCode::invalid_argument) {
        return Error{.code = ErrorCode::invalid_argument,
                     .message = "Error: --resume " + meant.error().message};
      }
    }
    const bool fails = !for_yume || choice.fallback == config::ResumeFallback::error;
    if (!found && fails) return unknown_session(*choice.resume_id);
    if (!found && choice.fallback == config::ResumeFallback::alias) {
      if (!deps.views.empty()) return open_by_alias(choice, store, deps);
    }
  } else if (choice.resume_newest) {
    found = store.newest();
  } else if (choice.id && for_yume) {
    found = store.find(*choice.id);  // Yume's own ids are used again
  }
  return open_found(choice, found, store);
}

// What was said elsewhere becomes part of the session before anything is asked.
Result<void> begin_with(const fs::path& file, transcript::OpenedSession& session,
                        const platform::FileSystem& files) {
  const auto unusable = [&file](const std::string& why) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "Error: the history file " + to_utf8(file) + " cannot be used: " + why +
                            ". Check --history-file, or leave it out to begin anew."};
  };
  auto bytes = files.read(file, k_largest_history);
  if (!bytes.ok()) return unusable(bytes.error().message);
  auto imported = transcript::import_history(std::move(bytes).value());
  if (!imported.ok()) return unusable(imported.error().message);
  session.past = std::move(imported->conversation);
  if (session.past.entries.empty()) {
    session.notices.push_back("The history file " + to_utf8(file) + " (" +
                              std::string(name_of(imported->format)) + ") holds no messages.");
    return {};
  }
  transcript::record_history(session.past, *session.journal);
  session.size_at_open = 0;  // whoever keeps a view begins with what was just written
  return {};
}

}  // namespace

Result<transcript::OpenedSession> open_conversation(const config::SessionChoice& choice,
                                                    const transcript::SessionStore& store,
                                                    const OpenDeps& deps) {
  auto opened = open_chosen(choice, store, deps);
  if (!opened.ok() || !choice.history_file) return opened;
  const fs::path file = deps.cwd / *choice.history_file;
  if (opened->size_at_open) {
    opened->notices.push_back("The history file " + to_utf8(file) + " was not used: session " +
                              opened->id + " goes on from what it has.");
    return opened;
  }
  if (const auto begun = begin_with(file, *opened, deps.files); !begun) return begun.error();
  return opened;
}

}  // namespace yume::session
