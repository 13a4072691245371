// SPDX-License-Identifier: MIT
// Where emitters write in tests: lines and bytes with memory, and an overflow store that keeps
// everything.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/line_writer.h"
#include "protocol/overflow.h"

namespace yume::test {

class RecordedLines final : public protocol::Output {
 public:
  void line(std::string_view text) override {
    lines.emplace_back(text);
    written.append(text).push_back('\n');
  }
  void bytes(std::string_view text) override { written.append(text); }

  std::vector<std::string> take() { return std::exchange(lines, {}); }

  std::vector<std::string> lines;
  std::string written;  // lines and bytes in order
};

class MemoryOverflow final : public protocol::OverflowStore {
 public:
  std::string keep(std::string_view name, std::string_view content) override {
    kept[std::string(name)] = std::string(content);
    return works ? "/kept/" + std::string(name) + ".txt" : std::string();
  }

  bool works = true;
  std::map<std::string, std::string> kept;
};

}  // namespace yume::test
