// SPDX-License-Identifier: MIT
// What files were before the tools changed them, kept for each message of the user, so that a host
// can have them back. One small record and the old bytes for each file and message, in a folder
// beside the session's own file: a later process finds them, too. What commands change is not seen.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/session_report.h"
#include "platform/file_system.h"

namespace yume::session {

class FileCheckpoints {
 public:
  // An empty folder: nothing is kept. `files` outlives this.
  FileCheckpoints(std::filesystem::path folder, platform::FileSystem& files)
      : folder_(std::move(folder)), files_(files) {}

  [[nodiscard]] bool on() const { return !folder_.empty(); }
  // From now on they are kept elsewhere; what was kept before stays where it is.
  void move_to(std::filesystem::path folder);
  // A message of the user begins: what is changed from now on is changed for it.
  void begin(const std::string& prompt_uuid);
  // A tool is about to change this file, by its real path. Any thread.
  void before_change(const std::filesystem::path& file);
  // All files as they were when that message came. A dry run only says what would change.
  core::RewindReport rewind(const std::string& prompt_uuid, bool dry_run);

 private:
  struct Kept {
    std::uint64_t number = 0;
    std::string prompt;
    std::filesystem::path file;
    bool existed = false;
    // Of one that did not: the first folder on the way to it that was not there either.
    std::filesystem::path made_folder = {};
  };
  struct Begun {
    std::string prompt;
    std::uint64_t number = 0;  // of the first record that belongs to it, or to a later one
  };

  [[nodiscard]] std::vector<Kept> all() const;
  [[nodiscard]] std::optional<Kept> read_record(const std::filesystem::path& record) const;
  [[nodiscard]] std::uint64_t next_number();
  void keep(const Kept& kept, const std::string& bytes);
  [[nodiscard]] std::filesystem::path bytes_of(std::uint64_t number) const;
  void restore(const Kept& kept, bool dry_run, core::RewindReport& report);
  [[nodiscard]] std::filesystem::path first_missing_folder(const std::filesystem::path& file) const;
  void remove_empty_folders(const Kept& kept) const;

  std::filesystem::path folder_;
  platform::FileSystem& files_;
  std::mutex mutex_;
  std::vector<Begun> begun_;               // in this process
  std::set<std::filesystem::path> saved_;  // for the last message
  std::optional<std::uint64_t> next_;
};

}  // namespace yume::session
