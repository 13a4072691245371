// SPDX-License-Identifier: MIT
// What one check of `yume-cli doctor` found.
#pragma once

#include <string>
#include <vector>

namespace yume::app::doctor {

enum class Verdict { ok, warn, fail };

struct Finding {
  std::string check;  // one or two words, lower case
  Verdict verdict = Verdict::ok;
  std::string detail = {};  // for people; never a secret
  std::string advice = {};  // empty: there is nothing to do

  friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

}  // namespace yume::app::doctor
