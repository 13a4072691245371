// SPDX-License-Identifier: MIT
#include "protocol/plain/plain_output.h"

#include "protocol/plain/progress_words.h"
#include "util/escape_codes.h"
#include "util/overloaded.h"

namespace yume::protocol {
namespace {

using core::TurnDone;
using core::TurnOutcome;

void write_closing_text(const TurnDone& done, Output& output) {
  switch (done.outcome) {
    case TurnOutcome::max_turns:
    case TurnOutcome::max_budget:
    case TurnOutcome::no_structured_output:
    case TurnOutcome::stuck:
    case TurnOutcome::timed_out:
      output.bytes(limit_words(done));
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
    progress_.bytes(safe_for_terminal(progress_words(what)) + "\n");
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

}  // namespace yume::protocol
