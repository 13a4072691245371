// SPDX-License-Identifier: MIT
#include "protocol/plain/progress_words.h"

namespace yume::protocol {
namespace {

// "0.5 s", "12 s"
std::string seconds_text(std::chrono::milliseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  if (tenths >= 100) return std::to_string((tenths + 5) / 10) + " s";
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

}  // namespace

std::string progress_words(const core::RetryScheduled& retry) {
  return retry.reason + "; trying again in " + seconds_text(retry.delay) + " (" +
         std::to_string(retry.attempt) + " of " + std::to_string(retry.max_retries) + ")";
}
std::string progress_words(const core::Notice& notice) {
  return notice.text;
}
std::string progress_words(const core::CompactionStarted& /*started*/) {
  return "the conversation is being summed up to make room ...";
}
std::string progress_words(const core::Compacted& compacted) {
  return "summed up: " + std::to_string(compacted.pre_tokens) + " tokens became " +
         std::to_string(compacted.post_tokens);
}
std::string progress_words(const core::CompactionFailed& failed) {
  return "it could not be summed up: " + failed.reason;
}

std::string limit_words(const core::TurnDone& done) {
  if (done.outcome != core::TurnOutcome::max_turns) return "Error: " + done.text;
  return "Error: Reached max turns (" + std::to_string(done.max_turns) + ")";
}

}  // namespace yume::protocol
