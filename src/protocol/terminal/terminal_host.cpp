// SPDX-License-Identifier: MIT
#include "protocol/terminal/terminal_host.h"

#include "protocol/terminal/choice_dialogue.h"
#include "protocol/terminal/permission_dialogue.h"
#include "util/overloaded.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace yume::protocol {
namespace {

std::unique_ptr<Dialogue> make_dialogue(const core::MayRun& question, EscapeCodes codes) {
  if (question.call.name == "AskUserQuestion") {
    return std::make_unique<ChoiceDialogue>(question.call, codes);
  }
  return std::make_unique<PermissionDialogue>(question, codes);
}

// Whether it puts something on the screen between two turns.
bool shows_when_idle(const core::Event& event) {
  return std::visit(
      Overloaded{
          Constant<true, core::SessionStarted, core::BackgroundEnded, core::AgentEnded,
                   core::ModeChanged, core::ModelChanged, core::RetryScheduled,
                   core::CompactionStarted, core::Compacted, core::CompactionFailed, core::Notice,
                   core::TurnDone>{},
          Constant<false, core::PromptTaken, core::PromptMoved, core::MessageStarted,
                   core::TextDelta, core::ThoughtDelta, core::BlockDone, core::UsageUpdated,
                   core::ToolCallStarted, core::ToolArgsDelta, core::ToolCallReady,
                   core::ToolFinished, core::ToolProgress, core::BackgroundStarted,
                   core::AgentStarted, core::AgentProgress, core::PermissionRefused,
                   core::HookStarted, core::HookEnded, core::ConversationReset, core::StateChanged,
                   core::MessageDone>{},
      },
      event);
}

bool ends_turn(const core::Event& event) {
  return std::holds_alternative<core::TurnDone>(event);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

bool TerminalHost::prompt_is_shown() const {
  return conversation_ != nullptr && !busy_ && open_.empty();
}

void TerminalHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  if (conversation_ == nullptr) return view_.on_envelope(envelope, now);
  const bool own = envelope.address.parent_call_id.empty();
  const bool begins = own && std::holds_alternative<core::SessionStarted>(envelope.event);
  const bool over_prompt = prompt_is_shown() && own && shows_when_idle(envelope.event);
  if (over_prompt) {
    conversation_->stop();
    start_line();
  }
  view_.on_envelope(envelope, now);
  if (begins && open_.empty()) {
    busy_ = true;
    conversation_->listen();
  }
  if (own && ends_turn(envelope.event)) busy_ = false;
  if (prompt_is_shown() && (over_prompt || ends_turn(envelope.event))) want_prompt();
}

void TerminalHost::want_prompt() {
  if (!conversation_->shows_prompt()) {
    output_.bytes("> ");
    line_open_ = true;
  }
  conversation_->want_prompt();
}

void TerminalHost::take_prompt(std::string_view text) {
  if (conversation_ == nullptr) return;
  would_leave_ = false;
  line_open_ = false;
  if (busy_) {
    if (!is_blank(text)) view_.note("> " + std::string(text));
    return;
  }
  if (is_blank(text)) return want_prompt();
  busy_ = true;
  conversation_->listen();
  view_.show_start();
}

bool TerminalHost::leaves_on_interrupt() {
  if (conversation_ == nullptr) return true;
  const bool typed = conversation_->forget();
  if (!typed && would_leave_) return true;
  would_leave_ = !typed;
  start_line();
  if (!typed) view_.note("Ctrl-C once more leaves, and so does Ctrl-D.");
  want_prompt();
  return false;
}

void TerminalHost::look_again() {
  if (conversation_ == nullptr || !open_.empty()) return;
  if (busy_) return conversation_->listen();
  conversation_->stop();
  start_line();
  want_prompt();
}

void TerminalHost::ask(std::string_view request_id, const core::Address& /*from*/,
                       const core::HostQuestion& question) {
  std::visit(
      Overloaded{
          [&](const core::MayRun& may_run) {
            open_.push_back({std::string(request_id), make_dialogue(may_run, codes_)});
            if (open_.size() == 1) show_first();
          },
          // A person registers no hooks and runs no servers, so none is ever asked for here.
          PassOver<core::CallHook, core::McpMessage, core::Elicit, core::ReadHostFile,
                   core::WriteHostFile, core::UseTerminal>{},
      },
      question);
}

void TerminalHost::show_first() {
  if (open_.empty()) {
    view_.resume();
    if (conversation_ != nullptr && busy_) conversation_->listen();
    return;
  }
  view_.pause();
  output_.bytes(open_.front().dialogue->opening());
  prompt(Dialogue::Expects::answer);
}

// Only what is typed with the question before one's eyes is an answer to it. So everything before
// is discarded, as late as possible: when nothing but the prompt is still to be shown.
void TerminalHost::prompt(Dialogue::Expects expects) {
  const Open& shown = open_.front();
  if (expects == Dialogue::Expects::answer) typed_->discard();
  output_.bytes(shown.dialogue->prompt());
  line_open_ = true;
  typed_->expect(shown.id);
}

std::optional<core::HostAnswer> TerminalHost::take_typed(const TypedLine& line) {
  if (open_.empty() || open_.front().id != line.question_id) return std::nullopt;
  if (line.text) line_open_ = false;  // the terminal has shown its end
  start_line();
  Dialogue::Step step = open_.front().dialogue->take(line.text);
  if (const auto* expects = std::get_if<Dialogue::Expects>(&step)) {
    prompt(*expects);
    return std::nullopt;
  }
  // The rest of a text that was pasted here is not meant for the shell.
  typed_->discard();
  open_.pop_front();
  show_first();
  return std::get<core::HostAnswer>(std::move(step));
}

void TerminalHost::start_line() {
  if (std::exchange(line_open_, false)) output_.bytes("\n");
}

void TerminalHost::withdraw(std::string_view request_id) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const Open& open) { return open.id == request_id; });
  if (found == open_.end()) return;
  const bool shown = found == open_.begin();
  open_.erase(found);
  if (!shown) return;
  typed_->stop();
  start_line();
  view_.note("the question was withdrawn");
  show_first();
}

}  // namespace yume::protocol
