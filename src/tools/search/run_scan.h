// SPDX-License-Identifier: MIT
// Finds the first of a few byte runs in a text, 32 places at a time where the processor can. The
// fast half of Grep: most of a tree holds no match, and this says so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tools/search/byte_run.h"

namespace yume::tools::search {

class RunScan {
 public:
  static constexpr std::size_t k_most_runs = 8;

  // One to eight runs, none empty.
  explicit RunScan(std::vector<ByteRun> runs);

  // Where the leftmost run at or after `from` begins; npos when there is none.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t from) const;
  // The same without vector instructions.
  [[nodiscard]] std::size_t find_plainly(std::string_view text, std::size_t from) const;

  // One place of a run, as tables for a lookup by half bytes: a byte below 0x80 is in the set when
  // low[its lower half] has the bit of its upper half. Those above are all in or all out, which may
  // claim too much.
  struct Probe {
    std::size_t place = 0;
    std::array<std::uint8_t, 16> low{};
    std::uint8_t beyond_ascii = 0;  // 0x80: in
  };
  // A run and the two places of it that texts have least often; they are compared first.
  struct Wanted {
    ByteRun run;
    Probe first;
    Probe second;
    [[nodiscard]] bool is_at(const char* at) const;
  };

 private:
  std::vector<Wanted> wanted_;
  std::size_t longest_ = 0;
};

std::size_t count_newlines(std::string_view text);

}  // namespace yume::tools::search
