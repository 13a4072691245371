// SPDX-License-Identifier: MIT
#include "golden/runner/normalise.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::golden {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char at(std::string_view text, std::size_t position) {
  return position < text.size() ? text[position] : '\0';
}

bool starts_word(std::string_view text, std::size_t position) {
  return position == 0 || !is_word(text[position - 1]);
}

// Length of `shape` when the text has it here: 'h' a lower case hex digit, 'd' a digit, any other
// character itself; else 0.
std::size_t match_shape(std::string_view text, std::size_t position, std::string_view shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const char c = at(text, position + i);
    const bool fits = shape[i] == 'h' ? is_hex(c) : shape[i] == 'd' ? is_digit(c) : c == shape[i];
    if (!fits) return 0;
  }
  return shape.size();
}

std::size_t match_uuid(std::string_view text, std::size_t position) {
  if (!starts_word(text, position)) return 0;
  const std::size_t length = match_shape(text, position, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh");
  return is_word(at(text, position + length)) ? 0 : length;
}

// `prefix` and at least `least` hex digits; 0 when more letters follow.
std::size_t match_id(std::string_view text, std::size_t position, std::string_view prefix,
                     std::size_t least) {
  if (!text.substr(position).starts_with(prefix) || !starts_word(text, position)) return 0;
  std::size_t end = position + prefix.size();
  while (is_hex(at(text, end))) ++end;
  if (end - position - prefix.size() < least || is_word(at(text, end))) return 0;
  return end - position;
}

std::size_t match_message(std::string_view text, std::size_t position) {
  return match_id(text, position, "msg_", 12);
}

std::size_t match_tool_use(std::string_view text, std::size_t position) {
  return match_id(text, position, "toolu_", 12);
}

// `prefix`, random digits, and the number of the line.
std::size_t match_line_id(std::string_view text, std::size_t position, std::string_view prefix) {
  const std::size_t length = match_id(text, position, prefix, 1);
  if (length == 0 || at(text, position + length) != '-') return 0;
  std::size_t end = position + length + 1;
  while (is_digit(at(text, end))) ++end;
  return end == position + length + 1 || is_word(at(text, end)) ? 0 : end - position;
}

std::size_t match_text_line(std::string_view text, std::size_t position) {
  return match_line_id(text, position, "txt_");
}

std::size_t match_event_line(std::string_view text, std::size_t position) {
  return match_line_id(text, position, "evt_");
}

// When an AgentEvent was made, in milliseconds since 1970: thirteen digits until 2286.
std::size_t match_epoch_time(std::string_view text, std::size_t position) {
  if (!text.substr(0, position).ends_with("\"google-gemini\",\"timestamp\":")) return 0;
  const std::size_t length = match_shape(text, position, "ddddddddddddd");
  return is_word(at(text, position + length)) || at(text, position + length) == '.' ? 0 : length;
}

std::size_t match_time(std::string_view text, std::size_t position) {
  if (!starts_word(text, position)) return 0;
  std::size_t length = match_shape(text, position, "dddd-dd-ddTdd:dd:dd");
  if (length == 0) return 0;
  if (at(text, position + length) == '.') {
    std::size_t digits = 1;
    while (is_digit(at(text, position + length + digits))) ++digits;
    if (digits > 1) length += digits;
  }
  if (at(text, position + length) == 'Z') return length + 1;
  const std::size_t zone = std::max(match_shape(text, position + length, "+dd:dd"),
                                    match_shape(text, position + length, "-dd:dd"));
  return length + zone;
}

// A number that is the value of one of these keys. Anything but a plain integer stays as it is, and
// so does a duration of 0: the comparison then fails, which is the point.
std::size_t match_milliseconds(std::string_view text, std::size_t position) {
  if (!is_digit(text[position]) || position == 0) return 0;
  std::string_view before = text.substr(0, position);
  while (before.ends_with(' ')) before.remove_suffix(1);
  if (!before.ends_with("_ms\":") && !before.ends_with("Ms\":")) return 0;
  constexpr std::array<std::string_view, 8> k_keys{
      "\"duration_ms\":",     "\"durationMs\":", "\"totalDurationMs\":", "\"totalLatencyMs\":",
      "\"duration_api_ms\":", "\"ttft_ms\":",    "\"retry_delay_ms\":",  "\"durationApiMs\":"};
  if (std::none_of(k_keys.begin(), k_keys.end(),
                   [&](std::string_view key) { return before.ends_with(key); })) {
    return 0;
  }
  std::size_t end = position;
  while (is_digit(at(text, end))) ++end;
  const char next = at(text, end);
  if (next == '.' || is_word(next)) return 0;
  const std::string_view digits = text.substr(position, end - position);
  if (digits == "0" && before.ends_with("\"duration_ms\":")) return 0;
  if (digits.size() > 1 && digits.front() == '0') return 0;
  return digits.size();
}

// Claude's other measure of a call's time, with as many decimals as it takes.
std::size_t match_seconds(std::string_view text, std::size_t position) {
  if (!is_digit(text[position])) return 0;
  if (!text.substr(0, position).ends_with("\"durationSeconds\":")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789.e-", position);
  return std::min(end, text.size()) - position;
}

// A subagent: "a" and 16 hex digits, also at the beginning of the ids of its calls.
std::size_t match_agent(std::string_view text, std::size_t position) {
  if (!starts_word(text, position)) return 0;
  const std::size_t length = match_shape(text, position, "ahhhhhhhhhhhhhhhh");
  return is_word(at(text, position + length)) ? 0 : length;
}

// How long a subagent has worked, in the text of its call's result.
std::size_t match_agent_time(std::string_view text, std::size_t position) {
  if (!text.substr(0, position).ends_with("duration_ms: ")) return 0;
  std::size_t end = position;
  while (is_digit(at(text, end))) ++end;
  return text.substr(end).starts_with("</usage>") ? end - position : 0;
}

// The time a server took, in a text for people.
std::size_t match_latency(std::string_view text, std::size_t position) {
  if (!text.substr(0, position).ends_with("answered in ")) return 0;
  std::size_t end = position;
  while (is_digit(at(text, end))) ++end;
  return text.substr(end).starts_with(" ms") ? end - position : 0;
}

// How much of a session's file something covers: its lines name folders of the machine.
std::size_t match_log_bytes(std::string_view text, std::size_t position) {
  if (!is_digit(text[position])) return 0;
  std::string_view before = text.substr(0, position);
  while (before.ends_with(' ')) before.remove_suffix(1);
  if (!before.ends_with("\"logBytes\":")) return 0;
  std::size_t end = position;
  while (is_digit(at(text, end))) ++end;
  return end - position;
}

// The program's own process, as it tells its host.
std::size_t match_pid(std::string_view text, std::size_t position) {
  if (!is_digit(text[position])) return 0;
  if (!text.substr(0, position).ends_with("\"pid\":")) return 0;
  std::size_t end = position;
  while (is_digit(at(text, end))) ++end;
  return end - position;
}

// "process-4711-123456": a process and when it began.
std::size_t match_process(std::string_view text, std::size_t position) {
  constexpr std::string_view k_prefix = "process-";
  if (!text.substr(position).starts_with(k_prefix) || !starts_word(text, position)) return 0;
  std::size_t end = position + k_prefix.size();
  const std::size_t pid = end;
  while (is_digit(at(text, end))) ++end;
  if (end == pid || at(text, end) != '-') return 0;
  const std::size_t start = ++end;
  while (is_digit(at(text, end))) ++end;
  return end == start || is_word(at(text, end)) ? 0 : end - position;
}

// "Windows 10.0.19045 (x86_64)"
std::size_t match_windows(std::string_view text, std::size_t position) {
  constexpr std::string_view k_name = "Windows ";
  if (!text.substr(position).starts_with(k_name)) return 0;
  std::size_t end = position + k_name.size();
  while (is_digit(at(text, end)) || at(text, end) == '.') ++end;
  constexpr std::string_view k_processor = " (x86_64)";
  return text.substr(end).starts_with(k_processor) ? end + k_processor.size() - position : 0;
}

enum class Numbering { by_value, none };

struct Rule {
  std::string_view kind;
  Numbering numbering;
  // Length of the volatile value that begins at this position; 0 when there is none.
  std::size_t (*match)(std::string_view text, std::size_t position);
};

constexpr std::array k_rules{
    Rule{"uuid", Numbering::by_value, match_uuid},
    Rule{"msg", Numbering::by_value, match_message},
    Rule{"toolu", Numbering::by_value, match_tool_use},
    Rule{"agent", Numbering::by_value, match_agent},
    Rule{"ms", Numbering::none, match_agent_time},
    Rule{"txt", Numbering::by_value, match_text_line},
    Rule{"evt", Numbering::by_value, match_event_line},
    Rule{"process", Numbering::by_value, match_process},
    Rule{"time", Numbering::none, match_time},
    Rule{"epoch_ms", Numbering::none, match_epoch_time},
    Rule{"ms", Numbering::none, match_milliseconds},
    Rule{"ms", Numbering::none, match_latency},
    Rule{"ms", Numbering::none, match_seconds},
    Rule{"bytes", Numbering::by_value, match_log_bytes},
    Rule{"pid", Numbering::by_value, match_pid},
    Rule{"os", Numbering::none, match_windows},
};

// What of the text still belongs to a path that has begun before: separators, each followed by a
// name.
std::size_t path_tail(std::string_view text, std::size_t begin, std::string_view separator) {
  std::size_t end = begin;
  while (text.substr(end).starts_with(separator)) {
    const std::size_t name = end + separator.size();
    const char first = at(text, name);
    if (!is_word(first) && first != '.' && first != '_' && first != '-') break;
    end = std::min(text.find_first_of("\\/\"'`:;,*?<>|()[]{}& \t\n", name), text.size());
  }
  return end - begin;
}

std::string with_slashes(std::string path, const std::string& separator) {
  for (std::size_t at = path.find(separator); at != std::string::npos;
       at = path.find(separator, at + 1)) {
    path.replace(at, separator.size(), "/");
  }
  return path;
}

}  // namespace

Normaliser::Normaliser(std::vector<Literal> literals) : literals_(std::move(literals)) {
  std::erase_if(literals_, [](const Literal& literal) { return literal.text.empty(); });
  std::stable_sort(literals_.begin(), literals_.end(), [](const Literal& a, const Literal& b) {
    return a.text.size() > b.text.size();
  });
}

std::string Normaliser::apply(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t position = 0;
  while (position < text.size()) {
    std::size_t length = 0;
    for (const Rule& rule : k_rules) {
      length = rule.match(text, position);
      if (length == 0) continue;
      out += rule.numbering == Numbering::none ? "%{" + std::string(rule.kind) + "}"
                                               : number(rule.kind, text.substr(position, length));
      break;
    }
    if (length == 0) {
      const auto literal =
          std::find_if(literals_.begin(), literals_.end(), [&](const Literal& candidate) {
            return text.substr(position).starts_with(candidate.text);
          });
      if (literal != literals_.end()) {
        length = literal->text.size();
        out += literal->macro;
        if (!literal->separator.empty()) {
          const std::string separator = literal->separator;
          const std::size_t rest = path_tail(text, position + length, separator);
          out += apply(with_slashes(std::string(text.substr(position + length, rest)), separator));
          length += rest;
        }
      }
    }
    if (length == 0) {
      out += text[position];
      length = 1;
    }
    position += length;
  }
  return out;
}

std::string Normaliser::number(std::string_view kind, std::string_view value) {
  auto& values = seen_[std::string(kind)];
  const auto [entry, added] = values.try_emplace(std::string(value), values.size() + 1);
  return "%{" + std::string(kind) + ":" + std::to_string(entry->second) + "}";
}

}  // namespace yume::golden
