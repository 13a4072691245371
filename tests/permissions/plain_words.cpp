// SPDX-License-Identifier: MIT
// Reads commands from its input, each ended by a NUL byte, and writes how read_plain_command()
// reads them: a line "-" for one that it refuses, else a line for each step, and an empty line at
// the end. A step's line has its joint, its three redirections and its words in hexadecimal.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "permissions/plain_command.h"

namespace {

void write_step(const yume::permissions::PlainStep& step, std::string& out) {
  constexpr std::string_view k_joints[] = {"first", "then", "and", "or", "pipe"};
  constexpr std::string_view k_digits = "0123456789abcdef";
  out.append(k_joints[static_cast<std::size_t>(step.joint)]);
  out.append(step.drops_output ? " o" : " -");
  out.append(step.drops_errors ? "e" : "-");
  out.append(step.errors_to_output ? "m" : "-");
  for (const std::string& word : step.argv) {
    out.push_back(' ');
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      out.push_back(k_digits[byte >> 4U]);
      out.push_back(k_digits[byte & 15U]);
    }
  }
  out.push_back('\n');
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
  std::string out;
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t end = input.find('\0', at);
    const auto steps =
        yume::permissions::read_plain_command(std::string_view(input).substr(at, end - at));
    if (!steps) {
      out.append("-\n");
    } else {
      for (const auto& step : *steps) write_step(step, out);
    }
    out.push_back('\n');
    at = end + 1;
  }
  std::cout << out;
  return 0;
}
