// SPDX-License-Identifier: MIT
#include "app/models_command.h"

#include "app/commands/command_table.h"
#include "platform/file_system.h"
#include "platform/stdio.h"
#include "util/display_width.h"
#include "util/grouped_count.h"
#include "util/json_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace yume::app {
namespace {

using gemini::ModelInfo;
using gemini::ThinkingControl;
using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view k_gap = "  ";
constexpr std::size_t k_names_column = 38;

enum Column {
  model,
  window,
  output,
  thinking,
  input_price,
  output_price,
  cached_price,
  status,
  note
};
constexpr std::size_t k_columns = note + 1;
constexpr std::array<std::string_view, k_columns> k_titles = {
    "MODEL", "WINDOW", "OUTPUT", "THINKING", "IN $/M", "OUT $/M", "CACHED $/M", "STATUS", "NOTE"};
// What stands together, most important first. A narrow terminal gets what fits.
const std::vector<std::vector<Column>>& columns_by_worth() {
  static const std::vector<std::vector<Column>> columns = {
      {status}, {input_price, output_price}, {thinking}, {window}, {output}, {cached_price},
      {note}};
  return columns;
}
constexpr std::array<Column, 5> k_numbers = {window, output, input_price, output_price,
                                             cached_price};

using Cells = std::array<std::string, k_columns>;

// At least two decimals, and as many as there are.
std::string price_text(double price) {
  std::string text = fmt::format("{:.6f}", price);
  const std::size_t end = std::max(text.find_last_not_of('0') + 1, text.find('.') + 3);
  text.resize(end);
  return text;
}

std::string lower_name(gemini::ThinkingLevel level) {
  std::string name(gemini::level_name(level));
  for (char& c : name) c = static_cast<char>(c - 'A' + 'a');
  return name;
}

std::string thinking_text(const ModelInfo& info) {
  const gemini::ThinkingRange& range = info.thinking_range;
  std::string text;
  if (info.thinking == ThinkingControl::level) {
    for (const auto level : range.levels) text += (text.empty() ? "" : " ") + lower_name(level);
    // Every model's levels reach up to high, so the ends tell most of them.
    if (range.levels.size() > 2) {
      text = lower_name(range.levels.front()) + " to " + lower_name(range.levels.back());
    }
    if (range.default_level) text += ", " + lower_name(*range.default_level);
  } else if (info.thinking == ThinkingControl::budget) {
    text = fmt::format("{}{} to {}", range.can_be_off ? "0, " : "", range.min_budget,
                       range.max_budget);
    if (range.off_by_default) text += ", off";
  }
  return text.empty() ? "none" : text;
}

std::string note_text(const ModelInfo& info) {
  std::string text = info.note;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (!info.replacement.empty()) add("use " + info.replacement);
  for (const gemini::PriceTier& tier : info.prices) {
    if (tier.above_prompt_tokens == 0) continue;
    add(fmt::format("prompts above {}: {}, {}, {}", grouped(tier.above_prompt_tokens),
                    price_text(tier.price.input), price_text(tier.price.output),
                    price_text(tier.price.cached)));
  }
  return text;
}

Cells cells_of(const ModelInfo& info) {
  Cells cells;
  cells[model] = info.id;
  cells[window] = grouped(info.context_window);
  cells[output] = grouped(info.max_output_tokens);
  cells[thinking] = thinking_text(info);
  const bool priced = !info.prices.empty();
  const gemini::Price price = priced ? info.prices.front().price : gemini::Price{};
  cells[input_price] = priced ? price_text(price.input) : "?";
  cells[output_price] = priced ? price_text(price.output) : "?";
  cells[cached_price] = priced ? price_text(price.cached) : "?";
  cells[status] = gemini::status_name(info.status);
  cells[note] = note_text(info);
  return cells;
}

std::vector<ModelInfo> all_models(const ModelChoice& models, platform::WallTime now) {
  std::vector<ModelInfo> infos;
  const auto today = std::chrono::floor<std::chrono::days>(now);
  for (const std::string& id : models.catalog().ids()) {
    infos.push_back(models.catalog().info(id, today));
  }
  return infos;
}

// Every name that stands for a model, ours first, with the user's map applied.
Pairs all_names(const ModelChoice& models) {
  Pairs names;
  const auto add = [&](const std::string& name) {
    const bool is_new = std::none_of(names.begin(), names.end(),
                                     [&name](const auto& one) { return one.first == name; });
    if (is_new) names.emplace_back(name, models.catalog().resolve(name, models.map()));
  };
  for (const auto& [name, id] : models.catalog().names()) add(name);
  for (const auto& [name, id] : models.map()) add(name);
  return names;
}

// Models and what they are called, below each other where the terminal is narrow.
std::string names_text(const Pairs& names, std::optional<int> width) {
  Pairs by_model;  // names of one model joined, in the order of their first
  for (const auto& [name, id] : names) {
    const auto known = std::find_if(by_model.begin(), by_model.end(),
                                    [&id = id](const auto& one) { return one.second == id; });
    if (known != by_model.end()) {
      known->first += ", " + name;
    } else {
      by_model.emplace_back(name, id);
    }
  }
  const std::size_t most = width ? static_cast<std::size_t>(*width) : std::string::npos;
  const bool narrow = std::any_of(by_model.begin(), by_model.end(), [most](const auto& one) {
    return k_names_column + one.first.size() > most;
  });
  std::string text = "\nNames; a Claude id goes by the family in it:\n";
  for (const auto& [joined, id] : by_model) {
    if (!narrow) {
      text += fmt::format("  {:<34}  {}\n", id, joined);
      continue;
    }
    constexpr std::size_t k_indent = 6;
    text += "  " + id + "\n";
    for (const std::string& line : wrapped(joined, most - std::min(most, k_indent))) {
      text += std::string(k_indent, ' ') + line + "\n";
    }
  }
  return text;
}

// Which columns to print, and how wide each is; 0: not at all.
std::array<std::size_t, k_columns> widths_of(const std::vector<Cells>& rows,
                                             std::optional<int> width) {
  std::array<std::size_t, k_columns> needed{};
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < k_columns; ++i) needed[i] = std::max(needed[i], row[i].size());
  }
  if (!width) return needed;
  std::array<std::size_t, k_columns> chosen{};
  chosen[model] = needed[model];
  std::size_t total = needed[model];
  for (const std::vector<Column>& group : columns_by_worth()) {
    std::size_t more = 0;
    for (const Column column : group) more += needed[column] + k_gap.size();
    if (total + more > static_cast<std::size_t>(*width)) continue;
    total += more;
    for (const Column column : group) chosen[column] = needed[column];
  }
  return chosen;
}

