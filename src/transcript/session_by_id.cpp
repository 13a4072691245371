// SPDX-License-Identifier: MIT
#include "transcript/session_by_id.h"

#include <set>
#include <vector>

namespace yume::transcript {
namespace {

constexpr std::size_t k_most_candidates = 5;

Error ambiguous(const std::string& id, const std::vector<std::string>& candidates) {
  std::string message = "'" + id + "' may be one of " + std::to_string(candidates.size()) +
                        " sessions. Give more of the id:";
  for (std::size_t i = 0; i < candidates.size() && i < k_most_candidates; ++i) {
    message += "\n  " + candidates[i];
  }
  if (candidates.size() > k_most_candidates) message += "\n  ...";
  return {.code = ErrorCode::invalid_argument, .message = std::move(message)};
}

}  // namespace

Result<FoundSession> find_session(const SessionStore& store, const std::string& id) {
  if (auto exact = store.find(id)) return *std::move(exact);
  std::vector<std::string> candidates;  // newest first
  std::set<std::string> seen;           // the same id may lie in both roots
  for (const FoundSession& one : store.all()) {
    if (one.id.starts_with(id) && seen.insert(one.id).second) candidates.push_back(one.id);
  }
  if (candidates.size() > 1) return ambiguous(id, candidates);
  auto found = candidates.empty() ? std::nullopt : store.find(candidates.front());
  if (found) return *std::move(found);
  return Error{.code = ErrorCode::not_found,
               .message = "no session's id begins with '" + id +
                          "'. `yume-cli sessions list --all` shows all of them."};
}

}  // namespace yume::transcript
