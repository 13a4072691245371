// SPDX-License-Identifier: MIT
// What a list says about a session, read from the two ends of its file, so that a list of a
// thousand sessions does not read them all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "transcript/session_index.h"
#include "transcript/session_store.h"

namespace yume::transcript {

struct SessionSummary {
  std::string id;
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  std::string cwd;
  std::string title;
  std::string model;
  std::string updated;  // ISO; empty: unknown
  std::int64_t messages = 0;
  bool messages_estimated = false;  // from the ends alone
};

// Takes what the index says where it is about the same bytes. Those that changed last come first.
// Sessions in which nobody said anything are left out.
std::vector<SessionSummary> summarise(const std::vector<FoundSession>& sessions,
                                      const std::vector<IndexEntry>& index);

}  // namespace yume::transcript
