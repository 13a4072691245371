// SPDX-License-Identifier: MIT
// Nobody has anything to say.
#pragma once

#include "core/hooks.h"

namespace yume::test {

class NoHooks final : public core::Hooks {
 public:
  core::CompactionAdvice before_compaction(const core::PlannedCompaction&, core::EventSink&,
                                           const CancelToken&) override {
    return {};
  }
};

}  // namespace yume::test
