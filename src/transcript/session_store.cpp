// SPDX-License-Identifier: MIT
#include "transcript/session_store.h"

#include "platform/kept_files.h"
#include "transcript/session_paths.h"
#include "transcript/transcript_reader.h"
#include "util/json_io.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;
using platform::AppendFile;
using std::chrono::milliseconds;

// A host that interrupts one process and starts the next lets them overlap; an interrupted turn
// takes at most 4 s to end.
constexpr milliseconds k_lock_patience{4'500};
constexpr milliseconds k_lock_pause{20};
constexpr std::string_view k_ending = ".jsonl";

// The conversation goes on with every call answered, also for other readers of the file.
void close_open_calls(OpenedSession& session) {
  for (const core::PastEntry& entry : session.past.entries) {
    const auto* answers = std::get_if<core::PastResults>(&entry);
    if (answers == nullptr) continue;
    for (const core::PastResult& result : answers->results) {
      const auto& open = session.past.open_calls;
      if (std::find(open.begin(), open.end(), result.call_id) == open.end()) continue;
      core::ToolOutcome outcome;
      outcome.is_error = true;
      outcome.content = result.text;
      session.journal->result({.id = result.call_id, .name = {}, .input = {"{}"}}, outcome);
    }
  }
}

void note_damage(OpenedSession& session) {
  const std::size_t skipped = session.past.skipped;
  if (skipped == 0) return;
  session.notices.push_back("Session " + session.id + ": " + std::to_string(skipped) +
                            (skipped == 1 ? " line" : " lines") + " could not be read and " +
                            (skipped == 1 ? "was" : "were") +
                            " passed over; the file is unchanged.");
}

void sort_by_age(std::vector<FoundSession>& sessions) {
  std::sort(sessions.begin(), sessions.end(),
            [](const FoundSession& left, const FoundSession& right) {
              return left.modified_ns > right.modified_ns;
            });
}

std::string with_session_id(const std::string& bytes, const std::string& old_id,
                            const std::string& new_id) {
  // Inside texts the quotes are escaped, so this is only ever the field itself.
  const std::string from = R"("sessionId":")" + old_id + "\"";
  const std::string to = R"("sessionId":")" + new_id + "\"";
  std::string out;
  out.reserve(bytes.size() + 1024);
  std::size_t done = 0;
  for (std::size_t at = 0; (at = bytes.find(from, done)) != std::string::npos;) {
    out.append(bytes, done, at - done).append(to);
    done = at + from.size();
  }
  return out.append(bytes, done);
}

}  // namespace

std::unique_ptr<Journal> subagent_journal(const fs::path& file, LineHead head,
                                          const platform::Clock& clock) {
  Journal::Open open;
  if (!file.empty()) {
    open = [file] {
      return platform::open_append_file(
          {.path = file, .purpose = platform::OpenFor::creating, .classify_tail = [](auto) {
             return platform::Tail::torn;
           }});
    };
  }
  return std::make_unique<Journal>(nullptr, std::move(open), std::move(head),
                                   std::vector<std::string>(), clock);
}

SessionStore::SessionStore(StoreSettings settings, platform::FileSystem& files,
                           const platform::Clock& clock)
    : settings_(std::move(settings)), files_(files), clock_(clock) {}

LineHead SessionStore::head(const std::string& id) const {
  return {.session_id = id,
          .cwd = to_utf8(settings_.cwd),
          .version = settings_.version,
          .git_branch = settings_.git_branch};
}

std::vector<FoundSession> SessionStore::sessions_in(const fs::path& project) const {
  std::vector<FoundSession> found;
  const auto entries = files_.list(project);
  if (!entries.ok()) return found;
  for (const platform::DirectoryEntry& entry : *entries) {
    const std::string_view name = entry.name;
    // The transcripts of Claude's subagents lie beside those of people.
    if (!name.ends_with(k_ending) || name.starts_with("agent-")) continue;
    const auto info = files_.info(project / entry.name);
    if (!info.ok() || info->kind != platform::FileKind::regular || info->size == 0) continue;
    found.push_back({.id = std::string(name.substr(0, name.size() - k_ending.size())),
                     .file = project / entry.name,
                     .modified_ns = info->modified_ns,
                     .size = info->size});
  }
  return found;
}

std::optional<FoundSession> SessionStore::find(std::string_view id) const {
  if (!is_session_id(id)) return std::nullopt;
  const auto look = [&](const fs::path& file) -> std::optional<FoundSession> {
    const auto info = files_.info(file);
    if (!info.ok() || info->kind != platform::FileKind::regular) return std::nullopt;
    return FoundSession{
        .id = std::string(id), .file = file, .modified_ns = info->modified_ns, .size = info->size};
  };
  for (const fs::path& root : settings_.roots) {
    if (auto found = look(session_file(root, settings_.cwd, id))) return found;
  }
  for (const fs::path& root : settings_.roots) {
    const auto projects = files_.list(projects_directory(root));
    if (!projects.ok()) continue;
    for (const platform::DirectoryEntry& project : *projects) {
      const fs::path file =
          projects_directory(root) / project.name / (std::string(id) + std::string(k_ending));
      if (auto found = look(file)) return found;
    }
  }
  return std::nullopt;
}

std::vector<FoundSession> SessionStore::here(const fs::path& root) const {
  auto found = sessions_in(projects_directory(root) / project_key(settings_.cwd));
  sort_by_age(found);
  return found;
}

std::optional<FoundSession> SessionStore::newest() const {
  std::optional<FoundSession> newest;
  for (const fs::path& root : settings_.roots) {
    auto found = here(root);
    if (found.empty()) continue;
    if (!newest || found.front().modified_ns > newest->modified_ns) {
      newest = std::move(found.front());
    }
  }
  return newest;
}

