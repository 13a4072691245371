// SPDX-License-Identifier: MIT
// A regular expression over whole lines. RE2's syntax, which is ripgrep's but for: \w, \d, \s and
// \b know ASCII only, `{` that counts nothing is a plain brace, no class operations (`[a&&b]`), no
// `(?x)`. No look-around and no back references, as in ripgrep. The time is linear in the text.
// One thread at a time: each worker compiles its own, as RE2 would share one cache behind a lock.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "util/result.h"

namespace yume::tools::search {

struct MatcherOptions {
  bool ignore_case = false;
  bool multiline = false;  // a match may span lines, and `.` takes newlines
};

struct Match {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Matcher {
 public:
  // The message is for the model.
  static Result<Matcher> compile(std::string_view pattern, const MatcherOptions& options);
  Matcher(Matcher&& other) noexcept;
  ~Matcher();

  // The first match at or after `from`; `text` consists of whole lines. A match is never in the
  // void behind the last newline.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from) const;

 private:
  struct Parts;
  explicit Matcher(std::unique_ptr<Parts> parts);
  [[nodiscard]] std::optional<Match> find_by_runs(std::string_view text, std::size_t from) const;
  [[nodiscard]] std::optional<Match> find_alone(std::string_view text, std::size_t from) const;
  [[nodiscard]] std::optional<Match> find_with_engine(std::string_view text, std::size_t from,
                                                      std::size_t to) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace yume::tools::search
