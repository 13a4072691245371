// SPDX-License-Identifier: MIT
// Any agent that speaks ACP does the thinking; this is the client's side. One process for the whole
// session.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "strategies/wrapped_strategy.h"

namespace yume::strategies {

class AcpConnection;

class AcpAgent final : public WrappedStrategy {
 public:
  AcpAgent(core::Conversation past, StrategyDeps deps);
  ~AcpAgent() override;

 protected:
  core::TurnDone ask(const Question& question, core::TurnPort& port,
                     const CancelToken& cancel) override;

 private:
  [[nodiscard]] std::string agent() const;  // for messages
  std::variant<RawJson, core::TurnDone> call(const std::string& method, RawJson params,
                                             std::chrono::milliseconds timeout,
                                             const CancelToken& cancel);
  std::optional<core::TurnDone> connect(const CancelToken& cancel);
  [[nodiscard]] std::string choose_model(const std::string& session, const CancelToken& cancel);
  void follow_mode(const CancelToken& cancel);
  core::TurnDone converse(RawJson params, core::TurnPort& port, const CancelToken& cancel);

  std::unique_ptr<AcpConnection> connection_;  // none: it is not running
  RawJson hello_;                              // its answer to initialize
  std::string modes_ = "[]";                   // that it offers, as JSON
  std::string model_;                          // that it uses; empty: it does not say
  bool knows_earlier_ = false;                 // what was said before its session began
  std::vector<std::string> used_call_ids_;
};

}  // namespace yume::strategies
