// SPDX-License-Identifier: MIT
// How hosts refer to calls: the model's own id where it gave one, `call_gemini_N` where not; unique
// in the session, because the API does not promise that and hosts rely on it. An id that was handed
// out for a call which came to nothing is given back, so that ids are the same over retries.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace yume::agent {

class CallIds {
 public:
  std::string next(const std::optional<std::string>& provider_id);
  void give_back(const std::vector<std::string>& ids);
  // Used by earlier turns of the session, which this process did not see.
  void reserve(const std::vector<std::string>& ids);

 private:
  std::set<std::string> used_;
  int made_ = 0;
};

}  // namespace yume::agent
