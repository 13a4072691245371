// SPDX-License-Identifier: MIT
// The credential sources in order of preference, as one. Absent sources are skipped without a word,
// broken ones with a notice; a pinned source must work. Thread-safe: one fetch at a time, however
// many ask.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "auth/credential_source.h"
#include "platform/clock.h"
#include "util/cancel.h"
#include "util/log.h"
#include "util/result.h"
#include "util/thread.h"

namespace yume::auth {

struct Obtained {
  std::optional<Credential> credential;  // nullopt: nothing is configured
  std::vector<std::string> notices;      // what was passed over and why, each told once
};

enum class ChainMode {
  automatic,  // the first source that works
  pinned,     // the one source given, or an error
};

class CredentialChain {
 public:
  CredentialChain(std::vector<std::unique_ptr<CredentialSource>> sources, ChainMode mode,
                  const platform::Clock& clock, Log& log);

  // May block as long as the sources do. Errors: cancelled; auth when the pinned source is absent
  // or broken, or when every configured source is broken. The message is for people.
  Result<Obtained> obtain(const CancelToken& cancel);

  // The server said 401: memory and runtime cache forget it, the next obtain() fetches anew.
  void invalidate(const Credential& credential);

  // The server said 403 for want of a scope or an enabled API: the source is not used again by this
  // chain. False, and nothing changed, when it is pinned or no other source seems configured.
  bool pass_over(const Credential& credential);

  // The source that obtain() would try first, guessed without running or asking anything.
  [[nodiscard]] std::optional<CredentialOrigin> likely_origin() const;

 private:
  struct Entry {
    std::unique_ptr<CredentialSource> source;
    bool passed_over = false;
    // A broken source is not tried again at once: it may take ten seconds to fail.
    std::optional<Error> fault = std::nullopt;
    platform::SteadyTime fault_ends = {};
  };
  // Held by the one caller who may use the sources.
  class Turn;

  Result<std::optional<Credential>> fetch(Entry& entry, const CancelToken& cancel);
  Result<Obtained> nothing_found(const std::vector<std::string>& faults) const;
  std::vector<std::string> unreported(std::vector<std::string> notices);

  std::vector<Entry> entries_;
  ChainMode mode_;
  const platform::Clock& clock_;
  Log& log_;
  std::set<std::string> reported_;
  mutable std::mutex mutex_;  // guards busy_ alone; who set it owns the rest
  mutable Condition changed_;
  mutable bool busy_ = false;
};

// "gcloud", "application default credentials", "API key".
std::string name_of(CredentialOrigin origin);

}  // namespace yume::auth
