// SPDX-License-Identifier: MIT
// <yume root>/sessions/index.json: what a list of sessions needs, without opening each of them, and
// who made them. Shared by all processes of the user. Losing it loses no conversation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/clock.h"
#include "platform/parent_process.h"
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
  std::string made_by = {};    // the process that had the session made (maker_name)
};

// The same for every process that this parent starts, and for none of another.
std::string maker_name(const platform::ParentProcess& parent);

class SharedJson;

class SessionIndex {
 public:
  // `views`: the folder of Yume's views.
  SessionIndex(const std::filesystem::path& views, const platform::Clock& clock);

  [[nodiscard]] std::vector<IndexEntry> read() const;
  // Who made a session stays as it was first said.
  Result<void> put(const IndexEntry& entry) const;
  Result<void> forget(const std::string& id) const;

 private:
  [[nodiscard]] SharedJson index() const;

  std::filesystem::path views_;
  const platform::Clock& clock_;
};

}  // namespace yume::transcript
