// SPDX-License-Identifier: MIT
// Tokens and cost of many sessions, by day, model and project; as a table, as JSON, as a web page
// with a chart. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/sessions/session_cost.h"
#include "transcript/shown_session.h"

namespace yume::app {

class SessionStats {
 public:
  void add(const transcript::ShownSession& session, const gemini::ModelCatalog& catalog);
  // What a session of this project had done for it.
  void add_subagent(const transcript::ShownSession& subagent, const std::string& project,
                    const gemini::ModelCatalog& catalog);

  using Groups = std::map<std::string, Spending>;

  std::size_t sessions = 0;
  std::size_t subagents = 0;
  Spending total;
  Groups by_day;  // "2026-01-02" in local time; "" where the file does not say
  Groups by_model;
  Groups by_project;  // by folder

 private:
  void add_requests(const transcript::ShownSession& session, const std::string& project,
                    const gemini::ModelCatalog& catalog);

  std::set<std::string> counted_;
};

// "2 sessions, 1 subagent, 12 requests: ..."
std::string stats_summary(const SessionStats& stats);

struct StatsLook {
  std::optional<int> width = {};  // of the terminal; without one nothing is cut
  bool utf8 = true;
};

std::string stats_text(const SessionStats& stats, const StatsLook& look);
std::string stats_json(const SessionStats& stats);
std::string stats_html(const SessionStats& stats);

}  // namespace yume::app
