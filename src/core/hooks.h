// SPDX-License-Identifier: MIT
// What others say before a step of ours is taken: programs that the user named in the settings, and
// functions of the host.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/event.h"
#include "util/cancel.h"

namespace yume::core {

// What a hook that fails, or does not answer, means for the step.
enum class OnHookFailure { go_on, block };

// Functions of the host for one event, as it registers them.
struct HostHookGroup {
  std::string event;         // "PreCompact"
  std::string matcher = {};  // empty: all of them
  std::vector<std::string> callback_ids = {};
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;
  OnHookFailure on_failure = OnHookFailure::go_on;

  friend bool operator==(const HostHookGroup&, const HostHookGroup&) = default;
};

struct PlannedCompaction {
  CompactionTrigger trigger = CompactionTrigger::automatic;
  std::string instructions = {};  // the user's
};

struct CompactionAdvice {
  std::optional<std::string> veto = std::nullopt;  // why it shall not be
  std::string instructions = {};                   // for the summary, beside the user's
};

// Blocks for as long as the hooks take. On the turn's thread.
class Hooks {
 public:
  virtual ~Hooks() = default;
  virtual CompactionAdvice before_compaction(const PlannedCompaction& plan, EventSink& sink,
                                             const CancelToken& cancel) = 0;
};

}  // namespace yume::core
