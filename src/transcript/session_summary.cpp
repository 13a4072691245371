// SPDX-License-Identifier: MIT
#include "transcript/session_summary.h"

#include "platform/kept_files.h"
#include "transcript/shown_session.h"

#include <algorithm>
#include <map>
#include <utility>

namespace yume::transcript {
namespace {

constexpr std::size_t k_small = 64U << 10U;       // read as a whole
constexpr std::size_t k_end = 8U << 10U;          // of either end, to begin with
constexpr std::size_t k_longest_end = 1U << 20U;  // when that is not enough

// Whole lines only.
void cut_last_line(std::string& text) {
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

void cut_first_line(std::string& text) {
  text.erase(0, std::min(text.find('\n'), text.size()));
}

std::string read_head(const FoundSession& session, std::size_t bytes) {
  auto head = platform::read_part(session.file, 0, bytes);
  if (!head.ok()) return "";
  if (head->size() < session.size) cut_last_line(*head);
  return std::move(head).value();
}

// From a line's beginning on; more than usual when the last line alone is longer.
std::string read_tail(const FoundSession& session, std::uint64_t after) {
  for (const std::size_t bytes : {k_end, k_longest_end}) {
    const std::uint64_t from =
        std::max<std::uint64_t>(after, session.size - std::min<std::uint64_t>(session.size, bytes));
    auto tail = platform::read_part(session.file, from, bytes);
    if (!tail.ok()) return "";
    if (from > after) cut_first_line(*tail);
    if (tail->find_first_not_of('\n') != std::string::npos) return std::move(tail).value();
  }
  return "";
}

struct Ends {
  ShownSession shown;
  std::uint64_t sampled = 0;
};

Ends read_ends(const FoundSession& session, std::size_t head_bytes) {
  std::string ends = read_head(session, head_bytes);
  if (ends.size() < session.size) ends += read_tail(session, ends.size());
  return {.shown = read_shown(ends), .sampled = ends.size()};
}

SessionSummary of_ends(const FoundSession& session) {
  Ends ends = read_ends(session, session.size <= k_small ? k_small : k_end);
  const bool has_more = ends.sampled < session.size;
  if (has_more && ends.shown.title.empty()) ends = read_ends(session, k_longest_end);
  const ShownSession& shown = ends.shown;
  const std::uint64_t sampled = ends.sampled;
  SessionSummary summary{.id = session.id,
                         .file = session.file,
                         .bytes = session.size,
                         .cwd = shown.cwd,
                         .title = shown.title,
                         .model = shown.model,
                         .updated = shown.updated};
  summary.messages = static_cast<std::int64_t>(shown.message_count());
  summary.messages_estimated = sampled < session.size;
  if (summary.messages_estimated && sampled > 0) {
    const double share = static_cast<double>(session.size) / static_cast<double>(sampled);
    summary.messages = static_cast<std::int64_t>(static_cast<double>(summary.messages) * share);
  }
  return summary;
}

}  // namespace

std::vector<SessionSummary> summarise(const std::vector<FoundSession>& sessions,
                                      const std::vector<IndexEntry>& index) {
  std::map<std::string, const IndexEntry*> known;
  for (const IndexEntry& entry : index) known[entry.id] = &entry;
  std::vector<SessionSummary> summaries;
  for (const FoundSession& session : sessions) {
    const auto entry = known.find(session.id);
    const bool covered =
        entry != known.end() && entry->second->log_bytes == static_cast<std::int64_t>(session.size);
    if (covered) {
      const IndexEntry& one = *entry->second;
      summaries.push_back({.id = session.id,
                           .file = session.file,
                           .bytes = session.size,
                           .cwd = one.cwd,
                           .title = one.title,
                           .model = one.model,
                           .updated = one.updated,
                           .messages = one.message_count});
    } else if (SessionSummary summary = of_ends(session); summary.messages > 0) {
      summaries.push_back(std::move(summary));
    }
  }
  std::stable_sort(summaries.begin(), summaries.end(),
                   [](const SessionSummary& left, const SessionSummary& right) {
                     // ISO times sort as texts; the order of equal ones must not depend on the
                     // disk.
                     if (left.updated != right.updated) return left.updated > right.updated;
                     return left.id < right.id;
                   });
  return summaries;
}

}  // namespace yume::transcript
