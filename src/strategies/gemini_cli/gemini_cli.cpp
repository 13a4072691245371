// SPDX-License-Identifier: MIT
#include "strategies/gemini_cli/gemini_cli.h"

#include "strategies/gemini_cli/cli_run.h"
#include "util/path_text.h"

#include <filesystem>
#include <utility>

namespace yume::strategies {
namespace {

constexpr int k_bad_input = 42;
// It reads no more than this of its stdin, and does not say so.
constexpr std::size_t k_longest_input = 8U << 20U;
constexpr std::string_view k_sign_in =
    " (Run `gemini` once in a terminal and sign in, or set GEMINI_API_KEY.)";

std::string approval_mode(core::PermissionMode mode) {
  switch (mode) {
    case core::PermissionMode::accept_edits:
      return "auto_edit";
    case core::PermissionMode::bypass:
      return "yolo";
    case core::PermissionMode::plan:
      return "plan";
    case core::PermissionMode::default_mode:
    case core::PermissionMode::dont_ask:
      break;
  }
  return "default";
}

bool has_media(const core::UserMessage& message) {
  for (const core::UserBlock& block : message.blocks) {
    if (std::holds_alternative<core::Media>(block)) return true;
  }
  return false;
}

}  // namespace

// The prompt comes by stdin: a command line is too short for some, and ends up in lists of
// processes.
std::vector<std::string> GeminiCli::command(bool resumes) const {
  std::vector<std::string> argv = deps().spec.wrap.argv;
  argv.insert(argv.end(),
              {"--output-format", "stream-json", "--approval-mode", approval_mode(mode())});
  argv.insert(argv.end(), {"--model", deps().spec.model.info.id});
  if (resumes) argv.insert(argv.end(), {"--resume", session_id_});
  return argv;
}

core::TurnDone GeminiCli::ask(const Question& question, core::TurnPort& port,
                              const CancelToken& cancel) {
  if (has_media(question.message)) {
    port.post(core::Notice{
        "The Gemini CLI takes no pictures and documents from a host: they were left out. Name "
        "their files in the prompt (@file) instead."});
  }
  for (bool resumes = !session_id_.empty();; resumes = false) {
    std::string input = resumes ? question.text : question.earlier + question.text;
    if (input.size() > k_longest_input) {
      return failed_turn("Prompt is too long: the Gemini CLI reads at most 8 MB of it.",
                         core::FailureKind::invalid_request);
    }
    foreign::GeminiLinesDecoder decoder(decoder_options());
    decoder.reserve_call_ids(earlier_call_ids());
    decoder.set_complete([&](const std::string& call, core::ToolOutcome& outcome) {
      if (!deps().spec.wrap.recorded_output) return true;
      auto output = deps().spec.wrap.recorded_output(decoder.session_id(), call);
      if (!output) return false;
      if (!output->empty()) outcome.content = *std::move(output);
      return true;
    });
    std::optional<core::TurnDone> done;
    const foreign::Emit emit = [&](core::Event event) { forward(std::move(event), port, done); };
    const auto end = run_cli({.program = {.argv = command(resumes),
                                          .cwd = deps().spec.cwd,
                                          .environment = deps().spec.wrap.environment},
                              .input = std::move(input)},
                             decoder, emit, deps().log, cancel);
    if (!end.ok()) {
      return failed_turn("The Gemini CLI could not be started: " + end.error().message +
                             ". Install it with `npm install -g @google/gemini-cli`, or name its "
                             "file with --gemini-path or GEMINI_CLI_PATH.",
                         core::FailureKind::invalid_request);
    }
    // Its session is gone: it is told what was said.
    const bool refused = !end->said_anything && end->process.exit_code == k_bad_input;
    if (resumes && refused && !cancel.stop_requested()) continue;
    if (!decoder.session_id().empty()) session_id_ = decoder.session_id();
    const bool interrupted = cancel.stop_requested();
    decoder.finish(interrupted
                       ? foreign::StreamEnd{.outcome = core::TurnOutcome::interrupted, .why = ""}
                       : end_of(*end),
                   emit);
    if (!done) return failed_turn("The Gemini CLI ended without a result.");
    const bool unsigned_in = done->failure == core::FailureKind::authentication &&
                             done->text.find("Run `gemini`") == std::string::npos;
    if (unsigned_in) done->text += k_sign_in;
    return *std::move(done);
  }
}

}  // namespace yume::strategies
