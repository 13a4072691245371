// SPDX-License-Identifier: MIT
#include "app/gemini_face/gemini_sessions.h"

#include "app/session_setup.h"
#include "app/sessions/remove_session.h"
#include "platform/file_system.h"
#include "platform/stdio.h"
#include "transcript/session_by_id.h"
#include "transcript/session_summary.h"
#include "util/escape_codes.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using transcript::FoundSession;

constexpr std::string_view k_none = "No previous sessions found for this project.";

Error not_found(std::string message) {
  return {.code = ErrorCode::not_found, .message = std::move(message)};
}

std::string ago(std::int64_t modified_ns, platform::WallTime now) {
  const auto then = platform::WallTime(std::chrono::duration_cast<platform::WallTime::duration>(
      std::chrono::nanoseconds(modified_ns)));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - then).count();
  const auto text = [](std::int64_t count, const std::string& unit) {
    return std::to_string(count) + " " + unit + (count == 1 ? "" : "s") + " ago";
  };
  constexpr std::int64_t k_minute = 60;
  constexpr std::int64_t k_hour = 60 * k_minute;
  constexpr std::int64_t k_day = 24 * k_hour;
  if (seconds < k_minute) return "Just now";
  if (seconds < k_hour) return text(seconds / k_minute, "minute");
  if (seconds < k_day) return text(seconds / k_hour, "hour");
  return text(seconds / k_day, "day");
}

std::string title_of(const FoundSession& session) {
  const auto known = transcript::summarise({session}, {});
  const std::string title = known.empty() ? "" : safe_for_terminal(known.front().title);
  return title.empty() ? "(no answer)" : title;
}

// What it began with, and how long it has rested.
std::string line_of(const FoundSession& session, const platform::Clock& clock) {
  return title_of(session) + " (" + ago(session.modified_ns, clock.wall_now()) + ")";
}

// Everything that these two commands need of the system.
struct Folder {
  Folder(const fs::path& cwd, const platform::Environment& environment)
      : store(make_session_store(config::HostKind::claude, real(cwd), *files, environment, clock)) {
  }
  [[nodiscard]] fs::path real(const fs::path& given) const {
    auto path = files->real_path(given);
    return path.ok() ? std::move(path).value() : given;
  }

  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  platform::SystemClock clock;
  transcript::SessionStore store;
};

}  // namespace

std::vector<FoundSession> numbered_sessions(const transcript::SessionStore& store) {
  std::vector<FoundSession> sessions;
  for (const fs::path& root : store.settings().roots) {
    auto here = store.here(root);
    std::move(here.begin(), here.end(), std::back_inserter(sessions));
  }
  std::sort(sessions.begin(), sessions.end(), [](const FoundSession& a, const FoundSession& b) {
    return std::pair(a.modified_ns, a.id) < std::pair(b.modified_ns, b.id);
  });
  return sessions;
}

Result<FoundSession> session_meant(const std::string& given,
                                   const transcript::SessionStore& store) {
  if (auto exact = store.find(given)) return *std::move(exact);
  std::vector<FoundSession> sessions = numbered_sessions(store);
  if (sessions.empty()) return not_found(std::string(k_none));
  if (given == "latest") return std::move(sessions.back());
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(given.data(), given.data() + given.size(), number);
  const bool is_number = failure == std::errc() && end == given.data() + given.size();
  if (is_number && number >= 1 && number <= sessions.size()) {
    return std::move(sessions[number - 1]);
  }
  if (!is_number) {
    if (auto begun = transcript::find_session(store, given); begun.ok()) return begun;
  }
  return not_found("Invalid session identifier \"" + given +
                   "\". Use --list-sessions to see the sessions, then --resume {number}, --resume "
                   "{id} or --resume latest.");
}

ExitCode list_gemini_sessions(const fs::path& cwd, const platform::Environment& environment,
                              protocol::Output& out) {
  const Folder folder(cwd, environment);
  const std::vector<FoundSession> sessions = numbered_sessions(folder.store);
  if (sessions.empty()) {
    out.line(k_none);
    return ExitCode::success;
  }
  std::string text =
      "\nAvailable sessions for this project (" + std::to_string(sessions.size()) + "):\n";
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    text += "  " + std::to_string(i + 1) + ". " + line_of(sessions[i], folder.clock) + " [" +
            sessions[i].id + "]\n";
  }
  out.bytes(text);
  return ExitCode::success;
}

ExitCode delete_gemini_session(const std::string& given, const fs::path& cwd,
                               const platform::Environment& environment, protocol::Output& out) {
  const Folder folder(cwd, environment);
  // The official CLI ends with 0 here, too.
  const auto meant = session_meant(given, folder.store);
  if (!meant.ok()) {
    (void)platform::stderr_stream()->write("Error: " + meant.error().message + "\n");
    return ExitCode::success;
  }
  const std::vector<FoundSession> sessions = numbered_sessions(folder.store);
  const auto at = std::find_if(sessions.begin(), sessions.end(),
                               [&](const FoundSession& one) { return one.id == meant->id; });
  const std::string number = at == sessions.end() ? "" : std::to_string(at - sessions.begin() + 1);
  const std::string line = line_of(*meant, folder.clock);
  const auto removed = remove_session(*meant, views_folder(environment), folder.clock);
  if (!removed) {
    (void)platform::stderr_stream()->write("Error: " + removed.error().message + "\n");
    return ExitCode::failure;
  }
  out.line("Deleted session " + (number.empty() ? meant->id : number) + ": " + line);
  return ExitCode::success;
}

}  // namespace yume::app
