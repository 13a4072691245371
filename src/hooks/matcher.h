// SPDX-License-Identifier: MIT
// Which occasions of its event a hook is for.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "util/result.h"

namespace re2 {
class RE2;
}

namespace yume::hooks {

// Nothing or "*": all. Names joined by "|": exactly these. Anything else: a regular expression that
// is found in the name.
class Matcher {
 public:
  static Result<Matcher> parse(std::string_view text);

  [[nodiscard]] bool matches(std::string_view name) const;
  // As it was written; "*" for all.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_ = "*";
  std::vector<std::string> names_;  // none and no pattern: all
  std::shared_ptr<const re2::RE2> pattern_;
};

}  // namespace yume::hooks
