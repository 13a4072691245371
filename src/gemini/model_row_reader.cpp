// SPDX-License-Identifier: MIT
#include "gemini/model_row_reader.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace yume::gemini {
namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t k_most_tokens = 1'000'000'000;

Error wrong(std::string_view field, std::string_view wanted) {
  return {.code = ErrorCode::invalid_argument,
          .message = std::string(field) + " is not " + std::string(wanted)};
}

// Leaves `out` alone when the field is absent.
Result<void> read_text(dom::object row, const char* field, std::string& out) {
  dom::element value;
  if (row.at_key(field).get(value) != simdjson::SUCCESS) return {};
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return wrong(field, "a string");
  out = std::string(text);
  return {};
}

Result<void> read_flag(dom::object row, const char* field, bool& out) {
  dom::element value;
  if (row.at_key(field).get(value) != simdjson::SUCCESS) return {};
  if (value.get(out) != simdjson::SUCCESS) return wrong(field, "true or false");
  return {};
}

std::optional<std::int64_t> token_count(dom::element value) {
  std::int64_t count = 0;
  const bool good = value.get(count) == simdjson::SUCCESS && count >= 1 && count <= k_most_tokens;
  return good ? std::optional(count) : std::nullopt;
}

Result<void> read_tokens(dom::object row, const char* field, std::int64_t& out) {
  dom::element value;
  if (row.at_key(field).get(value) != simdjson::SUCCESS) return {};
  const auto count = token_count(value);
  if (!count) return wrong(field, "a whole number from 1 to 1000000000");
  out = *count;
  return {};
}

Result<void> read_amount(dom::object price, const char* field, double& out) {
  dom::element value;
  if (price.at_key(field).get(value) != simdjson::SUCCESS || value.get(out) != simdjson::SUCCESS ||
      out < 0) {
    return wrong(std::string("prices: ") + field, "a number from 0");
  }
  return {};
}

// "2026-12-01"
std::optional<Day> parse_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  const auto read = [&text](std::size_t at, std::size_t size, auto& out) {
    const char* const end = text.data() + at + size;
    const auto [after, failure] = std::from_chars(text.data() + at, end, out);
    return failure == std::errc() && after == end;
  };
  if (!read(0, 4, year) || !read(5, 2, month) || !read(8, 2, day)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  return date.ok() ? std::optional(Day(date)) : std::nullopt;
}

Result<DatedPrice> read_price(dom::element element) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return wrong("prices", "a list of objects");
  DatedPrice price;
  Price& amounts = price.tier.price;
  for (const auto& [field, amount] : {std::pair("input", &amounts.input),
                                      {"output", &amounts.output},
                                      {"cached", &amounts.cached}}) {
    if (auto read = read_amount(object, field, *amount); !read.ok()) return read.error();
  }
  if (auto read = read_tokens(object, "above", price.tier.above_prompt_tokens); !read.ok()) {
    return read.error();
  }
  std::string from;
  if (auto read = read_text(object, "from", from); !read.ok()) return read.error();
  if (!from.empty()) {
    const auto day = parse_day(from);
    if (!day) return wrong("prices: from", "a day such as 2026-12-01");
    price.from = *day;
  }
  return price;
}

Result<void> read_prices(dom::object row, std::vector<DatedPrice>& out) {
  dom::element value;
  if (row.at_key("prices").get(value) != simdjson::SUCCESS) return {};
  dom::array prices;
  if (value.get(prices) != simdjson::SUCCESS) return wrong("prices", "a list of objects");
  out.clear();
  for (const dom::element element : prices) {
    auto price = read_price(element);
    if (!price.ok()) return price.error();
    out.push_back(*price);
  }
  return {};
}

Result<void> read_status(dom::object row, ModelStatus& out) {
  std::string text;
  if (auto read = read_text(row, "status", text); !read.ok()) return read;
  if (text.empty()) return {};
  for (const ModelStatus status :
       {ModelStatus::ga, ModelStatus::preview, ModelStatus::deprecated, ModelStatus::shut_down}) {
    if (text != status_name(status)) continue;
    out = status;
    return {};
  }
  return wrong("status", "ga, preview, deprecated or shut down");
}

