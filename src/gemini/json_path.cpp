// SPDX-License-Identifier: MIT
#include "gemini/json_path.h"

#include "util/utf8.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace yume::gemini {
namespace {

// Reads one path from left to right; every method leaves the rest in `rest_`.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  // After a dot. Any name without the path's own marks will do: models put dashes into keys.
  std::optional<std::string> dotted_name() {
    const std::size_t end = std::min(rest_.find_first_of(".["), rest_.size());
    const std::string_view name = rest_.substr(0, end);
    if (name.empty() || name == "*") return std::nullopt;
    rest_.remove_prefix(end);
    return std::string(name);
  }

  // After `[`, up to and with `]`.
  std::optional<std::size_t> index() {
    std::size_t value = 0;
    const auto [after, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const auto digits = static_cast<std::size_t>(after - rest_.data());
    const bool leading_zero = digits > 1 && rest_.front() == '0';
    if (failure != std::errc() || leading_zero) return std::nullopt;
    rest_.remove_prefix(digits);
    return take("]") ? std::optional(value) : std::nullopt;
  }

  // After `['` or `["`, up to and with the quote and `]`.
  std::optional<std::string> quoted_name(char quote) {
    std::string name;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == quote) return take("]") ? std::optional(std::move(name)) : std::nullopt;
      if (c != '\\') {
        name.push_back(c);
      } else if (!escape(name)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  bool escape(std::string& name) {
    if (rest_.empty()) return false;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    constexpr std::string_view k_letters = "bfnrt'\"\\/";
    constexpr std::string_view k_meanings = "\b\f\n\r\t'\"\\/";
    if (const std::size_t which = k_letters.find(c); which != k_letters.npos) {
      name.push_back(k_meanings[which]);
      return true;
    }
    return c == 'u' && unicode_escape(name);
  }

  bool unicode_escape(std::string& name) {
    auto unit = hex_unit();
    if (!unit) return false;
    std::uint32_t code_point = *unit;
    if (code_point >= 0xD800 && code_point <= 0xDBFF) {
      if (!take("\\u")) return false;
      unit = hex_unit();
      if (!unit || *unit < 0xDC00 || *unit > 0xDFFF) return false;
      code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (*unit - 0xDC00);
    } else if (code_point >= 0xDC00 && code_point <= 0xDFFF) {
      return false;
    }
    append_utf8(name, code_point);
    return true;
  }

  std::optional<std::uint32_t> hex_unit() {
    if (rest_.size() < 4) return std::nullopt;
    std::uint32_t unit = 0;
    const auto [after, failure] = std::from_chars(rest_.data(), rest_.data() + 4, unit, 16);
    if (failure != std::errc() || after != rest_.data() + 4) return std::nullopt;
    rest_.remove_prefix(4);
    return unit;
  }

  std::string_view rest_;
};

std::optional<PathStep> bracketed_step(PathReader& reader) {
  for (const char quote : {'\'', '"'}) {
    if (!reader.take(std::string_view(&quote, 1))) continue;
    auto name = reader.quoted_name(quote);
    return name ? std::optional<PathStep>(std::move(*name)) : std::nullopt;
  }
  const auto index = reader.index();
  return index ? std::optional<PathStep>(*index) : std::nullopt;
}

std::optional<PathStep> next_step(PathReader& reader) {
  if (reader.take("[")) return bracketed_step(reader);
  if (!reader.take(".")) return std::nullopt;
  auto name = reader.dotted_name();
  return name ? std::optional<PathStep>(std::move(*name)) : std::nullopt;
}

}  // namespace

Result<JsonPath> parse_json_path(std::string_view text, std::size_t max_steps) {
  const auto bad = [text] {
    return Error{.code = ErrorCode::protocol,
                 .message = "'" + std::string(utf8_prefix(text, 80)) + "' is no path to one place"};
  };
  PathReader reader(text);
  if (!reader.take("$")) return bad();
  JsonPath path;
  while (!reader.at_end()) {
    if (reader.take("[]")) {
      path.names_array = true;
      if (!reader.at_end()) return bad();
      break;
    }
    if (path.steps.size() == max_steps) {
      return Error{.code = ErrorCode::too_large, .message = "arguments are nested too deeply"};
    }
    auto step = next_step(reader);
    if (!step) return bad();
    path.steps.push_back(std::move(*step));
  }
  return path;
}

}  // namespace yume::gemini
