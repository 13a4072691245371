// SPDX-License-Identifier: MIT
#include "app/hosts/host_report.h"

#include "util/json_io.h"
#include "util/path_text.h"

#include <string_view>

namespace yume::app {
namespace {

std::string_view word_of(HostState state) {
  switch (state) {
    case HostState::by_hand:
      return "by_hand";
    case HostState::missing:
      return "missing";
    case HostState::there:
      return "there";
    case HostState::written:
      return "written";
    case HostState::refused:
      break;
  }
  return "refused";
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string out(indent);
  for (const char c : text) {
    out += c;
    if (c == '\n') out += indent;
  }
  return out + "\n";
}

std::string state_line(const HostReport& report) {
  switch (report.state) {
    case HostState::by_hand:
      return "This is not written: " + report.setup.unwritten + ".";
    case HostState::missing:
      return "`yume-cli setup hosts --write` writes it and keeps the old file.";
    case HostState::there:
      return "It is there already.";
    case HostState::written:
      return "Written." + (report.backup.empty()
                               ? std::string()
                               : " The old file is " + to_utf8(report.backup) + ".");
    case HostState::refused:
      break;
  }
  return "The file was left as it is: " + report.reason + ". Put it in by hand.";
}

std::string host_text(const HostReport& report) {
  constexpr std::string_view k_margin = "  ";
  const HostSetup& setup = report.setup;
  const bool done = report.state == HostState::there || report.state == HostState::written;
  std::string text = setup.name + "\n" + indented("in " + setup.place, k_margin);
  if (!done) text += indented(setup.snippet, "      ");
  text += indented(state_line(report), k_margin);
  if (!setup.then.empty() && report.state != HostState::there)
    text += indented(setup.then, k_margin);
  return text + "\n";
}

}  // namespace

std::string hosts_text(const std::vector<HostReport>& reports,
                       const std::vector<std::string>& missing) {
  std::string text;
  for (const HostReport& report : reports) text += host_text(report);
  if (missing.empty()) return text;
  text += "Not found: ";
  for (std::size_t i = 0; i < missing.size(); ++i) text += (i == 0 ? "" : ", ") + missing[i];
  return text + ".\n";
}

std::string hosts_json(const std::string& program, const std::vector<HostReport>& reports,
                       const std::vector<std::string>& missing) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("program", program).key("hosts").begin_array();
  for (const HostReport& report : reports) {
    const HostSetup& setup = report.setup;
    json.begin_object().field("id", setup.id).field("name", setup.name);
    json.field("state", word_of(report.state)).field("place", setup.place);
    if (!setup.file.empty() && setup.entry) json.field("file", to_utf8(setup.file));
    json.field("snippet", setup.snippet);
    if (!setup.then.empty()) json.field("then", setup.then);
    const std::string& reason =
        report.state == HostState::by_hand ? setup.unwritten : report.reason;
    if (!reason.empty()) json.field("reason", reason);
    if (!report.backup.empty()) json.field("backup", to_utf8(report.backup));
    json.end_object();
  }
  json.end_array().key("missing").begin_array();
  for (const std::string& name : missing) json.string(name);
  json.end_array().end_object();
  return line;
}

}  // namespace yume::app
