// SPDX-License-Identifier: MIT
// index.json beside Yume's views: what a list of sessions needs, without opening each of them.
// Shared by all processes of the user; derived, so that losing it loses nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/clock.h"
#include "util/result.h"

namespace yume::transcript {

struct IndexEntry {
  std::string id;
  std::string title = {};
  std::string cwd = {};
  std::string model = {};
  std::string updated = {};  // ISO
  std::int64_t message_count = 0;
  std::int64_t log_bytes = 0;  // how much of the session's file this is about
};

class SessionIndex {
 public:
  SessionIndex(const std::filesystem::path& folder, const platform::Clock& clock);

  [[nodiscard]] std::vector<IndexEntry> read() const;
  Result<void> put(const IndexEntry& entry) const;
  Result<void> forget(const std::string& id) const;

 private:
  std::filesystem::path file_;
  const platform::Clock& clock_;
};

}  // namespace yume::transcript
