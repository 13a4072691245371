// SPDX-License-Identifier: MIT
#include "app/dialect_choice.h"

#include "util/ascii.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::app {
namespace {

constexpr std::array<std::pair<std::string_view, DialectName>, 6> k_names = {
    {{"yume", DialectName::yume},
     {"yume-app", DialectName::yume_app},
     {"claude", DialectName::claude},
     {"gemini", DialectName::gemini},
     {"insights", DialectName::insights},
     {"agent-events", DialectName::agent_events}}};

// "yume" as it is built, "Yume" and "Yume Beta" as it is installed; never this program.
bool is_yume_app(std::string_view program) {
  const std::string lower = ascii_lower(program);
  const std::string_view name =
      std::string_view(lower).substr(0, lower.size() - (lower.ends_with(".exe") ? 4 : 0));
  if (name.starts_with("yume-cli")) return false;
  return name == "yume" || program.starts_with("Yume");
}

}  // namespace

std::optional<DialectName> parse_dialect(std::string_view name) {
  for (const auto& [text, dialect] : k_names) {
    if (text == name) return dialect;
  }
  return std::nullopt;
}

std::string_view name_of(DialectName dialect) {
  for (const auto& [text, one] : k_names) {
    if (one == dialect) return text;
  }
  return "";
}

std::string dialect_list() {
  std::string list;
  for (const auto& [text, dialect] : k_names) {
    const bool last = text == k_names.back().first;
    list.append(list.empty() ? "" : last ? " or " : ", ").append(text);
  }
  return list;
}

void settle_format(Options& options) {
  const bool lines_only =
      options.dialect == DialectName::insights || options.dialect == DialectName::agent_events;
  if (!lines_only) return;
  if (!options.output_format) options.output_format = OutputFormat::stream_json;
  options.host_answers |=
      options.dialect == DialectName::insights && options.input_format == InputFormat::stream_json;
  options.replays_prompts |= options.dialect == DialectName::insights;
}

bool has_yume_app(const std::vector<std::string>& programs) {
  return std::any_of(programs.begin(), programs.end(), is_yume_app);
}

void settle_dialect(const config::SettingsStack& settings,
                    const std::vector<std::string>& ancestors, Options& options) {
  if (options.dialect_reason != DialectReason::usual) return;
  const auto named = settings.value(&config::Settings::dialect);
  if (const auto dialect = named ? parse_dialect(*named) : std::nullopt) {
    options.dialect = *dialect;
    options.dialect_reason = DialectReason::settings;
    settle_format(options);
  } else if (options.has_provider && has_yume_app(ancestors)) {
    options.dialect = DialectName::yume_app;
    options.dialect_reason = DialectReason::parent;
  }
}

void settle_live_text(const config::SettingsStack& settings, Options& options) {
  if (!options.live_text) options.live_text = settings.value(&config::Settings::live_text);
}

std::string dialect_in_words(const Options& options) {
  std::string text(name_of(options.dialect));
  switch (options.dialect_reason) {
    case DialectReason::flag:
      return text + ", by --dialect";
    case DialectReason::variable:
      return text + ", by YUME_CLI_DIALECT";
    case DialectReason::settings:
      return text + ", by the settings";
    case DialectReason::parent:
      return text + ", because the Yume app started this program";
    case DialectReason::face:
      return text + ", because this program was started as gemini";
    case DialectReason::usual:
      break;
  }
  return text;
}

}  // namespace yume::app
