// SPDX-License-Identifier: MIT
#include "app/doctor/report.h"

#include "util/display_width.h"
#include "util/json_io.h"
#include "util/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace yume::app::doctor {
namespace {

std::string_view colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "\x1b[32m";
    case Verdict::warn:
      return "\x1b[33m";
    case Verdict::fail:
      break;
  }
  return "\x1b[31m";
}

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::warn:
      return "warn";
    case Verdict::fail:
      break;
  }
  return "FAIL";
}

// Servers and files have a say in a text: it stays on its line, and a terminal must not obey it.
std::string shown(std::string_view text, bool utf8) {
  std::string safe = to_valid_utf8(text);
  std::string out;
  for (const char c : safe) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = byte >= 0x80 && byte < 0xC0;
    if (byte == '\n' || byte == '\r' || byte == '\t') {
      out.push_back(' ');
    } else if (byte < 0x20 || byte == 0x7F) {
      out.push_back('?');
    } else if (byte < 0x80 || utf8) {
      out.push_back(c);
    } else if (!continues) {
      out.push_back('?');  // one for each character
    }
  }
  return out;
}

constexpr std::size_t k_detail_column = 20;
constexpr std::size_t k_least_room = 20;

// Detail and advice on one line, or below each other, broken where the terminal ends.
std::vector<std::string> lines_of(const Finding& finding, const TerminalLook& look) {
  const std::string detail = shown(finding.detail, look.utf8);
  const std::string mark = look.utf8 ? "\u2192 " : "-> ";
  const std::string advice = finding.advice.empty() ? "" : mark + shown(finding.advice, look.utf8);
  const std::string both = detail + (advice.empty() ? "" : "  " + advice);
  const auto columns = static_cast<std::size_t>(look.width.value_or(0));
  if (columns == 0 || k_detail_column + display_width(both) <= columns) return {both};
  const std::size_t room = std::max(columns - std::min(columns, k_detail_column), k_least_room);
  std::vector<std::string> lines = wrapped(detail, room);
  if (!advice.empty()) {
    for (std::string& line : wrapped(advice, room)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::string report_lines(const Finding& finding, const TerminalLook& look) {
  std::string word = fmt::format("{:<4}", word_of(finding.verdict));
  if (look.colours) word = std::string(colour_of(finding.verdict)) + word + "\x1b[0m";
  std::string text = fmt::format("{}  {:<14}", word, finding.check);
  const std::vector<std::string> lines = lines_of(finding, look);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += (i == 0 ? "" : std::string(k_detail_column, ' ')) + lines[i] + "\n";
  }
  return text;
}

std::string report_json(const Findings& findings) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const Finding& finding : findings) {
    const bool failed = finding.verdict == Verdict::fail;
    json.begin_object().field("check", finding.check);
    json.field("status", failed ? "fail" : word_of(finding.verdict));
    json.field("detail", finding.detail).field("advice", finding.advice).end_object();
  }
  json.end_array();
  return text + "\n";
}

}  // namespace yume::app::doctor
