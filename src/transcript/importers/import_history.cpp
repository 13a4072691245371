// SPDX-License-Identifier: MIT
#include "transcript/importers/import_history.h"

#include "transcript/importers/claude_history.h"
#include "transcript/importers/gemini_history.h"
#include "transcript/importers/import_json.h"
#include "transcript/importers/unified_history.h"
#include "transcript/importers/yume_history.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace yume::transcript {
namespace {

using import::at;
using import::Json;
using import::text_at;

constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";
constexpr int k_lines_looked_at = 50;

Error unusable(std::string why) {
  return {.code = ErrorCode::protocol, .message = std::move(why)};
}

bool is_gemini_message(const Json& message) {
  const std::string type = text_at(message, {"type"});
  const bool speaks =
      type == "user" || type == "gemini" || type == "info" || type == "error" || type == "warning";
  return speaks && !at(message, {"content"}).is_null() && at(message, {"message"}).is_null();
}

bool is_claude_line(const Json& line) {
  if (at(line, {"message"}).is_object()) return true;
  return !at(line, {"uuid"}).is_null() || !at(line, {"leafUuid"}).is_null() ||
         text_at(line, {"type"}).starts_with("gemini-");
}

bool is_gemini_line(const Json& line) {
  return !at(line, {"projectHash", "$set", "$rewindTo"}).is_null() || is_gemini_message(line);
}

// What one object of a kind holds; nullopt: it may be a line of many, or nothing known.
std::optional<HistoryFormat> format_of(const Json& object) {
  if (at(object, {"history"}).is_array()) return HistoryFormat::yume;
  const Json& messages = at(object, {"messages"});
  if (messages.is_array()) {
    const bool roles = std::any_of(messages.begin(), messages.end(), [](const Json& message) {
      return at(message, {"role"}).is_string();
    });
    const bool gemini = !at(object, {"projectHash"}).is_null() ||
                        std::any_of(messages.begin(), messages.end(), is_gemini_message);
    return gemini && !roles ? HistoryFormat::gemini : HistoryFormat::unified;
  }
  if (is_claude_line(object)) return HistoryFormat::claude;
  if (at(object, {"projectHash"}).is_string()) return HistoryFormat::gemini_log;
  if (is_gemini_message(object)) return HistoryFormat::gemini;
  if (at(object, {"role"}).is_string()) return HistoryFormat::yume;
  return std::nullopt;
}

std::optional<HistoryFormat> format_of_lines(std::string_view bytes) {
  for (int looked = 0; !bytes.empty() && looked < k_lines_looked_at; ++looked) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    const auto parsed = import::parse(line);
    if (!parsed || !parsed->is_object()) continue;
    if (is_gemini_line(*parsed)) return HistoryFormat::gemini_log;
    if (is_claude_line(*parsed)) return HistoryFormat::claude;
  }
  return std::nullopt;
}

core::Conversation read_object(HistoryFormat format, const Json& object) {
  if (format == HistoryFormat::unified) return import::read_unified_history(object);
  const Json& history = at(object, {"history"});
  return import::read_yume_history(history.is_array() ? history : Json::array({object}));
}

Result<ImportedHistory> read_array(const Json& array, std::string_view bytes) {
  const auto is = [&array](auto holds) { return std::any_of(array.begin(), array.end(), holds); };
  if (array.empty() || is([](const Json& one) { return at(one, {"role"}).is_string(); })) {
    return ImportedHistory{HistoryFormat::yume, import::read_yume_history(array)};
  }
  if (is(is_gemini_message)) {
    return ImportedHistory{HistoryFormat::gemini, import::read_gemini_history(bytes)};
  }
  return unusable("it is an array, but not of messages");
}

}  // namespace

std::string_view name_of(HistoryFormat format) {
  switch (format) {
    case HistoryFormat::yume:
      return "Yume";
    case HistoryFormat::claude:
      return "Claude Code";
    case HistoryFormat::gemini:
    case HistoryFormat::gemini_log:
      return "Gemini CLI";
    case HistoryFormat::unified:
      return "unified";
  }
  return "";
}

Result<ImportedHistory> import_history(std::string bytes) {
  if (bytes.starts_with(k_byte_order_mark)) bytes.erase(0, k_byte_order_mark.size());
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) return unusable("it is empty");
  if (bytes[start] != '{' && bytes[start] != '[') return unusable("it is not JSON");
  const auto whole = import::parse(bytes);
  if (whole && whole->is_array()) return read_array(*whole, bytes);
  const auto format = whole ? format_of(*whole) : format_of_lines(bytes);
  if (!format) {
    return unusable(whole ? "it is JSON, but no conversation that is known here"
                          : "it is neither JSON nor lines of JSON that hold a conversation");
  }
  if (*format == HistoryFormat::claude) {
    return ImportedHistory{*format, import::read_claude_history(std::move(bytes))};
  }
  if (*format == HistoryFormat::gemini || *format == HistoryFormat::gemini_log) {
    return ImportedHistory{*format, import::read_gemini_history(bytes)};
  }
  return ImportedHistory{*format, read_object(*format, *whole)};
}

}  // namespace yume::transcript
