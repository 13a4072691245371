// SPDX-License-Identifier: MIT
#include "agent/turn_notes.h"

namespace yume::agent {
namespace {

std::string what_was_cut(const gemini::History& past) {
  switch (past.last()) {
    case gemini::History::Last::model:
      return "your last reply ends where it was cut off";
    case gemini::History::Last::function_responses:
      return "you had not replied to the last results of tools, and a call that was not finished "
             "says so in its result";
    case gemini::History::Last::user_text:
    case gemini::History::Last::nothing:
      break;
  }
  return "you had not replied to the message before this one";
}

}  // namespace

std::string as_reminder(std::string_view text) {
  return "<system-reminder>" + std::string(text) + "</system-reminder>";
}

Unreported unreported_of(const core::Conversation& past) {
  Unreported unreported{.interrupted = past.interrupted};
  for (const core::RunningCommand& command : past.state.running) {
    unreported.news.push_back(
        "Background command \"" + command.title +
        "\" ran in an earlier process of this session and cannot be reached any "
        "more; its exit code is not known. Its ID was " +
        command.id + ", its output is in " + command.output_file + ".");
  }
  return unreported;
}

std::string note_for_model(const Unreported& unreported, const gemini::History& past) {
  std::string note;
  if (unreported.interrupted) {
    note = as_reminder("The user interrupted the turn before this one: " + what_was_cut(past) +
                       ". Go on with it only as far as the user asks for that now.");
  }
  for (const std::string& one : unreported.news) {
    note.append(note.empty() ? "" : "\n\n").append(as_reminder(one));
  }
  return note;
}

}  // namespace yume::agent