void append_row(std::string& text, const Cells& row,
                const std::array<std::size_t, k_columns>& widths) {
  std::string line;
  for (std::size_t i = 0; i < k_columns; ++i) {
    if (widths[i] == 0) continue;
    const bool right = std::find(k_numbers.begin(), k_numbers.end(), i) != k_numbers.end();
    if (!line.empty()) line += k_gap;
    line +=
        right ? fmt::format("{:>{}}", row[i], widths[i]) : fmt::format("{:<{}}", row[i], widths[i]);
  }
  line.resize(line.find_last_not_of(' ') + 1);
  text.append(line).push_back('\n');
}

void write_thinking(JsonWriter& json, const ModelInfo& info) {
  const gemini::ThinkingRange& range = info.thinking_range;
  json.key("thinking");
  if (info.thinking == ThinkingControl::level) {
    json.begin_object().key("levels").begin_array();
    for (const auto level : range.levels) json.string(gemini::level_name(level));
    json.end_array();
    if (range.default_level) json.field("default", gemini::level_name(*range.default_level));
    json.end_object();
  } else if (info.thinking == ThinkingControl::budget) {
    json.begin_object().key("budget").begin_array();
    json.integer(range.min_budget).integer(range.max_budget).end_array();
    json.field("off", range.can_be_off);
    if (range.off_by_default) json.field("default", "off");
    json.end_object();
  } else {
    json.string("none");
  }
}

void write_model(JsonWriter& json, const ModelInfo& info) {
  json.begin_object().field("id", info.id).field("status", gemini::status_name(info.status));
  json.field("window", info.context_window).field("output", info.max_output_tokens);
  write_thinking(json, info);
  json.key("prices").begin_array();
  for (const gemini::PriceTier& tier : info.prices) {
    json.begin_object();
    if (tier.above_prompt_tokens > 0) json.field("above", tier.above_prompt_tokens);
    json.key("input").number(tier.price.input).key("output").number(tier.price.output);
    json.key("cached").number(tier.price.cached).end_object();
  }
  json.end_array();
  json.field("replacement", info.replacement).field("note", info.note).end_object();
}

}  // namespace

std::string models_table(const ModelChoice& models, platform::WallTime now,
                         std::optional<int> width) {
  std::vector<Cells> rows(1);
  std::copy(k_titles.begin(), k_titles.end(), rows.front().begin());
  for (const ModelInfo& info : all_models(models, now)) rows.push_back(cells_of(info));
  const auto widths = widths_of(rows, width);
  std::string text;
  for (const Cells& row : rows) append_row(text, row, widths);
  return text + names_text(all_names(models), width);
}

std::string models_json(const ModelChoice& models, platform::WallTime now) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("models").begin_array();
  for (const ModelInfo& info : all_models(models, now)) write_model(json, info);
  json.end_array().key("names").begin_object();
  for (const auto& [name, id] : all_names(models)) json.field(name, id);
  json.end_object().end_object();
  return text + "\n";
}

ExitCode run_models(const std::vector<std::string>& tokens,
                    const platform::Environment& environment, protocol::Output& out) {
  const auto complain = [](const std::string& message) {
    (void)platform::stderr_stream()->write(message + "\n");
    return ExitCode::usage;
  };
  const auto line = read_command_line(models_command(), tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const Arguments& arguments = std::get<Arguments>(line);
  const auto options = read_options(arguments, environment);
  if (const auto* problem = std::get_if<UsageError>(&options)) return complain(problem->message);
  const auto files = platform::make_system_file_system();
  const auto models = read_model_choice(std::get<Options>(options), *files, environment);
  if (!models.ok()) return complain("Error: " + models.error().message);
  const platform::WallTime now = platform::SystemClock().wall_now();
  out.bytes(arguments.on("json")
                ? models_json(*models, now)
                : models_table(*models, now, platform::terminal_width(environment)));
  return ExitCode::success;
}

}  // namespace yume::app
