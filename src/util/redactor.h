// SPDX-License-Identifier: MIT
// Takes the values of live credentials out of text that is to be shown, stored or sent. The last
// net under the rules that keep secrets from getting there: it knows a value as it is, not one that
// was encoded or cut. Thread-safe.
#pragma once

#include <functional>
#include <list>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "util/log.h"
#include "util/secret.h"

namespace yume {

class Redactor {
 public:
  // From now on the value is replaced. One of less than 16 characters is not: it could be found by
  // chance in a text that has nothing to do with it.
  void learn(std::string_view value);

  // Each known value becomes "[redacted]". Costs less than a copy of the text when there is none.
  void clean(std::string& text) const;

 private:
  struct Known {
    explicit Known(std::string_view text)
        : value(std::string(text)), searcher(value.reveal().begin(), value.reveal().end()) {}

    Secret value;
    std::boyer_moore_horspool_searcher<std::string_view::const_iterator> searcher;
  };

  void learn_one(std::string_view value);

  mutable std::shared_mutex mutex_;
  std::list<Known> known_;  // a searcher points into its value: elements must not move
};

// Passes every line on without the values that are known by then. Borrows both.
class RedactingLog final : public Log {
 public:
  RedactingLog(Log& log, const Redactor& redactor) : log_(log), redactor_(redactor) {}
  void write(std::string_view area, std::string_view message) override;

 private:
  Log& log_;
  const Redactor& redactor_;
};

}  // namespace yume
