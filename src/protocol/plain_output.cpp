// SPDX-License-Identifier: MIT
#include "protocol/plain_output.h"

#include "util/utf8.h"

namespace yume::protocol {
namespace {

using core::TurnDone;
using core::TurnOutcome;

std::string closing_text(const TurnDone& done) {
  switch (done.outcome) {
    case TurnOutcome::max_turns:
      return "Error: Reached max turns (" + std::to_string(done.max_turns) + ")";
    case TurnOutcome::interrupted:
    case TurnOutcome::rejected:
      return "";  // the reason goes to stderr
    case TurnOutcome::success:
    case TurnOutcome::failed:
      break;
  }
  return done.text + "\n";
}

// Escape sequences from a model or a command could rewrite what the person sees.
std::string for_terminal(std::string_view text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    const char32_t code = character.code_point;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);  // C1: ESC [ in one piece
    if (code == '\n' || code == '\t' || !control) append_utf8(clean, code);
    at += character.length;
  }
  return clean;
}

std::string first_line(std::string_view text, std::size_t max_bytes) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string_view shown = utf8_prefix(line, max_bytes);
  return std::string(shown) + (shown.size() < text.size() ? " ..." : "");
}

}  // namespace

void TextOutput::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  if (const auto* done = std::get_if<TurnDone>(&event)) output_.bytes(closing_text(*done));
}

void JsonOutput::Collector::line(std::string_view text) {
  if (keep_all) {
    if (!all.empty()) all.push_back(',');
    all.append(text);
  }
  if (text.starts_with(R"({"type":"result")")) result = text;
}

void JsonOutput::Collector::bytes(std::string_view /*text*/) {}

JsonOutput::JsonOutput(Output& output, JsonDetail detail, const MakeDialect& make_dialect)
    : output_(output), detail_(detail), dialect_(make_dialect(collector_)) {
  collector_.keep_all = detail == JsonDetail::all_lines;
}

void JsonOutput::on_event(const core::Event& event, platform::SteadyTime now) {
  dialect_->on_event(event, now);
  if (!std::holds_alternative<TurnDone>(event)) return;
  output_.line(detail_ == JsonDetail::all_lines ? "[" + collector_.all + "]" : collector_.result);
}

void TerminalOutput::start_of_line() {
  if (!at_line_start_) output_.bytes("\n");
  at_line_start_ = true;
}

void TerminalOutput::dim(std::string_view text) {
  start_of_line();
  output_.bytes("\x1b[2m" + for_terminal(text) + "\x1b[0m\n");
}

void TerminalOutput::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  constexpr std::size_t k_width = 160;
  if (const auto* text = std::get_if<core::TextDelta>(&event)) {
    const std::string clean = for_terminal(text->text);
    output_.bytes(clean);
    if (!clean.empty()) at_line_start_ = clean.back() == '\n';
  } else if (const auto* ready = std::get_if<core::ToolCallReady>(&event)) {
    dim("> " + ready->call.name + " " + first_line(ready->call.input.text, k_width));
  } else if (const auto* finished = std::get_if<core::ToolFinished>(&event)) {
    const std::string mark = finished->outcome.is_error ? "  failed: " : "  ";
    dim(mark + first_line(finished->outcome.content, k_width));
  } else if (const auto* retry = std::get_if<core::RetryScheduled>(&event)) {
    dim("waiting " + std::to_string(retry->delay.count()) +
        " ms, then trying again: " + retry->reason);
  } else if (const auto* notice = std::get_if<core::Notice>(&event)) {
    dim(notice->text);
  } else if (std::holds_alternative<core::CompactionStarted>(event)) {
    dim("the conversation is being summed up to make room ...");
  } else if (const auto* compacted = std::get_if<core::Compacted>(&event)) {
    dim("summed up: " + std::to_string(compacted->pre_tokens) + " tokens became " +
        std::to_string(compacted->post_tokens));
  } else if (const auto* failed = std::get_if<core::CompactionFailed>(&event)) {
    dim("it could not be summed up: " + failed->reason);
  } else if (const auto* done = std::get_if<TurnDone>(&event)) {
    start_of_line();
    const bool answers = done->is_local_command && done->outcome == TurnOutcome::success;
    if (answers) output_.bytes(done->text + "\n");
    if (done->outcome == TurnOutcome::failed) output_.bytes(for_terminal(done->text) + "\n");
    if (done->outcome == TurnOutcome::max_turns) output_.bytes(closing_text(*done) + "\n");
    if (done->outcome == TurnOutcome::interrupted) dim("interrupted");
  }
}

}  // namespace yume::protocol
