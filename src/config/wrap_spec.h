// SPDX-License-Identifier: MIT
// Which part produces the replies of a session: our own loop, or another agent that is wrapped, and
// then how that is started. Plain values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace yume::config {

enum class StrategyName { gemini_rest, gemini_cli, acp_agent };

struct WrapSpec {
  StrategyName strategy = StrategyName::gemini_rest;
  // Of the other agent; argv[0] is an absolute path. Empty: it cannot be started.
  std::vector<std::string> argv = {};
  std::string problem = {};  // why it cannot, and what to do
  // Complete, with the user's credentials: the agent authenticates itself.
  std::vector<std::string> environment = {};
  // What the Gemini CLI has on disk of a call's result, by the ids of its session and of the call;
  // nullopt: nothing yet.
  std::function<std::optional<std::string>(const std::string& session, const std::string& call)>
      recorded_output = {};
};

}  // namespace yume::config
