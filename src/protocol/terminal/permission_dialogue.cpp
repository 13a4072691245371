// SPDX-License-Identifier: MIT
#include "protocol/terminal/permission_dialogue.h"

#include "protocol/terminal/shown_call.h"
#include "protocol/terminal/typed_words.h"
#include "util/ascii.h"
#include "util/escape_codes.h"
#include "util/overloaded.h"

#include <string_view>
#include <utility>

namespace yume::protocol {
namespace {

constexpr std::string_view k_refused =
    "The user does not want this call to run. Do not try the same in another way: go on without "
    "it, or end your turn and say what you need.";
constexpr std::string_view k_refused_with_reason =
    "The user does not want this call to run, and says why: ";

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::string effect_of(const core::PermissionUpdate& update) {
  return std::visit(
      Overloaded{
          [](const core::RulesUpdate& rules) { return rules.effect + " " + joined(rules.rules); },
          [](const core::ModeUpdate& mode) {
            std::string text = "the mode " + std::string(core::to_string(mode.mode));
            if (mode.mode != core::PermissionMode::accept_edits) return text;
            return text +
                   " (edits, mkdir, touch, mv, cp, rm and rmdir inside the working directories)";
          },
          [](const core::DirectoriesUpdate& directories) {
            return "count " + joined(directories.directories) + " as a working directory";
          },
      },
      update);
}

// Nothing that a person says here outlives the session.
core::PermissionUpdate for_this_session(core::PermissionUpdate update) {
  std::visit([](auto& one) { one.destination = core::UpdateDestination::session; }, update);
  return update;
}

std::string choices(const core::MayRun& question) {
  std::string out = question.needs_person ? "  y  yes\n" : "  y  yes, once\n";
  if (!question.suggestions.empty()) {
    std::string effects;
    for (const core::PermissionUpdate& update : question.suggestions) {
      effects += (effects.empty() ? "" : "; ") + effect_of(update);
    }
    out += "  a  yes, and for the rest of this session: " + spelled_for_terminal(effects) + "\n";
  }
  return out + "  n  no\n  e  no, and say why\n";
}

core::HostDenies refused() {
  return {.message = std::string(k_refused)};
}

}  // namespace

PermissionDialogue::PermissionDialogue(const core::MayRun& question, EscapeCodes codes)
    : opening_(shown_call(question, codes)) {
  if (!question.why.empty()) {
    opening_ += "Why this is asked: " + spelled_for_terminal(question.why) + "\n";
  }
  opening_ += choices(question);
  for (const core::PermissionUpdate& update : question.suggestions) {
    always_.push_back(for_this_session(update));
  }
  keys_ = always_.empty() ? "y/n/e" : "y/a/n/e";
}

std::string PermissionDialogue::prompt() const {
  switch (state_) {
    case State::wants_reason:
      return "Why not? ";
    case State::not_understood:
      return "Please type one of these letters. [" + keys_ + "] ";
    case State::shown:
      break;
  }
  return "Allow it? [" + keys_ + "] ";
}

Dialogue::Step PermissionDialogue::take(const std::optional<std::string>& line) {
  if (!line) return refused();
  const std::string words = typed_words(*line);
  if (state_ != State::wants_reason) return choose(ascii_lower(words));
  if (words.empty()) return refused();
  return core::HostDenies{.message = std::string(k_refused_with_reason) + words};
}

Dialogue::Step PermissionDialogue::choose(std::string_view word) {
  if (word == "y" || word == "yes") return core::HostAllows{};
  if (word == "n" || word == "no") return refused();
  if (word == "a" && !always_.empty()) return core::HostAllows{.updates = always_};
  if (word == "e") {
    state_ = State::wants_reason;
    return Expects::next_line;
  }
  state_ = State::not_understood;
  return Expects::answer;
}

}  // namespace yume::protocol
