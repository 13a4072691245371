// SPDX-License-Identifier: MIT
#include "app/rejection.h"

namespace yume::app {
namespace {

constexpr std::string_view k_no_prompt =
    "Error: Input must be provided either through stdin or as a prompt argument when using --print";
constexpr std::string_view k_no_text = "Error: the message has no text";
constexpr std::string_view k_no_prompt_gemini =
    "Error: No input provided via stdin. Input can be piped into gemini or given with --prompt.";
constexpr std::string_view k_no_prompt_yume =
    "Error: the prompt is empty; pass it with --prompt or on stdin";

core::TurnDone rejected_turn(const std::string& why) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::rejected;
  done.failure = core::FailureKind::invalid_request;
  done.text = why;
  done.num_turns = 0;
  done.stop = core::StopReason::aborted;
  done.duration = std::chrono::milliseconds(1);
  return done;
}

}  // namespace

ExitCode Rejection::report(const std::string& session_id, const std::string& why) const {
  if (options_.dialect == DialectName::gemini) {  // its host writes to stderr, too
    protocol::write_when_due(host_, {.address = {session_id}, .event = rejected_turn(why)}, clock_);
    return options_.face == Face::gemini ? ExitCode::input : ExitCode::failure;
  }
  const bool lines = options_.output_format == OutputFormat::stream_json;
  const bool yume = options_.dialect != DialectName::claude;
  if (lines || options_.output_file) {
    protocol::write_when_due(host_, {.address = {session_id}, .event = rejected_turn(why)}, clock_);
  }
  const bool one_shot = options_.input_format == InputFormat::text;
  if (!lines || (!yume && one_shot)) (void)err_.write(why + "\n");
  return ExitCode::failure;
}

// One-shot, Claude reports this on stderr alone; Yume's window shows lines, and a host that has
// sent a message waits for the result of it.
ExitCode Rejection::report_empty_prompt(const std::string& session_id) const {
  const bool waits = options_.input_format == InputFormat::stream_json;
  if (options_.dialect == DialectName::gemini) {
    return report(session_id, std::string(waits ? k_no_text : k_no_prompt_gemini));
  }
  if (waits || options_.dialect != DialectName::claude) {
    return report(session_id, std::string(waits ? k_no_text : k_no_prompt_yume));
  }
  (void)err_.write(std::string(k_no_prompt) + "\n");
  return ExitCode::failure;
}

}  // namespace yume::app