std::vector<FoundSession> SessionStore::all() const {
  std::vector<FoundSession> found;
  for (const fs::path& root : settings_.roots) {
    const auto projects = files_.list(projects_directory(root));
    if (!projects.ok()) continue;
    for (const platform::DirectoryEntry& project : *projects) {
      auto here = sessions_in(projects_directory(root) / project.name);
      std::move(here.begin(), here.end(), std::back_inserter(found));
    }
  }
  sort_by_age(found);
  return found;
}

platform::AppendFileSpec SessionStore::to_append(const fs::path& file) const {
  return {.path = file,
          .purpose = platform::OpenFor::appending,
          .classify_tail = [this, folder = session_folder(file)](std::string_view tail) {
            if (tail.starts_with('{') && check_json(tail).ok()) return platform::Tail::whole;
            // Half a line is of no use to the program, but it may be to a person.
            if (files_.create_directories(folder).ok()) {
              (void)files_.replace(folder / ("torn-" + make_uuid() + ".txt"), tail);
            }
            return platform::Tail::torn;
          }};
}

Result<std::unique_ptr<AppendFile>> SessionStore::lock(const FoundSession& session,
                                                       const CancelToken& cancel) const {
  const platform::SteadyTime give_up = clock_.steady_now() + k_lock_patience;
  for (bool first = true;; first = false) {
    auto opened = platform::open_append_file(to_append(session.file));
    const bool busy = !opened.ok() && opened.error().code == ErrorCode::busy;
    if (!busy || clock_.steady_now() >= give_up) return opened;
    if (first && settings_.when_busy) settings_.when_busy(session.file);
    if (!clock_.sleep_for(k_lock_pause, cancel)) return opened;
  }
}

Result<core::Conversation> SessionStore::read(const fs::path& file,
                                              std::optional<std::string> up_to) const {
  YUME_TRY(std::string bytes, files_.read(file, std::numeric_limits<std::uint64_t>::max()));
  return read_transcript({.bytes = std::move(bytes), .up_to = std::move(up_to)});
}

Result<OpenedSession> SessionStore::create(const std::string& id, Persistence persistence) const {
  if (!is_session_id(id)) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "Error: Invalid session ID. Use letters, digits, - and _ only."};
  }
  OpenedSession session{.id = id, .file = {}, .journal = nullptr, .past = {}, .notices = {}};
  Journal::Open open;
  if (persistence == Persistence::kept && !settings_.roots.empty()) {
    session.file = session_file(settings_.roots.front(), settings_.cwd, id);
    if (files_.info(session.file).ok()) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "Error: Session ID " + id + " is already in use."};
    }
    open = [file = session.file] {
      return platform::open_append_file(
          {.path = file, .purpose = platform::OpenFor::creating, .classify_tail = [](auto) {
             return platform::Tail::torn;
           }});
    };
  }
  session.journal = std::make_unique<Journal>(nullptr, std::move(open), head(id),
                                              std::vector<std::string>(), clock_);
  return session;
}

Result<OpenedSession> SessionStore::resume(const FoundSession& found,
                                           std::optional<std::string> up_to,
                                           Persistence persistence,
                                           const CancelToken& cancel) const {
  OpenedSession session{.id = found.id, .file = {}, .journal = nullptr, .past = {}, .notices = {}};
  std::unique_ptr<AppendFile> file;
  Journal::Open cannot_open;
  if (persistence == Persistence::kept) {
    auto locked = lock(found, cancel);
    if (locked.ok()) {
      file = std::move(locked).value();
      session.file = found.file;
    } else if (locked.error().code == ErrorCode::busy) {
      return Error{.code = ErrorCode::busy,
                   .message = "Error: session " + found.id +
                              " is in use: " + locked.error().message +
                              ". Wait for it to end, or add --fork-session to go on in a copy."};
    } else {
      // Told with the first record that cannot be written.
      cannot_open = [error = locked.error()] { return error; };
    }
  }
  YUME_TRY(session.past, read(found.file, std::move(up_to)));
  session.size_at_open = file == nullptr ? 0 : file->size();
  session.journal = std::make_unique<Journal>(std::move(file), std::move(cannot_open),
                                              head(found.id), session.past.chain, clock_);
  close_open_calls(session);
  note_damage(session);
  return session;
}

Result<OpenedSession> SessionStore::fork(const FoundSession& found, const std::string& new_id,
                                         std::optional<std::string> up_to,
                                         Persistence persistence) const {
  YUME_TRY(OpenedSession session, create(new_id, persistence));
  YUME_TRY(std::string bytes, files_.read(found.file, std::numeric_limits<std::uint64_t>::max()));
  YUME_TRY(session.past, read_transcript({.bytes = bytes, .up_to = std::move(up_to)}));
  session.size_at_open = 0;
  Journal::Open open;
  if (!session.file.empty()) {
    open = [this, to = session.file, old_id = found.id, new_id,
            bytes = std::move(bytes)]() -> Result<std::unique_ptr<AppendFile>> {
      if (const auto made = platform::make_private_directories(to.parent_path()); !made.ok()) {
        return made.error();
      }
      const auto copied = platform::replace_private(to, with_session_id(bytes, old_id, new_id),
                                                    platform::Durability::survives_kill);
      if (!copied.ok()) return copied.error();
      return platform::open_append_file(to_append(to));
    };
  }
  session.journal =
      std::make_unique<Journal>(nullptr, std::move(open), head(new_id), session.past.chain, clock_);
  close_open_calls(session);
  note_damage(session);
  return session;
}

}  // namespace yume::transcript
