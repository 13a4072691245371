// SPDX-License-Identifier: MIT
// Turns what differs from run to run into macros: ids become `%{uuid:1}`, `%{uuid:2}` in order of
// first appearance, so that identity is still compared. One Normaliser serves one case: feed it
// stdout, then requests, then files.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace yume::golden {

// A text known before the run, such as a scratch path, and the macro that stands for it.
struct Literal {
  std::string text;
  std::string macro;
  // Not empty: what follows are names with this between them, which is a slash on other systems.
  std::string separator = {};
};

class Normaliser {
 public:
  explicit Normaliser(std::vector<Literal> literals);

  std::string apply(std::string_view text);

 private:
  std::string number(std::string_view kind, std::string_view value);

  std::vector<Literal> literals_;  // longest first
  std::map<std::string, std::map<std::string, std::size_t, std::less<>>, std::less<>> seen_;
};

}  // namespace yume::golden
