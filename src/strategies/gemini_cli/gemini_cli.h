// SPDX-License-Identifier: MIT
// The official Gemini CLI does the thinking: started once for each turn, with its lines as our
// events. It runs its own tools under its own approval mode, which is ours in its words; nobody
// can be asked. Killed as a tree when the turn is interrupted or has ended.
#pragma once

#include <string>
#include <vector>

#include "strategies/wrapped_strategy.h"

namespace yume::strategies {

class GeminiCli final : public WrappedStrategy {
 public:
  GeminiCli(core::Conversation past, StrategyDeps deps)
      : WrappedStrategy(std::move(past), std::move(deps)) {}

 protected:
  core::TurnDone ask(const Question& question, core::TurnPort& port,
                     const CancelToken& cancel) override;

 private:
  [[nodiscard]] std::vector<std::string> command(bool resumes) const;

  std::string session_id_;  // that the CLI goes on with; empty: it has none yet
};

}  // namespace yume::strategies
