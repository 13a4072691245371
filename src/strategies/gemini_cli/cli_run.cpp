// SPDX-License-Identifier: MIT
#include "strategies/gemini_cli/cli_run.h"

#include "foreign/failure_words.h"
#include "strategies/wrapped_strategy.h"
#include "util/line_framer.h"

#include <array>
#include <thread>
#include <utility>

namespace yume::strategies {
namespace {

using core::FailureKind;
using std::chrono::milliseconds;

constexpr std::size_t k_longest_line = 64U << 20U;
constexpr std::size_t k_buffer = 64U << 10U;
// Between the two signals that end it. Its tools are killed with it.
constexpr milliseconds k_grace{200};
constexpr std::string_view k_sign_in =
    "Run `gemini` once in a terminal and sign in, or set GEMINI_API_KEY.";
constexpr std::string_view k_install =
    "Install it with `npm install -g @google/gemini-cli`, or name its file with --gemini-path or "
    "GEMINI_CLI_PATH.";

// The exit codes of version 0.61.
struct KnownEnd {
  int code;
  FailureKind failure;
  std::string_view what;
  std::string_view advice;
};
constexpr std::array k_ends = {
    KnownEnd{127, FailureKind::invalid_request, "could not be run", k_install},
    KnownEnd{126, FailureKind::invalid_request, "could not be run", k_install},
    KnownEnd{41, FailureKind::authentication, "could not authenticate", k_sign_in},
    KnownEnd{42, FailureKind::invalid_request, "refused its input", ""},
    KnownEnd{52, FailureKind::invalid_request, "has an invalid configuration",
             "Correct ~/.gemini/settings.json."},
    KnownEnd{55, FailureKind::invalid_request, "does not trust this folder",
             "Run `gemini` once here and trust it, or set GEMINI_CLI_TRUST_WORKSPACE=true."},
};

class Reading {
 public:
  Reading(foreign::GeminiLinesDecoder& decoder, const foreign::Emit& emit, Log& log)
      : decoder_(decoder),
        emit_(emit),
        log_(log),
        framer_(
            {.max_line_bytes = k_longest_line, .outline = {}},
            [this](std::string_view line) { take(line); },
            [this](const LongLine& line) {
              emit_(core::Notice{"The Gemini CLI wrote a line of " + std::to_string(line.bytes) +
                                 " bytes, which is too long. It was skipped."});
            }) {}

  // Until the end of the output; cancelled when the token fires.
  Result<void> read_all(platform::DuplexProcess& process, const CancelToken& cancel) {
    std::array<char, k_buffer> buffer{};
    for (;;) {
      YUME_TRY(const std::size_t count, process.read(buffer, cancel));
      if (count == 0) break;
      framer_.feed({buffer.data(), count});
    }
    framer_.finish();
    return {};
  }
  [[nodiscard]] bool said_anything() const { return said_anything_; }

 private:
  void take(std::string_view line) {
    if (const auto bad = decoder_.feed(line, emit_)) {
      log_.write("gemini-cli", text_of(*bad));
      emit_(core::Notice{text_of(*bad)});
    } else if (!line.empty()) {
      said_anything_ = true;
    }
  }

  foreign::GeminiLinesDecoder& decoder_;
  const foreign::Emit& emit_;
  Log& log_;
  LineFramer framer_;
  bool said_anything_ = false;
};

}  // namespace

Result<CliEnd> run_cli(const CliRun& run, foreign::GeminiLinesDecoder& decoder,
                       const foreign::Emit& emit, Log& log, const CancelToken& cancel) {
  YUME_TRY(const auto process, platform::start_duplex_process(run.program));
  // It reads its input before it says anything, and may end without having read it: then its exit
  // code says why.
  if (const auto written = process->write(run.input, cancel); !written) {
    log.write("gemini-cli", "stdin: " + written.error().message);
  }
  process->close_stdin();
  Reading reading(decoder, emit, log);
  const auto read = reading.read_all(*process, cancel);
  CliEnd end;
  if (read.ok()) {
    if (const auto ended = process->wait(cancel); ended.ok()) end.process = *ended;
  }
  if (cancel.stop_requested()) {
    end.process = process->stop(k_grace);
    // What it said before belongs to the turn.
    (void)reading.read_all(*process, CancelToken());
  }
  end.said_anything = reading.said_anything();
  end.error_tail = process->error_tail();
  return end;
}

foreign::StreamEnd end_of(const CliEnd& end) {
  using Kind = platform::ProcessEndKind;
  const std::string words = last_words(end.error_tail);
  const std::string said = words.empty() ? "." : ": " + words;
  if (end.process.kind == Kind::signalled) {
    return {.why = "The Gemini CLI was ended by " + platform::signal_name(end.process.signal) +
                   " in the middle of its turn" + said};
  }
  if (end.process.kind != Kind::exited) {
    return {.outcome = core::TurnOutcome::interrupted, .why = ""};
  }
  for (const KnownEnd& known : k_ends) {
    if (known.code != end.process.exit_code) continue;
    return {.why = "The Gemini CLI " + std::string(known.what) + said +
                   (known.advice.empty() ? "" : " " + std::string(known.advice)),
            .failure = known.failure};
  }
  const FailureKind failure = foreign::guess_failure(words).kind;
  std::string why = "The Gemini CLI ended without a result (exit code " +
                    std::to_string(end.process.exit_code) + ")" + said;
  if (failure == FailureKind::authentication) why += " " + std::string(k_sign_in);
  return {.why = std::move(why), .failure = failure};
}

}  // namespace yume::strategies
