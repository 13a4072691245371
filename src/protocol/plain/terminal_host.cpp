// SPDX-License-Identifier: MIT
#include "protocol/plain/terminal_host.h"

#include "protocol/plain/choice_dialogue.h"
#include "protocol/plain/permission_dialogue.h"
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

}  // namespace

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
  if (open_.empty()) return;
  view_.start_of_line();
  output_.bytes(open_.front().dialogue->opening());
  prompt(Dialogue::Expects::answer);
}

// Only what is typed with the question before one's eyes is an answer to it. So everything before
// is discarded, as late as possible: when nothing but the prompt is still to be shown.
void TerminalHost::prompt(Dialogue::Expects expects) {
  const Open& shown = open_.front();
  if (expects == Dialogue::Expects::answer) typed_.discard();
  output_.bytes(shown.dialogue->prompt());
  view_.leave_line_open();
  typed_.expect(shown.id);
}

std::optional<core::HostAnswer> TerminalHost::take_typed(const TypedLine& line) {
  if (open_.empty() || open_.front().id != line.question_id) return std::nullopt;
  if (line.text) view_.line_was_ended();
  view_.start_of_line();
  Dialogue::Step step = open_.front().dialogue->take(line.text);
  if (const auto* expects = std::get_if<Dialogue::Expects>(&step)) {
    prompt(*expects);
    return std::nullopt;
  }
  // The rest of a text that was pasted here is not meant for the shell.
  typed_.discard();
  open_.pop_front();
  show_first();
  return std::get<core::HostAnswer>(std::move(step));
}

void TerminalHost::withdraw(std::string_view request_id) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const Open& open) { return open.id == request_id; });
  if (found == open_.end()) return;
  const bool shown = found == open_.begin();
  open_.erase(found);
  if (!shown) return;
  typed_.stop();
  view_.note("the question was withdrawn");
  show_first();
}

}  // namespace yume::protocol
