// SPDX-License-Identifier: MIT
#include "foreign/line_decoder.h"

#include "util/utf8.h"

namespace yume::foreign {
namespace {

constexpr int k_shown_characters = 50;

}  // namespace

BadLine bad_line(std::string_view line) {
  BadLine bad{.beginning = {}, .bytes = line.size()};
  std::size_t at = 0;
  for (int shown = 0; shown < k_shown_characters && at < line.size(); ++shown) {
    const DecodedCharacter character = decode_utf8(line, at);
    append_utf8(bad.beginning, character.code_point);
    at += character.length;
  }
  return bad;
}

std::string text_of(const BadLine& line) {
  return "A line that cannot be read was skipped (" + std::to_string(line.bytes) +
         " bytes): " + line.beginning;
}

core::TurnDone cut_off_turn(const StreamEnd& end) {
  core::TurnDone done;
  done.outcome = end.outcome;
  done.failure = end.outcome == core::TurnOutcome::failed ? end.failure : core::FailureKind::none;
  done.text = end.why;
  if (end.outcome == core::TurnOutcome::interrupted) done.stop = core::StopReason::aborted;
  return done;
}

}  // namespace yume::foreign
