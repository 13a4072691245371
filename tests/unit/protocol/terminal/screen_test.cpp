// SPDX-License-Identifier: MIT
#include "protocol/terminal/screen.h"

#include "support/recorded_lines.h"
#include "support/virtual_terminal.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace yume::protocol {
namespace {

using Rows = std::vector<std::string>;

struct Scene {
  explicit Scene(std::size_t columns = 40, std::size_t rows = 10)
      : size{.columns = columns, .rows = rows}, terminal(columns, rows) {}

  void update(std::string_view lines, Rows rows) {
    screen.update(lines, std::move(rows));
    terminal.feed(std::exchange(output.written, {}));
  }

  ScreenSize size;
  test::RecordedLines output;
  test::VirtualTerminal terminal;
  Screen screen{output, Screen::Animation::wanted, [this] { return size; }};
};

TEST(Screen, LinesStayAboveRowsThatChange) {
  Scene scene;
  scene.update("one\n", {"row a", "row b"});
  EXPECT_EQ(scene.terminal.text(), "one\nrow a\nrow b\n");
  scene.update("two\nthree\n", {"row c"});
  EXPECT_EQ(scene.terminal.text(), "one\ntwo\nthree\nrow c\n");
  scene.update("", {"row c", "row d", "row e"});
  EXPECT_EQ(scene.terminal.text(), "one\ntwo\nthree\nrow c\nrow d\nrow e\n");
  scene.update("", {"row c"});
  EXPECT_EQ(scene.terminal.text(), "one\ntwo\nthree\nrow c\n");
  scene.screen.clear();
  scene.terminal.feed(std::exchange(scene.output.written, {}) + "typed");
  EXPECT_EQ(scene.terminal.text(), "one\ntwo\nthree\ntyped\n");
}

TEST(Screen, WritesOnlyWhatDiffers) {
  Scene scene;
  scene.update("", {"same", "old"});
  scene.screen.update("", {"same", "old"});
  EXPECT_EQ(scene.output.written, "");
  scene.screen.update("", {"same", "new"});
  EXPECT_EQ(scene.output.written.find("same"), std::string::npos);
}

TEST(Screen, RowsNeverWrap) {
  Scene scene(20);
  scene.update("", {std::string(50, 'x'), "\x1b[1m漢字漢字漢字漢字漢字漢字\x1b[0m"});
  EXPECT_EQ(scene.terminal.text(), std::string(19, 'x') + "\n漢字漢字漢字漢字漢\n");
  scene.update("line\n", {});
  EXPECT_EQ(scene.terminal.text(), "line\n");
}

TEST(Screen, AnySequenceShowsTheLinesAndTheLastRows) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Scene scene(30, 12);
    std::string lines;
    Rows rows;
    for (int step = 0; step < 30; ++step) {
      std::string more;
      for (auto i = random() % 3; i > 0; --i) {
        more += std::string(random() % 70, static_cast<char>('a' + random() % 26)) + "\n";
      }
      rows.resize(random() % 6);
      for (std::string& row : rows) {
        if (row.empty() || random() % 3 == 0) row = "row " + std::to_string(random() % 10);
      }
      scene.update(more, rows);
      lines += more;
    }
    test::VirtualTerminal expected(30, 12);
    expected.feed(lines);
    for (std::size_t i = 0; i < rows.size(); ++i) expected.feed((i > 0 ? "\n" : "") + rows[i]);
    ASSERT_EQ(scene.terminal.text(), expected.text()) << seed;
  }
}

// What stood in rows that were as wide as the terminal was is broken into two by some terminals.
TEST(Screen, ANarrowerTerminalIsAskedForAgain) {
  Scene scene(40);
  scene.update("", {std::string(39, 'x')});
  scene.size.columns = 20;
  scene.screen.update("", {"y"});
  EXPECT_TRUE(scene.output.written.starts_with("\r\x1b[1A")) << scene.output.written;
}

TEST(Screen, WithoutAnimationThereAreOnlyLines) {
  test::RecordedLines output;
  Screen screen(output, Screen::Animation::unwanted, [] { return ScreenSize(); });
  screen.update("one\n", {"row"});
  screen.update("", {"other"});
  screen.clear();
  EXPECT_EQ(output.written, "one\n");
}

TEST(Screen, CutsStyledTextByWhatIsSeenOfIt) {
  EXPECT_EQ(cut_to_width("\x1b[1mabc\x1b[0m", 3), "\x1b[1mabc\x1b[0m");
  EXPECT_EQ(cut_to_width("\x1b[1mabc\x1b[0m", 2), "\x1b[1mab\x1b[0m");
  EXPECT_EQ(cut_to_width("a漢", 2), "a");
  EXPECT_EQ(cut_to_width("", 5), "");
}

}  // namespace
}  // namespace yume::protocol
