// SPDX-License-Identifier: MIT
// How hosts refer to calls: the model's own id where it gave one, `call_gemini_N` where not; unique
// in the session, because the API does not promise that and hosts rely on it. An id that was handed
// out for a call which came to nothing is given back, so that ids are the same over retries.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace yume::agent {

class CallIds {
 public:
  // A subagent's begin with its own id: several of them answer to one host.
  void begin_with(std::string prefix) { prefix_ = std::move(prefix); }
  std::string next(const std::optional<std::string>& provider_id);
  void give_back(const std::vector<std::string>& ids);
  // Used by earlier turns of the session, which this process did not see.
  void reserve(const std::vector<std::string>& ids);

 private:
  [[nodiscard]] std::string made(int number) const;

  std::string prefix_;
  std::set<std::string> used_;
  int made_ = 0;
};

}  // namespace yume::agent
