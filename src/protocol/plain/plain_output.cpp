// SPDX-License-Identifier: MIT
#include "protocol/plain/plain_output.h"

#include "util/escape_codes.h"
#include "util/overloaded.h"
#include "util/utf8.h"

#include <optional>

namespace yume::protocol {
namespace {

using core::TurnDone;
using core::TurnOutcome;

std::string limit_text(const TurnDone& done) {
  if (done.outcome != TurnOutcome::max_turns) return "Error: " + done.text;
  return "Error: Reached max turns (" + std::to_string(done.max_turns) + ")";
}

void write_closing_text(const TurnDone& done, Output& output) {
  switch (done.outcome) {
    case TurnOutcome::max_turns:
    case TurnOutcome::max_budget:
    case TurnOutcome::no_structured_output:
    case TurnOutcome::stuck:
    case TurnOutcome::timed_out:
      output.bytes(limit_text(done));
      return;
    case TurnOutcome::interrupted:
    case TurnOutcome::rejected:
      return;  // the reason goes to stderr
    case TurnOutcome::success:
    case TurnOutcome::failed:
      break;
  }
  constexpr std::size_t k_long = 1U << 20U;
  if (done.text.size() < k_long) {
    output.bytes(done.text + "\n");
  } else {  // no second copy of it
    output.bytes(done.text);
    output.bytes("\n");
  }
}

std::string first_line(std::string_view text, std::size_t max_bytes) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string_view shown = utf8_prefix(line, max_bytes);
  return std::string(shown) + (shown.size() < text.size() ? " ..." : "");
}

// "0.5 s", "12 s"
std::string seconds_text(std::chrono::milliseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  if (tenths >= 100) return std::to_string((tenths + 5) / 10) + " s";
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

// What a person who waits wants to know: why, and for how long.
std::string progress_text(const core::RetryScheduled& retry) {
  return retry.reason + "; trying again in " + seconds_text(retry.delay) + " (" +
         std::to_string(retry.attempt) + " of " + std::to_string(retry.max_retries) + ")";
}
std::string progress_text(const core::Notice& notice) {
  return notice.text;
}
std::string progress_text(const core::CompactionStarted& /*started*/) {
  return "the conversation is being summed up to make room ...";
}
std::string progress_text(const core::Compacted& compacted) {
  return "summed up: " + std::to_string(compacted.pre_tokens) + " tokens became " +
         std::to_string(compacted.post_tokens);
}
std::string progress_text(const core::CompactionFailed& failed) {
  return "it could not be summed up: " + failed.reason;
}

// Nothing that a person needs to be told beside the conversation.
using Unremarkable =
    PassOver<core::SessionStarted, core::MessageStarted, core::ThoughtDelta, core::BlockDone,
             core::UsageUpdated, core::ToolCallStarted, core::ToolArgsDelta, core::ToolProgress,
             core::BackgroundStarted, core::BackgroundEnded, core::AgentStarted,
             core::AgentProgress, core::AgentEnded, core::PermissionRefused, core::HookStarted,
             core::HookEnded, core::PromptTaken, core::PromptMoved, core::ModeChanged,
             core::ConversationReset, core::StateChanged, core::ModelChanged, core::MessageDone>;
// The conversation itself.
using Spoken = PassOver<core::TextDelta, core::ToolCallReady, core::ToolFinished>;
using Progress = PassOver<core::RetryScheduled, core::Notice, core::CompactionStarted,
                          core::Compacted, core::CompactionFailed>;

}  // namespace

void ProgressBeside::on_event(const core::Event& event, platform::SteadyTime now) {
  const auto tell = [this](const auto& what) {
    progress_.bytes(safe_for_terminal(progress_text(what)) + "\n");
  };
  std::visit(Overloaded{
                 Unremarkable{},
                 Spoken{},
                 [&](const core::RetryScheduled& retry) { tell(retry); },
                 [&](const core::Notice& notice) { tell(notice); },
                 [&](const core::CompactionStarted& started) { tell(started); },
                 [&](const core::Compacted& compacted) { tell(compacted); },
                 [&](const core::CompactionFailed& failed) { tell(failed); },
                 PassOver<TurnDone>{},
             },
             event);
  inner_->on_event(event, now);
}

void TextOutput::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  std::visit(
      Overloaded{
          Unremarkable{},
          Spoken{},
          Progress{},
          [this](const TurnDone& done) { write_end(done); },
      },
      event);
}

void TextOutput::write_end(const TurnDone& done) {
  if (reader_ == Reader::program) return write_closing_text(done, output_);
  TurnDone shown = done;
  shown.text = safe_for_terminal(done.text);
  write_closing_text(shown, output_);
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
  output_.bytes(styled(k_dim, safe_for_terminal(text), codes_) + "\n");
}

void TerminalOutput::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  constexpr std::size_t k_width = 160;
  const auto tell = [this](const auto& what) { dim(progress_text(what)); };
  std::visit(Overloaded{
                 Unremarkable{},
                 [&](const core::TextDelta& text) {
                   const std::string clean = safe_for_terminal(text.text);
                   output_.bytes(clean);
                   if (!clean.empty()) at_line_start_ = clean.back() == '\n';
                 },
                 [&](const core::ToolCallReady& ready) {
                   dim("> " + ready.call.name + " " + first_line(ready.call.input.text, k_width));
                 },
                 [&](const core::ToolFinished& finished) {
                   const std::string mark = finished.outcome.is_error ? "  failed: " : "  ";
                   dim(mark + first_line(finished.outcome.content, k_width));
                 },
                 [&](const core::RetryScheduled& retry) { tell(retry); },
                 [&](const core::Notice& notice) { tell(notice); },
                 [&](const core::CompactionStarted& started) { tell(started); },
                 [&](const core::Compacted& compacted) { tell(compacted); },
                 [&](const core::CompactionFailed& failed) { tell(failed); },
                 [&](const TurnDone& done) { write_end(done); },
             },
             event);
}

void TerminalOutput::write_end(const TurnDone& done) {
  start_of_line();
  const bool answers = done.is_local_command && done.outcome == TurnOutcome::success;
  if (answers) output_.bytes(done.text + "\n");
  if (done.outcome == TurnOutcome::failed) output_.bytes(safe_for_terminal(done.text) + "\n");
  if (core::at_limit(done.outcome)) output_.bytes(limit_text(done) + "\n");
  if (done.outcome == TurnOutcome::interrupted) dim("interrupted");
}

}  // namespace yume::protocol
