// SPDX-License-Identifier: MIT
#include "transcript.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace yume::bench {
namespace {

using nlohmann::json;

void take_text(const std::string& text, Time when, Transcript& transcript) {
  transcript.text += text;
  transcript.text_lines.push_back({transcript.text.size(), when});
}

void take_line(std::string_view line, Time when, Transcript& transcript) {
  const json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object() || !object.contains("type")) {
    transcript.problem =
        "a line is not a JSON object with a type: " + std::string(line.substr(0, 100));
    return;
  }
  const std::string type = object["type"];
  if (type == "system" && object.value("subtype", "") == "init") transcript.init = when;
  if (type == "text") take_text(object.value("content", ""), when, transcript);
  if (type == "assistant") {
    const json message = object.value("message", json::object());
    for (const json& block : message.value("content", json::array())) {
      if (block.value("type", "") == "text") take_text(block.value("text", ""), when, transcript);
    }
  }
  if (type == "tool_result" && !object.value("is_error", false)) ++transcript.tool_results;
  if (type == "result") {
    if (transcript.result) transcript.problem = "more than one result line";
    transcript.result = when;
    transcript.result_is_error = object.value("is_error", true);
  }
}

}  // namespace

Time Transcript::time_of_text(std::size_t bytes) const {
  const auto line =
      std::lower_bound(text_lines.begin(), text_lines.end(), bytes,
                       [](const TextLine& l, std::size_t wanted) { return l.text_end < wanted; });
  return line == text_lines.end() ? Time::max() : line->when;
}

Transcript read_transcript(const ProgramRun& run) {
  Transcript transcript;
  const std::string_view output = run.output;
  std::size_t from = 0;
  while (from < output.size()) {
    const std::size_t end = output.find('\n', from);
    if (end == std::string_view::npos) {
      transcript.problem = "stdout ends in the middle of a line";
      break;
    }
    take_line(output.substr(from, end - from), run.time_of(end), transcript);
    from = end + 1;
  }
  return transcript;
}

std::string missing_from(const ProgramRun& run, const Transcript& transcript,
                         std::string_view expected_text) {
  if (run.exit_text() != "0") return "exit " + run.exit_text() + ": " + run.errors.substr(0, 500);
  if (!transcript.problem.empty()) return transcript.problem;
  if (!transcript.init) return "no init line";
  if (transcript.text.size() != expected_text.size()) {
    return "text has " + std::to_string(transcript.text.size()) + " of " +
           std::to_string(expected_text.size()) + " bytes";
  }
  if (transcript.text != expected_text) return "text differs from what the server sent";
  if (!transcript.result) return "no result line";
  if (transcript.result_is_error) return "the result is an error";
  return {};
}

}  // namespace yume::bench
