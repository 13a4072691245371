// SPDX-License-Identifier: MIT
// What a command writes, and beside it the last lines for a person who watches. Of a line that has
// not ended nothing is shown: a secret might begin there. One thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "platform/process.h"
#include "util/redactor.h"

namespace yume::tools {

class LiveOutput final : public platform::ProcessOutput {
 public:
  // `redactor` may be null.
  LiveOutput(platform::ProcessOutput& kept, const Redactor* redactor)
      : kept_(kept), redactor_(redactor) {}

  void on_output(std::string_view bytes) override;

  // The last whole lines; empty when there is nothing new.
  std::string take();

 private:
  platform::ProcessOutput& kept_;
  const Redactor* redactor_;
  std::string end_;
  bool cut_ = false;  // end_ does not begin with the beginning of a line
  bool news_ = false;
};

}  // namespace yume::tools
