// SPDX-License-Identifier: MIT
// Calls that a prompt makes before the model sees it: reading a file it mentions, running a command
// that a slash command contains. They pass the same hooks, rules and mode as the model's calls, but
// nobody is asked about them: what would have to be asked for does not run. On the session's
// thread.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "agent/call_judge.h"
#include "core/event.h"
#include "core/hooks.h"
#include "permissions/policy.h"
#include "tools/registry.h"
#include "tools/tool.h"
#include "util/json_io.h"
#include "util/redactor.h"

namespace yume::session {

struct PromptCallDeps {
  const tools::Registry& tools;
  permissions::PermissionPolicy& policy;
  core::Hooks& hooks;
  const Redactor& redactor;
};

// Did not run.
struct CallRefused {
  std::string why;
};

class PromptCalls {
 public:
  // What `deps` refers to outlives it.
  explicit PromptCalls(const PromptCallDeps& deps);

  [[nodiscard]] bool offers(std::string_view tool) const;
  std::variant<core::ToolOutcome, CallRefused> run(const std::string& tool, RawJson input,
                                                   const tools::ToolContext& context,
                                                   core::EventSink& sink);

 private:
  PromptCallDeps deps_;
  agent::CallJudge judge_;
  int calls_ = 0;
};

}  // namespace yume::session
