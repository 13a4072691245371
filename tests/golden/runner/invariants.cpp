// SPDX-License-Identifier: MIT
#include "golden/runner/invariants.h"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

namespace yume::golden {
namespace {

using Json = nlohmann::json;
using Broken = std::optional<std::string>;

constexpr std::size_t k_longest_line = 1'000'000;

Broken check_json(std::string_view line) {
  const Json value = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return "not JSON";
  if (!value.is_object()) return "not an object";
  return std::nullopt;
}

// A dialect of its own: its messages have an id or none, and may be equal.
bool is_json_rpc(std::string_view line) {
  return line.starts_with(R"({"jsonrpc":"2.0",)");
}

// InsightsEvents have their kind in `event`.
Broken check_type_first(std::string_view line) {
  if (line.starts_with("{\"type\":\"") || line.starts_with("{\"event\":\"") || is_json_rpc(line)) {
    return std::nullopt;
  }
  return "the first key is not a string `type` or `event`";
}

Broken check_compact(std::string_view line) {
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_string && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r')) {
      return "white space between tokens at byte " + std::to_string(i);
    }
  }
  return std::nullopt;
}

Broken check_ascii(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] < 0x20 || line[i] > 0x7e) {
      const unsigned value = static_cast<unsigned char>(line[i]);
      return "byte " + std::to_string(value) + " at byte " + std::to_string(i);
    }
  }
  return std::nullopt;
}

// The code unit of a \uXXXX escape at `position`; nullopt when there is none.
std::optional<unsigned long> unit_at(std::string_view line, std::size_t position) {
  if (line.size() < position + 6 || line[position] != '\\' || line[position + 1] != 'u') {
    return std::nullopt;
  }
  const std::string digits(line.substr(position + 2, 4));
  if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return std::nullopt;
  return std::stoul(digits, nullptr, 16);
}

Broken check_surrogates(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') continue;
    const auto unit = unit_at(line, i);
    if (!unit || *unit < 0xD800 || *unit > 0xDFFF) {
      ++i;  // over the escaped character
      continue;
    }
    const auto second = unit_at(line, i + 6);
    if (*unit > 0xDBFF || !second || *second < 0xDC00 || *second > 0xDFFF) {
      return "lone surrogate escape at byte " + std::to_string(i);
    }
    i += 11;
  }
  return std::nullopt;
}

Broken check_length(std::string_view line) {
  if (line.size() <= k_longest_line) return std::nullopt;
  return std::to_string(line.size()) + " bytes, more than " + std::to_string(k_longest_line);
}

struct LineRule {
  std::string_view name;
  Broken (*check)(std::string_view line);
};

constexpr std::array k_line_rules{
    LineRule{"json", check_json},
    LineRule{"type-first", check_type_first},
    LineRule{"compact", check_compact},
    LineRule{"ascii", check_ascii},
    LineRule{"surrogates", check_surrogates},
    LineRule{"line-length", check_length},
};

// Rules about lines together: unique, and at most one `result` a turn. A turn begins with an init.
class Sequence {
 public:
  std::vector<std::string> take(std::string_view line, std::size_t number) {
    std::vector<std::string> broken;
    const std::string where = "line " + std::to_string(number);
    const auto [first, added] = first_seen_.try_emplace(std::string(line), number);
    if (!added && !is_json_rpc(line)) {
      broken.push_back("unique: " + where + ": the same as line " + std::to_string(first->second));
    }
    if (line.starts_with(R"({"type":"system")") &&
        line.find(R"("subtype":"init")") != std::string_view::npos) {
      results_ = 0;
    }
    if (line.starts_with(R"({"type":"result")") && ++results_ > 1) {
      broken.push_back("one-result: " + where + ": another result in the same turn");
    }
    return broken;
  }

 private:
  std::unordered_map<std::string, std::size_t> first_seen_;
  int results_ = 0;
};

}  // namespace

std::vector<std::string> broken_invariants(std::string_view stdout_text) {
  std::vector<std::string> broken;
  Sequence sequence;
  std::size_t number = 0;
  while (!stdout_text.empty()) {
    ++number;
    const std::size_t end = stdout_text.find('\n');
    const std::string_view line = stdout_text.substr(0, end);
    for (const LineRule& rule : k_line_rules) {
      if (const Broken what = rule.check(line)) {
        broken.push_back(std::string(rule.name) + ": line " + std::to_string(number) + ": " +
                         *what);
      }
    }
    for (std::string& what : sequence.take(line, number)) broken.push_back(std::move(what));
    if (end == std::string_view::npos) {
      broken.push_back("final-newline: line " + std::to_string(number) + ": no newline at the end");
      break;
    }
    stdout_text.remove_prefix(end + 1);
  }
  return broken;
}

}  // namespace yume::golden
