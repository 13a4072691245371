// SPDX-License-Identifier: MIT
// Has the lines ready that report an end for which there may be no memory.
#pragma once

#include <string>

#include "app/options.h"
#include "platform/environment.h"
#include "protocol/overflow.h"
#include "runtime/last_resort.h"

namespace yume::app {

class LastWords {
 public:
  LastWords(const Options& options, protocol::OverflowStore& overflow,
            const platform::Environment& environment, runtime::LastResort& last_resort)
      : options_(options),
        overflow_(overflow),
        environment_(environment),
        last_resort_(last_resort) {}

  void prepare(const std::string& session_id, const std::string& model) const;

 private:
  const Options& options_;
  protocol::OverflowStore& overflow_;
  const platform::Environment& environment_;
  runtime::LastResort& last_resort_;
};

}  // namespace yume::app
