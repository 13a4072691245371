// SPDX-License-Identifier: MIT
// Owns the conversation of a session and sees to it that no request is larger than the model's
// window: compacts when it is time, trims old outputs when that fails, and says when nothing helps.
// On the turn's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/compactor.h"
#include "agent/context_gauge.h"
#include "core/conversation.h"
#include "core/event.h"
#include "gemini/request.h"

namespace yume::agent {

struct CompactionSettings {
  std::optional<double> share = std::nullopt;  // of the window; else the model's own
  // What a summary must not lose: the list of tasks, the files that were touched.
  std::function<std::string()> carry_over = [] { return std::string(); };
};

enum class Room { enough, none, cancelled };

class ContextKeeper {
 public:
  ContextKeeper(Compactor& compactor, const gemini::RequestEncoder& encoder,
                CompactionSettings settings);

  [[nodiscard]] KeptHistory& kept() { return kept_; }
  [[nodiscard]] gemini::History& contents() { return kept_.contents; }

  // What the user asked last; a summary repeats it when it covers it.
  void set_user_request(std::string text) { user_request_ = std::move(text); }

  // What was measured before counts on, as long as the model is the same.
  void resume(const core::Usage& last_request);
  // The reply's count of what was sent for it.
  void measured(const core::Usage& usage);

  // The encoder's model is another one: what was counted, and how much fits, is void.
  void on_other_model();

  // Before a request that adds about so many tokens to what is here.
  Room make_room(std::int64_t more_tokens, core::TurnPort& port, const CancelToken& cancel);
  // The server says that it was too much, and how much it takes, if it does.
  Room make_room_after_refusal(std::optional<std::int64_t> limit, core::TurnPort& port,
                               const CancelToken& cancel);
  // Because somebody asked for it.
  CompactionResult compact_now(const std::string& focus, core::TurnPort& port,
                               const CancelToken& cancel);

  // The bill for summaries since it was last asked for.
  std::vector<core::Usage> take_billed() { return std::exchange(billed_, {}); }
  // How many summaries have been put in place since it was last asked for.
  int take_compactions() { return std::exchange(compactions_, 0); }

  [[nodiscard]] std::int64_t window() const { return window_; }
  // What a request would take now.
  [[nodiscard]] std::int64_t tokens() const;
  // Of it: what stands before the conversation.
  [[nodiscard]] std::int64_t prefix_tokens() const;

 private:
  [[nodiscard]] std::int64_t estimate() const;
  [[nodiscard]] std::int64_t threshold() const;
  CompactionEnd compact(core::CompactionTrigger trigger, const std::string& focus,
                        std::int64_t keep_tokens, core::TurnPort& port, const CancelToken& cancel);
  bool trim(std::int64_t most_tokens);

  Compactor& compactor_;
  const gemini::RequestEncoder& encoder_;
  CompactionSettings settings_;
  std::int64_t window_;
  KeptHistory kept_;
  ContextGauge gauge_;
  std::int64_t not_before_ = 0;  // after a failure: only when it has grown to this
  std::vector<core::Usage> billed_;
  int compactions_ = 0;
  std::string reason_;  // of the last failure
  std::string user_request_;
};

}  // namespace yume::agent
