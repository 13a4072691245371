// SPDX-License-Identifier: MIT
#include "tools/wall.h"

#include <algorithm>
#include <array>

namespace yume::tools {
namespace {

// At the end of a line, as the C library and Go write it. "Device or resource busy" is what a
// rename over something read-only gets.
constexpr std::array<std::string_view, 7> k_reasons = {
    ": Permission denied",       ": Read-only file system", ": Operation not permitted",
    ": Device or resource busy", ": permission denied",     ": read-only file system",
    ": operation not permitted"};

// What Node, Python and Rust write, anywhere in a line.
constexpr std::array<std::string_view, 8> k_words = {
    "EACCES:",    "EROFS:",    "EPERM:",        "[Errno 13]",
    "[Errno 30]", "[Errno 1]", "(os error 13)", "(os error 30)"};

bool ends_with_reason(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '.' || line.back() == ' ')) {
    line.remove_suffix(1);
  }
  return std::any_of(k_reasons.begin(), k_reasons.end(),
                     [line](std::string_view reason) { return line.ends_with(reason); });
}

}  // namespace

bool tells_of_refusal(std::string_view output) {
  if (std::any_of(k_words.begin(), k_words.end(), [output](std::string_view word) {
        return output.find(word) != std::string_view::npos;
      })) {
    return true;
  }
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    if (ends_with_reason(output.substr(0, end))) return true;
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return false;
}

std::string wall_note(const CommandWall* wall, std::string_view output) {
  return wall != nullptr && tells_of_refusal(output) ? wall->advice : std::string();
}

}  // namespace yume::tools
