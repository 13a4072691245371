// SPDX-License-Identifier: MIT
// Every way of cutting a stream that a parser must not notice: whole, byte by byte, and in two
// parts at each position.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yume::test {

struct Split {
  std::string name;
  std::vector<std::string_view> parts;
};

inline std::vector<Split> splits_of(std::string_view text) {
  std::vector<Split> all;
  all.push_back({.name = "whole", .parts = {text}});
  Split bytes{.name = "byte by byte", .parts = {}};
  for (std::size_t i = 0; i < text.size(); ++i) bytes.parts.push_back(text.substr(i, 1));
  all.push_back(bytes);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    all.push_back(
        {.name = "cut at " + std::to_string(at), .parts = {text.substr(0, at), text.substr(at)}});
  }
  return all;
}

}  // namespace yume::test
