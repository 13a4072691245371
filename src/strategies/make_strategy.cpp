// SPDX-License-Identifier: MIT
#include "strategies/make_strategy.h"

#include "strategies/acp_agent/acp_agent.h"
#include "strategies/gemini_cli/gemini_cli.h"

#include <utility>

namespace yume::strategies {

std::unique_ptr<Strategy> make_strategy(core::Conversation past, StrategyDeps deps) {
  switch (deps.spec.wrap.strategy) {
    case config::StrategyName::gemini_cli:
      return std::make_unique<GeminiCli>(std::move(past), std::move(deps));
    case config::StrategyName::acp_agent:
      return std::make_unique<AcpAgent>(std::move(past), std::move(deps));
    case config::StrategyName::gemini_rest:
      break;
  }
  return std::make_unique<GeminiRest>(std::move(past), std::move(deps));
}

}  // namespace yume::strategies
