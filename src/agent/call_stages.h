// SPDX-License-Identifier: MIT
// A call on its way through the agent: one struct for each stage, each made of the one before.
// Asked, when the model's reply is complete; judged, when the tool has said what it would do and
// then permission is decided; finished, when it has its one outcome. What hosts know of a call is
// core::ToolCall at every stage, and what a tool would do is tools::PlannedCall.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/tool_call.h"
#include "tools/call_input.h"
#include "tools/tool.h"

namespace yume::agent {

// What the model calls it. The server wants both back with the result.
struct ProviderName {
  std::optional<std::string> id = std::nullopt;  // when it gave one
  std::string name;
};

struct AskedCall {
  std::string id;  // the host's
  ProviderName provider;
  tools::CallInput input;
  bool shown = false;  // its arguments came in pieces, and hosts saw them
};
// Short enough for a line, whatever the model called.
std::string shown_name(const AskedCall& asked);

// Whether a call was refused, and how.
enum class Denial {
  none,
  unasked,  // by a rule or by the mode
  by_hook,
  after_question,  // by the host, or by a rule for what the host made of the call
  with_turn,       // by the host, which ends the turn with it
};

// What a judged call still needs.
struct CallPlanned {  // permission
  tools::PlannedCall planned;
};
struct CallReady {  // to be run
  tools::PlannedCall planned;
  std::vector<core::CommandStep> steps = {};  // a command's, when it was proven harmless
};
struct CallQuestion {  // the host's answer
  tools::PlannedCall planned;
  core::Ask ask;
  bool wanted_by_hook = false;
};
struct CallAnswered {  // nothing
  core::ToolOutcome outcome;
  Denial denial = Denial::none;
  std::optional<std::chrono::milliseconds> ran_for = std::nullopt;  // absent: it did not run
};
using CallState = std::variant<CallAnswered, CallPlanned, CallReady, CallQuestion>;

struct JudgedCall {
  core::ToolCall call;  // as it is announced
  ProviderName provider;
  const tools::Tool* tool = nullptr;  // none: there is none of that name
  CallState state = {};
  std::optional<RawJson> input = std::nullopt;  // to run with instead: a hook's or the host's
  std::string context = {};                     // what hooks have for the model
  bool ends_turn = false;                       // a hook wants it

  // What would run.
  [[nodiscard]] core::ToolCall current() const {
    return {.id = call.id, .name = call.name, .input = input ? *input : call.input};
  }
};

struct FinishedCall {
  core::ToolCall call;
  ProviderName provider;
  core::ToolOutcome outcome;  // without its details: they are for hosts, which have them by now
  Denial denial = Denial::none;
  bool ends_turn = false;  // a hook wants it
};

}  // namespace yume::agent
