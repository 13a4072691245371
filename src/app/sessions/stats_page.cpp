// SPDX-License-Identifier: MIT
// The statistics as a web page: a bar for each day, drawn without a script, and the same numbers as
// tables.
#include "app/sessions/session_stats.h"
#include "app/sessions/session_texts.h"
#include "markdown/html.h"
#include "util/grouped_count.h"

#include <fmt/format.h>

#include <algorithm>

namespace yume::app {
namespace {

using markdown::escaped;

constexpr double k_chart_height = 180;
constexpr double k_axis = 22;
constexpr double k_step = 26;
constexpr double k_bar = 18;
constexpr std::size_t k_most_days = 60;

std::string name_html(const std::string& name) {
  return name.empty() ? "<i>unknown</i>" : escaped(name);
}

// Input below, output on top of it; what each bar stands for is its title.
std::string chart(const SessionStats::Groups& days) {
  auto first = days.begin();
  if (days.size() > k_most_days) {
    std::advance(first, static_cast<std::ptrdiff_t>(days.size() - k_most_days));
  }
  std::int64_t most = 1;
  for (auto day = first; day != days.end(); ++day) {
    most = std::max(most, day->second.usage.prompt_tokens + day->second.usage.billed_output());
  }
  const auto count = static_cast<double>(std::distance(first, days.end()));
  std::string out = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" role=\"img\" "
      "aria-label=\"Tokens by day\">\n",
      count * k_step, k_chart_height + k_axis, count * k_step);
  double left = 0;
  for (auto day = first; day != days.end(); ++day, left += k_step) {
    const core::Usage& usage = day->second.usage;
    const auto height = [&](std::int64_t tokens) {
      return k_chart_height * static_cast<double>(tokens) / static_cast<double>(most);
    };
    const double in = height(usage.prompt_tokens);
    const double out_height = height(usage.billed_output());
    const std::string name = day->first.empty() ? "unknown" : day->first;
    out += "<g><title>" + escaped(name + ": " + spending_text(day->second)) + "</title>";
    out += fmt::format(
        "<rect class=\"in\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\"/>"
        "<rect class=\"out\" x=\"{0:.1f}\" y=\"{4:.1f}\" width=\"{2:.1f}\" height=\"{5:.1f}\"/>"
        "<text x=\"{6:.1f}\" y=\"{7:.1f}\">{8}</text></g>\n",
        left, k_chart_height - in, k_bar, in, k_chart_height - in - out_height, out_height,
        left + k_bar / 2, k_chart_height + k_axis / 2 + 4,
        name.size() > 8 ? escaped(name.substr(8)) : "?");
  }
  return out + "</svg>\n";
}

std::string table(std::string_view title, const SessionStats::Groups& groups) {
  std::string out = "<h2>" + std::string(title) + "s" +
                    "</h2>\n<div class=\"table\"><table>\n<tr><th>" + std::string(title) +
                    "</th><th class=\"right\">Requests</th><th class=\"right\">Tokens in</th>"
                    "<th class=\"right\">Cached</th><th class=\"right\">Tokens out</th>"
                    "<th class=\"right\">Cost</th></tr>\n";
  for (const auto& [name, spending] : groups) {
    out += "<tr><td>" + name_html(name) + "</td>";
    const std::string cost = cost_text(spending);
    for (const std::string& number :
         {grouped(static_cast<std::int64_t>(spending.requests)),
          grouped(spending.usage.prompt_tokens), grouped(spending.usage.cached_tokens),
          grouped(spending.usage.billed_output()), cost.empty() ? std::string("?") : cost}) {
      out += "<td class=\"right\">" + escaped(number) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string stats_html(const SessionStats& stats) {
  std::string out = page_head("Sessions: tokens and cost");
  out += "<header>\n<h1>Sessions: tokens and cost</h1>\n<p>" + escaped(stats_summary(stats)) +
         "</p>\n</header>\n";
  if (!stats.by_day.empty()) {
    out += "<div class=\"table\">" + chart(stats.by_day) +
           "</div>\n<p class=\"legend\"><span class=\"in\">\u25A0</span> tokens in "
           "<span class=\"out\">\u25A0</span> tokens out</p>\n" +
           table("Day", stats.by_day) + table("Model", stats.by_model) +
           table("Project", stats.by_project);
  }
  return out +
         "<footer>Made by yume-cli. Days are those of this machine's clock.</footer>\n"
         "</main>\n</body>\n</html>\n";
}

}  // namespace yume::app
