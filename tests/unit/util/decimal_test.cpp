// SPDX-License-Identifier: MIT
#include "util/decimal.h"

#include <gtest/gtest.h>

#include <string>

namespace yume {
namespace {

struct Read {
  std::string text;
  std::size_t length;  // 0: no number
};

TEST(Decimal, BothWaysReadTheSame) {
  for (const Read& given : std::initializer_list<Read>{{"0", 1},
                                                       {"1.5", 3},
                                                       {"-1.5", 4},
                                                       {"34.4s", 4},
                                                       {"900ms", 3},
                                                       {"2e3", 3},
                                                       {"2e+3", 4},
                                                       {"2e-3x", 4},
                                                       {"2e", 1},
                                                       {"2e+", 1},
                                                       {"51820.638305887s", 15},
                                                       {".5", 2},
                                                       {"5.", 2},
                                                       {"1.2.3", 3},
                                                       {"", 0},
                                                       {".", 0},
                                                       {"-", 0},
                                                       {"+1", 0},
                                                       {" 1", 0},
                                                       {"e5", 0},
                                                       {"-.e1", 0},
                                                       {"0x10", 1},
                                                       {"1e999", 0},
                                                       {"1e-999", 0},
                                                       {"0e5", 3},
                                                       {"0.0e-999", 8},
                                                       {"abc", 0},
                                                       {"1,5", 1},
                                                       {"-0.0", 4},
                                                       {"9007199254740993", 16},
                                                       {"1e22", 4}}) {
    const auto system = leading_decimal(given.text);
    const auto own = own::leading_decimal(given.text);
    EXPECT_EQ(system ? system->length : 0, given.length) << given.text;
    EXPECT_EQ(own ? own->length : 0, given.length) << given.text;
    if (system && own) {
      EXPECT_EQ(system->value, own->value) << given.text;
    }
  }
}

TEST(Decimal, WholeTextsOnly) {
  EXPECT_EQ(whole_decimal("0.25"), 0.25);
  EXPECT_EQ(whole_decimal("0.25 "), std::nullopt);
  EXPECT_EQ(whole_decimal(""), std::nullopt);
  EXPECT_EQ(whole_decimal("inf"), std::nullopt);
  EXPECT_EQ(whole_decimal("nan"), std::nullopt);
}

TEST(Decimal, BothWaysWriteTheSame) {
  for (const double value : {0.0, 1.0, 0.5, 0.1, 0.25, 1.5, -2.75, 100.0, 0.05, 1e-7, 123456.789,
                             1e6, 1.0 / 3, 0.30000000000000004}) {
    EXPECT_EQ(own::fixed_decimal(value), fixed_decimal(value));
    EXPECT_EQ(whole_decimal(fixed_decimal(value)), value);
  }
  EXPECT_EQ(fixed_decimal(0.5), "0.5");
}

}  // namespace
}  // namespace yume
