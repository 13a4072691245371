// SPDX-License-Identifier: MIT
// Finds, opens, continues and forks sessions. What it opens is locked for as long as its journal
// lives; a session that another process has open is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/conversation.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "transcript/journal.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::transcript {

struct StoreSettings {
  std::vector<std::filesystem::path> roots;  // the first is where new sessions go
  std::filesystem::path cwd;                 // real
  std::string version;
  std::string git_branch = {};
  // Told once when a session is open in another process, before that is waited for.
  std::function<void(const std::filesystem::path& file)> when_busy = {};
};

struct FoundSession {
  std::string id;
  std::filesystem::path file;
  std::int64_t modified_ns = 0;
  std::uint64_t size = 0;
};

struct OpenedSession {
  std::string id;
  std::filesystem::path file;  // empty: not kept
  std::unique_ptr<Journal> journal;
  core::Conversation past;
  std::vector<std::string> notices;  // for people: what was damaged, what cannot be kept
  // How much of the file was there before, where that is known; none: the session is new.
  std::optional<std::uint64_t> size_at_open = {};
};

enum class Persistence { kept, memory_only };

// The journal of a subagent, beside the file of the session that it works for, whose journal gives
// what all lines have in common. `file` empty: it is not kept.
std::unique_ptr<Journal> subagent_journal(const std::filesystem::path& file, LineHead head,
                                          const platform::Clock& clock);

class SessionStore {
 public:
  SessionStore(StoreSettings settings, platform::FileSystem& files, const platform::Clock& clock);

  // In this directory's project first, then in every project of every root.
  [[nodiscard]] std::optional<FoundSession> find(std::string_view id) const;
  // The one of this working directory that was changed last.
  [[nodiscard]] std::optional<FoundSession> newest() const;
  // Those of this working directory in the root, newest first.
  [[nodiscard]] std::vector<FoundSession> here(const std::filesystem::path& root) const;
  // All of them, newest first.
  [[nodiscard]] std::vector<FoundSession> all() const;

  // A new one. Its file is made with the first record. Error invalid_argument when the id is taken.
  Result<OpenedSession> create(const std::string& id, Persistence persistence) const;
  // Goes on with a session. Waits a moment for another process to let go of it; then error busy.
  Result<OpenedSession> resume(const FoundSession& session, std::optional<std::string> up_to,
                               Persistence persistence, const CancelToken& cancel) const;
  // A new session that begins with all of another, which may be open elsewhere.
  Result<OpenedSession> fork(const FoundSession& session, const std::string& new_id,
                             std::optional<std::string> up_to, Persistence persistence) const;

  [[nodiscard]] const StoreSettings& settings() const { return settings_; }

 private:
  [[nodiscard]] LineHead head(const std::string& id) const;
  Result<core::Conversation> read(const std::filesystem::path& file,
                                  std::optional<std::string> up_to) const;
  [[nodiscard]] platform::AppendFileSpec to_append(const std::filesystem::path& file) const;
  Result<std::unique_ptr<platform::AppendFile>> lock(const FoundSession& session,
                                                     const CancelToken& cancel) const;
  [[nodiscard]] std::vector<FoundSession> sessions_in(const std::filesystem::path& project) const;

  StoreSettings settings_;
  platform::FileSystem& files_;
  const platform::Clock& clock_;
};

}  // namespace yume::transcript
