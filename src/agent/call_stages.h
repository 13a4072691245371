// SPDX-License-Identifier: MIT
// A call on its way through the agent: one struct for each stage, each made of the one before.
// Asked, when the model's reply is complete; judged, when the tool has said what it would do and
// permission was decided; finished, when it has its one outcome. What hosts know of a call is
// core::ToolCall at every stage, and what a tool would do is tools::PlannedCall.
#pragma once

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

// Whether a call was refused, and how.
enum class Denial {
  none,
  unasked,         // by a rule or by the mode
  after_question,  // by the host, or by a rule for what the host made of the call
  with_turn,       // by the host, which ends the turn with it
};

// What a judged call still needs.
struct CallReady {
  tools::PlannedCall planned;
  std::vector<core::CommandStep> steps = {};  // a command's, when it was proven harmless
};
struct CallQuestion {  // the host's answer
  tools::PlannedCall planned;
  core::Ask ask;
};
struct CallAnswered {  // nothing
  core::ToolOutcome outcome;
  Denial denial = Denial::none;
};
using CallState = std::variant<CallAnswered, CallReady, CallQuestion>;

struct JudgedCall {
  core::ToolCall call;
  ProviderName provider;
  const tools::Tool* tool = nullptr;  // none: there is none of that name
  CallState state = {};
};

struct FinishedCall {
  core::ToolCall call;
  ProviderName provider;
  core::ToolOutcome outcome;  // without its details: they are for hosts, which have them by now
  Denial denial = Denial::none;
};

}  // namespace yume::agent