std::optional<ThinkingLevel> level_from(dom::element value) {
  using enum ThinkingLevel;
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return std::nullopt;
  for (const ThinkingLevel level : {minimal, low, medium, high}) {
    if (text == level_name(level)) return level;
  }
  return std::nullopt;
}

Result<void> read_levels(dom::object thinking, dom::array levels, ThinkingRange& range) {
  for (const dom::element element : levels) {
    const auto level = level_from(element);
    const bool ascends = range.levels.empty() || (level && range.levels.back() < *level);
    if (!level || !ascends) return wrong("thinking: levels", "MINIMAL, LOW, MEDIUM, HIGH in order");
    range.levels.push_back(*level);
  }
  if (range.levels.empty()) return wrong("thinking: levels", "a list of at least one level");
  dom::element chosen;
  if (thinking.at_key("default").get(chosen) != simdjson::SUCCESS) return {};
  range.default_level = level_from(chosen);
  if (!range.default_level) return wrong("thinking: default", "a level");
  return {};
}

Result<void> read_budget(dom::object thinking, dom::array budget, ThinkingRange& range) {
  constexpr std::string_view k_wanted = "a list of the lowest and the highest number of tokens";
  if (budget.size() != 2) return wrong("thinking: budget", k_wanted);
  const auto lowest = token_count(budget.at(0).value_unsafe());
  const auto highest = token_count(budget.at(1).value_unsafe());
  if (!lowest || !highest || *lowest > *highest) return wrong("thinking: budget", k_wanted);
  range.min_budget = *lowest;
  range.max_budget = *highest;
  if (auto read = read_flag(thinking, "off", range.can_be_off); !read.ok()) return read;
  std::string when_not_told;
  if (auto read = read_text(thinking, "default", when_not_told); !read.ok()) return read;
  range.off_by_default = when_not_told == "off";
  return {};
}

// "none", {"levels":[..],"default":..} or {"budget":[lowest,highest],"off":true,"default":"off"}.
Result<void> read_thinking(dom::object row, ModelInfo& info) {
  dom::element value;
  if (row.at_key("thinking").get(value) != simdjson::SUCCESS) return {};
  ThinkingRange range;
  std::string_view text;
  dom::object thinking;
  dom::array list;
  if (value.get(text) == simdjson::SUCCESS && text == "none") {
    info.thinking = ThinkingControl::none;
  } else if (value.get(thinking) != simdjson::SUCCESS) {
    return wrong("thinking", "\"none\" or an object with levels or budget");
  } else if (thinking.at_key("levels").get(list) == simdjson::SUCCESS) {
    info.thinking = ThinkingControl::level;
    if (auto read = read_levels(thinking, list, range); !read.ok()) return read;
  } else if (thinking.at_key("budget").get(list) == simdjson::SUCCESS) {
    info.thinking = ThinkingControl::budget;
    if (auto read = read_budget(thinking, list, range); !read.ok()) return read;
  } else {
    return wrong("thinking", "\"none\" or an object with levels or budget");
  }
  info.thinking_range = std::move(range);
  return {};
}

}  // namespace

Result<std::string> read_row_id(dom::element row) {
  dom::object object;
  if (row.get(object) != simdjson::SUCCESS) return wrong("it", "an object");
  std::string id;
  if (auto read = read_text(object, "id", id); !read.ok()) return read.error();
  if (id.empty()) return wrong("id", "there");
  return id;
}

Result<void> read_row(dom::element row, ModelRow& known) {
  dom::object object;
  if (row.get(object) != simdjson::SUCCESS) return wrong("it", "an object");
  ModelInfo& info = known.info;
  const auto fields = {
      read_status(object, info.status),
      read_tokens(object, "window", info.context_window),
      read_tokens(object, "output", info.max_output_tokens),
      read_thinking(object, info),
      read_prices(object, known.prices),
      read_text(object, "replacement", info.replacement),
      read_text(object, "note", info.note),
      read_flag(object, "systemInstruction", info.system_instruction),
      read_flag(object, "multimodalResults", info.multimodal_results),
      read_flag(object, "builtInWithFunctions", info.built_in_with_functions),
      read_flag(object, "longDecode", info.long_decode),
  };
  for (const Result<void>& field : fields) {
    if (!field.ok()) return field.error();
  }
  return {};
}

}  // namespace yume::gemini
