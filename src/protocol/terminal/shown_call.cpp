// SPDX-License-Identifier: MIT
#include "protocol/terminal/shown_call.h"

#include "util/escape_codes.h"
#include "util/json_tree.h"

#include <algorithm>

namespace yume::protocol {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view k_indent = "  ";

std::string heading(const std::string& text, EscapeCodes codes) {
  return styled(k_bold, spelled_for_terminal(text), codes) + "\n";
}

// Every field but the one that was shown already.
std::string fields(const Json& input, std::string_view shown_already = "") {
  std::string out;
  if (!input.is_object()) return out;
  for (const auto& [name, value] : input.items()) {
    if (name == shown_already) continue;
    const std::string text = value.is_string() ? value.get<std::string>() : write_json(value);
    out.append(k_indent).append(spelled_for_terminal(name)).append(":");
    if (text.find('\n') == std::string::npos) {
      out.append(" ").append(spelled_for_terminal(text)).append("\n");
    } else {
      out.append("\n").append(indented(text, "    "));
    }
  }
  return out;
}

// A file with the line ends of Windows has them in every line: there they are no news.
bool has_windows_lines(const core::Patch& patch) {
  return std::all_of(patch.begin(), patch.end(), [](const core::PatchHunk& hunk) {
    return std::all_of(hunk.lines.begin(), hunk.lines.end(),
                       [](const std::string& line) { return line.ends_with('\r'); });
  });
}

std::string difference(const core::Patch& patch, EscapeCodes codes) {
  const bool windows = has_windows_lines(patch);
  std::string out;
  for (const core::PatchHunk& hunk : patch) {
    out += styled(k_dim, core::header_of(hunk), codes) + "\n";
    for (std::string_view line : hunk.lines) {
      if (windows) line.remove_suffix(1);
      const std::string text = spelled_for_terminal(line);
      const bool added = line.starts_with('+');
      const bool changed = added || line.starts_with('-');
      out += changed ? styled(added ? k_green : k_red, text, codes) : text;
      out += "\n";
    }
  }
  return out;
}

std::string shown_change(const core::FileChange& change, EscapeCodes codes) {
  std::string title = change.creates ? "The model wants to create " : "The model wants to change ";
  title += change.path;
  if (change.real_path != change.path) title += ", which is " + change.real_path;
  std::string out = heading(title + ":", codes);
  if (!change.patch.empty()) return out + difference(change.patch, codes);
  return out.append(k_indent).append(change.creates ? "an empty file\n"
                                                    : "its content stays the same\n");
}

}  // namespace

std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    out.append(indent).append(spelled_for_terminal(text.substr(0, end))).append("\n");
    if (end == std::string_view::npos || end + 1 == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

std::string shown_call(const core::MayRun& question, EscapeCodes codes) {
  if (question.change) return shown_change(*question.change, codes);
  const core::ToolCall& call = question.call;
  const Json input = read_ordered_json(call.input.text);
  if (call.name == "Bash") {
    return heading("The model wants to run this command:", codes) +
           indented(text_at(input, "command"), k_indent) + fields(input, "command");
  }
  if (call.name == "ExitPlanMode") {
    return heading("The model has this plan:", codes) + indented(text_at(input, "plan"), k_indent) +
           fields(input, "plan");
  }
  return heading("The model wants to use " + call.name + ":", codes) + fields(input);
}

}  // namespace yume::protocol
