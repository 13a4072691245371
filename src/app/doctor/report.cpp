// SPDX-License-Identifier: MIT
#include "app/doctor/report.h"

#include "util/json_io.h"
#include "util/utf8.h"

#include <fmt/format.h>

#include <string_view>

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

}  // namespace

std::string report_line(const Finding& finding, ReportStyle style) {
  std::string word = fmt::format("{:<4}", word_of(finding.verdict));
  if (style.colours) word = std::string(colour_of(finding.verdict)) + word + "\x1b[0m";
  std::string line =
      fmt::format("{}  {:<14}{}", word, finding.check, shown(finding.detail, style.utf8));
  if (!finding.advice.empty()) {
    line += (style.utf8 ? "  \u2192 " : "  -> ") + shown(finding.advice, style.utf8);
  }
  return line + "\n";
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
