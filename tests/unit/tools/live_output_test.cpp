// SPDX-License-Identifier: MIT
#include "tools/live_output.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::tools {
namespace {

struct Kept final : platform::ProcessOutput {
  void on_output(std::string_view bytes) override { text += bytes; }
  std::string text;
};

TEST(LiveOutput, GivesWholeLinesAndOnlyWhenThereAreNewOnes) {
  Kept kept;
  LiveOutput live(kept, nullptr);
  live.on_output("one\ntw");
  EXPECT_EQ(live.take(), "one\n");
  live.on_output("o");
  EXPECT_EQ(live.take(), "");
  live.on_output("\n10%\r20");
  EXPECT_EQ(live.take(), "one\ntwo\n10%\r");
  EXPECT_EQ(live.take(), "");
  EXPECT_EQ(kept.text, "one\ntwo\n10%\r20");
}

TEST(LiveOutput, KeepsLittleOfMuch) {
  Kept kept;
  LiveOutput live(kept, nullptr);
  std::string much;
  for (int i = 0; i < 100'000; ++i) much += "line " + std::to_string(i) + "\n";
  live.on_output(much);
  const std::string at_once = live.take();
  EXPECT_TRUE(at_once.ends_with("line 99998\nline 99999\n"));
  EXPECT_LT(at_once.size(), 8200U);
  for (std::size_t at = 0; at < much.size(); at += 777) live.on_output(much.substr(at, 777));
  const std::string in_pieces = live.take();
  EXPECT_TRUE(in_pieces.ends_with("line 99998\nline 99999\n"));
  EXPECT_TRUE(in_pieces.starts_with("line ")) << in_pieces.substr(0, 20);
  EXPECT_LT(in_pieces.size(), 8200U);
  EXPECT_EQ(kept.text, much + much);
}

TEST(LiveOutput, HasNoSecretAndNothingThatIsNoText) {
  Kept kept;
  Redactor redactor;
  redactor.learn("the-secret-of-this-test");
  LiveOutput live(kept, &redactor);
  live.on_output("a the-secret-");
  EXPECT_EQ(live.take(), "");
  live.on_output("of-this-test b\xFF\n");
  const std::string shown = live.take();
  EXPECT_EQ(shown.find("the-secret"), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with(" b\xEF\xBF\xBD\n")) << shown;
}

}  // namespace
}  // namespace yume::tools
