// SPDX-License-Identifier: MIT
#include "app/sessions/session_stats.h"

#include "app/sessions/call_summary.h"
#include "platform/local_time.h"
#include "util/display_width.h"
#include "util/escape_codes.h"
#include "util/grouped_count.h"
#include "util/json_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace yume::app {
namespace {

constexpr std::size_t k_numbers_width = 12;
constexpr std::size_t k_least_name = 12;
constexpr std::size_t k_bar_width = 30;
constexpr std::string_view k_unknown = "(unknown)";

std::string day_of(const std::string& iso) {
  const auto time = read_time(iso);
  if (!time) return "";
  const platform::LocalTime local = platform::to_local(*time);
  return fmt::format("{:04}-{:02}-{:02}", local.year, local.month, local.day);
}

std::int64_t tokens_of(const Spending& spending) {
  return spending.usage.prompt_tokens + spending.usage.billed_output();
}

class Table {
 public:
  Table(const StatsLook& look, std::size_t name_width) : look_(look), name_width_(name_width) {}

  void add(std::string_view title, const SessionStats::Groups& groups) {
    if (groups.empty()) return;
    out_ += "\n";
    row(title, {"REQUESTS", "TOKENS IN", "CACHED", "TOKENS OUT", "COST"}, "");
    std::int64_t most = 1;
    for (const auto& [name, spending] : groups) most = std::max(most, tokens_of(spending));
    for (const auto& [name, spending] : groups) {
      const std::string cost = cost_text(spending);
      row(name.empty() ? k_unknown : std::string_view(name),
          {grouped(static_cast<std::int64_t>(spending.requests)),
           grouped(spending.usage.prompt_tokens), grouped(spending.usage.cached_tokens),
           grouped(spending.usage.billed_output()), cost.empty() ? "?" : cost},
          bar(tokens_of(spending), most));
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void row(std::string_view name, const std::vector<std::string>& numbers, const std::string& bar) {
    std::string line = spelled_for_terminal(name);
    if (display_width(line) > name_width_) {
      // The end of a path says more than its beginning.
      line = (look_.utf8 ? "…" : "~") + std::string(suffix_of_width(line, name_width_ - 1));
    }
    line = padded(line, name_width_);
    for (const std::string& number : numbers) {
      line += "  " + fmt::format("{:>{}}", number, k_numbers_width);
    }
    if (!bar.empty()) line += "  " + bar;
    if (look_.width) line = prefix_of_width(line, static_cast<std::size_t>(*look_.width));
    while (line.ends_with(' ')) line.pop_back();
    out_ += line + "\n";
  }

  [[nodiscard]] std::string bar(std::int64_t tokens, std::int64_t most) const {
    const double share = static_cast<double>(tokens) / static_cast<double>(most);
    const auto length = static_cast<std::size_t>(share * static_cast<double>(k_bar_width) + 0.5);
    std::string out;
    for (std::size_t at = 0; at < length; ++at) out += look_.utf8 ? "█" : "#";
    return out;
  }

  const StatsLook& look_;
  std::size_t name_width_;
  std::string out_;
};

std::size_t name_width(const SessionStats& stats, const StatsLook& look) {
  constexpr std::size_t k_numbers = 5 * (k_numbers_width + 2);
  std::size_t width = k_least_name;
  for (const auto* groups : {&stats.by_day, &stats.by_model, &stats.by_project}) {
    for (const auto& [name, spending] : *groups) {
      width = std::max(width, display_width(spelled_for_terminal(name)));
    }
  }
  if (!look.width) return width;
  const auto columns = static_cast<std::size_t>(std::max(*look.width, 1));
  const std::size_t room = columns > k_numbers + k_least_name ? columns - k_numbers : k_least_name;
  return std::min(width, room);
}

void write_spending(JsonWriter& json, const Spending& spending) {
  json.field("requests", static_cast<std::int64_t>(spending.requests));
  json.field("inputTokens", spending.usage.prompt_tokens);
  json.field("cachedTokens", spending.usage.cached_tokens);
  json.field("outputTokens", spending.usage.billed_output());
  json.key("costUSD").number(spending.cost_usd);
  json.field("requestsWithoutPrice", static_cast<std::int64_t>(spending.unpriced));
}

void write_groups(JsonWriter& json, std::string_view key, std::string_view name,
                  const SessionStats::Groups& groups) {
  json.key(key).begin_array();
  for (const auto& [group, spending] : groups) {
    json.begin_object().field(name, group);
    write_spending(json, spending);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void SessionStats::add(const transcript::ShownSession& session,
                       const gemini::ModelCatalog& catalog) {
  ++sessions;
  add_requests(session, session.cwd, catalog);
}

void SessionStats::add_subagent(const transcript::ShownSession& subagent,
                                const std::string& project, const gemini::ModelCatalog& catalog) {
  ++subagents;
  add_requests(subagent, project, catalog);
}

// A session that began as a copy of another one has its requests, too.
void SessionStats::add_requests(const transcript::ShownSession& session, const std::string& project,
                                const gemini::ModelCatalog& catalog) {
  for (const transcript::ShownRequest& request : session.requests) {
    const bool named = !request.message_id.empty();
    if (named && !counted_.insert(request.message_id + " " + request.time).second) continue;
    const Spending spending = spending_of(request, catalog);
    total += spending;
    by_day[day_of(request.time)] += spending;
    by_model[request.model] += spending;
    by_project[project] += spending;
  }
}

std::string stats_summary(const SessionStats& stats) {
  const auto count = [](std::size_t number, const char* one) {
    return grouped(static_cast<std::int64_t>(number)) + " " + one + (number == 1 ? "" : "s");
  };
  return count(stats.sessions, "session") + ", " +
         (stats.subagents == 0 ? "" : count(stats.subagents, "subagent") + ", ") +
         count(stats.total.requests, "request") + ": " + spending_text(stats.total);
}

std::string stats_text(const SessionStats& stats, const StatsLook& look) {
  std::string text = stats_summary(stats) + "\n";
  Table table(look, name_width(stats, look));
  table.add("DAY", stats.by_day);
  table.add("MODEL", stats.by_model);
  table.add("PROJECT", stats.by_project);
  return text + table.take();
}

std::string stats_json(const SessionStats& stats) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("sessions", static_cast<std::int64_t>(stats.sessions));
  json.field("subagents", static_cast<std::int64_t>(stats.subagents));
  write_spending(json, stats.total);
  write_groups(json, "days", "day", stats.by_day);
  write_groups(json, "models", "model", stats.by_model);
  write_groups(json, "projects", "cwd", stats.by_project);
  json.end_object();
  return text + "\n";
}

}  // namespace yume::app
