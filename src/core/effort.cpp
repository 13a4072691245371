// SPDX-License-Identifier: MIT
#include "core/effort.h"

namespace yume::core {
namespace {

struct Effort {
  std::string_view name;
  std::int64_t tokens;
};

constexpr std::array k_efforts = {Effort{"none", 0},       Effort{"minimal", 1'024},
                                  Effort{"low", 4'096},    Effort{"medium", 16'384},
                                  Effort{"high", 24'576},  Effort{"xhigh", 65'536},
                                  Effort{"max", 1'000'000}};

}  // namespace

std::optional<std::int64_t> tokens_of_effort(std::string_view effort) {
  for (const auto& [name, tokens] : k_efforts) {
    if (name == effort) return tokens;
  }
  return std::nullopt;
}

}  // namespace yume::core
