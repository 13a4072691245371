// SPDX-License-Identifier: MIT
// What every stream of events must be like, whatever it was decoded from.
#pragma once

#include <cstdlib>
#include <set>
#include <string>

#include "core/event.h"
#include "util/json_io.h"
#include "util/overloaded.h"

namespace yume::fuzz {

// Aborts when events do not follow the rules of a turn.
class TurnShape {
 public:
  void check(const core::Event& event) {
    std::visit(
        Overloaded{
            [this](const core::MessageStarted&) { demand(!std::exchange(in_message_, true)); },
            [this](const core::TextDelta&) { demand(in_message_); },
            [this](const core::ThoughtDelta&) { demand(in_message_); },
            [this](const core::MessageDone&) { demand(std::exchange(in_message_, false)); },
            [this](const core::ToolCallReady& ready) {
              demand(!in_message_ && check_json(ready.call.input.text, 256).ok());
              demand(all_.insert(ready.call.id).second && open_.insert(ready.call.id).second);
            },
            [this](const core::ToolFinished& finished) {
              demand(open_.erase(finished.call.id) == 1);
            },
            [this](const core::TurnDone&) {
              demand(!in_message_ && open_.empty());
              ++turns_;
            },
            [](const auto&) {},
        },
        event);
  }
  [[nodiscard]] int turns() const { return turns_; }

 private:
  static void demand(bool holds) {
    if (!holds) std::abort();
  }

  bool in_message_ = false;
  int turns_ = 0;
  std::set<std::string> all_;
  std::set<std::string> open_;
};

}  // namespace yume::fuzz
