// SPDX-License-Identifier: MIT
// What all strategies have in common that let another agent do the thinking: what it is asked, how
// its events reach the turn's port, what it has used. The agent keeps its own conversation; where
// that is lost, or the session began elsewhere, it is told what was said before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/conversation.h"
#include "foreign/line_decoder.h"
#include "strategies/gemini_rest.h"
#include "strategies/strategy.h"

namespace yume::strategies {

class WrappedStrategy : public Strategy {
 public:
  WrappedStrategy(core::Conversation past, StrategyDeps deps);

  core::TurnDone run(TurnInput input, core::TurnPort& port, const CancelToken& cancel) final;
  // The agent does that by itself.
  core::TurnDone compact(const std::string& focus, core::TurnPort& port,
                         const CancelToken& cancel) override;
  void reconsider() override {}
  ContextUse measure_context(core::TurnPort& port, const CancelToken& cancel) override;
  [[nodiscard]] std::int64_t prefix_tokens() const override { return 0; }
  [[nodiscard]] double compaction_share() const override { return 1; }
  [[nodiscard]] core::UsageByModel usage() const override { return usage_; }

 protected:
  // What the agent is to be asked in a turn.
  struct Question {
    std::string earlier;  // what was said before, for an agent that does not know it; may be empty
    std::string text;
    const core::UserMessage& message;  // for its pictures
  };
  // One whole turn, which `emit` gets the events of. The agent's own TurnDone is the result.
  virtual core::TurnDone ask(const Question& question, core::TurnPort& port,
                             const CancelToken& cancel) = 0;

  // Hands an event on; the agent's words about itself are not the session's. Keeps a TurnDone.
  void forward(core::Event event, core::TurnPort& port, std::optional<core::TurnDone>& done) const;
  [[nodiscard]] foreign::DecoderOptions decoder_options() const;
  [[nodiscard]] const StrategyDeps& deps() const { return deps_; }
  [[nodiscard]] core::PermissionMode mode() const {
    return deps_.mode ? deps_.mode() : deps_.spec.permissions.mode;
  }
  [[nodiscard]] const std::vector<std::string>& earlier_call_ids() const { return call_ids_; }

 private:
  [[nodiscard]] std::string question_text(const TurnInput& input) const;
  void bill(core::TurnDone& done);

  StrategyDeps deps_;
  std::vector<std::string> call_ids_;  // of the conversation that this one goes on from
  std::string said_;                   // so far, for people and for an agent that forgot
  bool asked_ = false;                 // since the process started
  core::Usage last_request_;
  core::UsageByModel usage_;
};

// A turn that the agent never got.
core::TurnDone failed_turn(std::string why, core::FailureKind kind = core::FailureKind::unknown);

// The last line of a program's stderr that may say something; empty: there is none.
std::string last_words(std::string_view error_output);

}  // namespace yume::strategies
