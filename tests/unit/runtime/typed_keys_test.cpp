// SPDX-License-Identifier: MIT
#include "runtime/typed_keys.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::runtime {
namespace {

struct Typed {
  std::vector<std::string> lines;
  std::string begun;
};

Typed typed(const std::string& bytes, std::size_t piece) {
  TypedKeys keys;
  Typed out;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    for (std::string& line : keys.take(std::string_view(bytes).substr(at, piece), out.begun)) {
      out.lines.push_back(std::move(line));
    }
  }
  return out;
}

TEST(TypedKeys, AreLinesWhateverPiecesTheyComeIn) {
  const std::string bytes =
      "on\x7fne\r\x1b[A\x1bOBtw\x1b[1;5Co\nforget this\x15"
      "l\xC3\xA4\xC3\xB6\x7fng\x01st\x1bx";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Typed out = typed(bytes, piece);
    EXPECT_EQ(out.lines, (std::vector<std::string>{"one", "two"})) << piece;
    EXPECT_EQ(out.begun, "l\xC3\xA4ngst") << piece;
  }
}

TEST(TypedKeys, APasteIsOnePieceWhateverLineEndsItHas) {
  const std::string bytes =
      "a \x1b[200~one\rtwo\r\nthree\nfour\x1b[31m\x07\x7f\tfive\x1b[201~ b\r\x1b[200~next\x1b[201~";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Typed out = typed(bytes, piece);
    EXPECT_EQ(out.lines, (std::vector<std::string>{"a one\ntwo\nthree\nfour[31m\tfive b"}))
        << piece;
    EXPECT_EQ(out.begun, "next") << piece;
  }
}

TEST(TypedKeys, APasteThatIsCutOffGoesOnElsewhere) {
  TypedKeys keys;
  std::string begun;
  keys.take("a\x1b[200~" + std::string(20, 'b') + "\x1b[20", begun);
  EXPECT_EQ(begun + keys.take_unfinished(), "a" + std::string(17, 'b') + "\x1b[200~bbb\x1b[20");
  EXPECT_EQ(keys.take("c\r", begun).size(), 1U);
  EXPECT_EQ(keys.take_unfinished(), "");
}

TEST(TypedKeys, ACodeWithoutEndIsNoReasonToWait) {
  const Typed out = typed("\x1b[" + std::string(100, '1') + "a", 1000);
  EXPECT_EQ(out.lines, std::vector<std::string>());
  EXPECT_EQ(out.begun, std::string(70, '1') + "a");
}

}  // namespace
}  // namespace yume::runtime
