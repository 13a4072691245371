// SPDX-License-Identifier: MIT
#include "unit/foreign/seen_events.h"

#include "util/overloaded.h"

namespace yume::foreign {
namespace {

std::string_view outcome_name(core::TurnOutcome outcome) {
  switch (outcome) {
    case core::TurnOutcome::success:
      return "success";
    case core::TurnOutcome::max_turns:
      return "max_turns";
    case core::TurnOutcome::interrupted:
      return "interrupted";
    case core::TurnOutcome::failed:
      return "failed";
    default:
      return "other";
  }
}

std::string_view stop_name(core::StopReason stop) {
  switch (stop) {
    case core::StopReason::end_turn:
      return "end_turn";
    case core::StopReason::tool_use:
      return "tool_use";
    case core::StopReason::max_tokens:
      return "max_tokens";
    case core::StopReason::refusal:
      return "refusal";
    case core::StopReason::aborted:
      return "aborted";
  }
  return "";
}

std::string counts(const core::Usage& usage) {
  return std::to_string(usage.prompt_tokens) + "/" + std::to_string(usage.cached_tokens) + "/" +
         std::to_string(usage.output_tokens) + "/" + std::to_string(usage.thought_tokens);
}

std::string seen_done(const core::TurnDone& done) {
  std::string text = "done " + std::string(outcome_name(done.outcome)) +
                     " turns=" + std::to_string(done.num_turns) + " usage=" + counts(done.total);
  if (done.failure != core::FailureKind::none) {
    text += " failure=" + std::to_string(static_cast<int>(done.failure));
  }
  if (done.http_status != 0) text += " http=" + std::to_string(done.http_status);
  if (done.interrupted_in_tool) text += " in_tool";
  for (const core::ToolCall& denial : done.denials) text += " denied=" + denial.id;
  return text + " | " + done.text;
}

std::string details_name(const core::ToolDetails& details) {
  if (std::holds_alternative<core::FileWritten>(details)) return " FileWritten";
  if (std::holds_alternative<core::FileEdited>(details)) return " FileEdited";
  if (std::holds_alternative<core::TodosChanged>(details)) return " TodosChanged";
  if (std::holds_alternative<core::CommandRan>(details)) return " CommandRan";
  if (std::holds_alternative<core::CallRejected>(details)) return " CallRejected";
  return "";
}

}  // namespace

std::string seen(const core::Event& event) {
  return std::visit(
      Overloaded{
          [](const core::SessionStarted& started) {
            return "session " + started.session_id + " " + started.model +
                   (started.cwd.empty() ? "" : " in " + started.cwd);
          },
          [](const core::PromptTaken& taken) { return "prompt " + taken.message.text(); },
          [](const core::MessageStarted& started) {
            return "message " + started.message_id + " " + started.model;
          },
          [](const core::TextDelta& delta) { return "text " + delta.text; },
          [](const core::ThoughtDelta& delta) { return "thought " + delta.text; },
          [](const core::MessageDone& done) {
            return "end " + std::string(stop_name(done.stop)) + " " + counts(done.usage);
          },
          [](const core::ToolCallReady& ready) {
            return "call " + ready.call.id + " " + ready.call.name + " " + ready.call.input.text;
          },
          [](const core::ToolFinished& finished) {
            return "result " + finished.call.id + (finished.outcome.is_error ? " error" : "") +
                   details_name(finished.outcome.details) + " | " + finished.outcome.content;
          },
          [](const core::PermissionRefused& refused) {
            return "refused " + refused.call.id + " | " + refused.message;
          },
          [](const core::Notice& notice) { return "notice " + notice.text; },
          [](const core::ModeChanged& changed) {
            return "mode " + std::string(core::to_string(changed.mode));
          },
          [](const core::ModelChanged& changed) { return "model " + changed.model; },
          [](const core::TurnDone& done) { return seen_done(done); },
          [](const auto&) { return std::string("?"); },
      },
      event);
}

std::vector<std::string> decode_all(LineDecoder& decoder, const std::vector<std::string>& lines,
                                    AtEnd at_end) {
  std::vector<std::string> all;
  const Emit emit = [&all](const core::Event& event) { all.push_back(seen(event)); };
  for (const std::string& line : lines) {
    if (const auto bad = decoder.feed(line, emit)) all.push_back("bad " + bad->beginning);
  }
  if (at_end == AtEnd::finish) decoder.finish({}, emit);
  return all;
}

}  // namespace yume::foreign
