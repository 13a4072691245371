// SPDX-License-Identifier: MIT
// F-09: every kind of line ending, a byte order mark, no final newline, each with Edit, MultiEdit
// and Write. What was not to be changed stays byte for byte.
#include "support/file_tool_scene.h"

#include <gtest/gtest.h>

#include <ostream>

namespace yume::tools {
namespace {

struct Kind {
  std::string name;
  std::string before;
  std::string after;  // line two replaced by two lines, line four by "4"
  std::string shown;  // as the model has read it
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

class EditMatrix : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    scene_.files.add_file("/w/f", GetParam().before);
    scene_.read({{"file_path", "f"}});
  }
  test::FileToolScene scene_;
};

TEST_P(EditMatrix, Edit) {
  EXPECT_EQ(scene_.edit("f", "two", "new\n2").substr(0, 4), "ok: ");
  EXPECT_EQ(scene_.edit("f", "four", "4").substr(0, 4), "ok: ");
  EXPECT_EQ(scene_.content("/w/f"), GetParam().after);
}

TEST_P(EditMatrix, EditAcrossLines) {
  EXPECT_EQ(scene_.edit("f", "two\nthree\nfour", "new\n2\nthree\n4").substr(0, 4), "ok: ");
  EXPECT_EQ(scene_.content("/w/f"), GetParam().after);
}

TEST_P(EditMatrix, MultiEdit) {
  EXPECT_EQ(scene_
                .multi_edit("f", {{{"old_string", "two"}, {"new_string", "new\n2"}},
                                  {{"old_string", "four"}, {"new_string", "4"}}})
                .substr(0, 4),
            "ok: ");
  EXPECT_EQ(scene_.content("/w/f"), GetParam().after);
}

TEST_P(EditMatrix, Write) {
  EXPECT_EQ(scene_.write("f", GetParam().shown).substr(0, 4), "ok: ");
  EXPECT_EQ(scene_.content("/w/f"), GetParam().after);
}

TEST_P(EditMatrix, AFailedEditChangesNothing) {
  EXPECT_EQ(scene_.edit("f", "two\nfour", "x").substr(0, 7), "error: ");
  EXPECT_EQ(scene_
                .multi_edit("f", {{{"old_string", "two"}, {"new_string", "2"}},
                                  {{"old_string", "gone"}, {"new_string", "x"}}})
                .substr(0, 7),
            "error: ");
  EXPECT_EQ(scene_.content("/w/f"), GetParam().before);
}

const std::string k_shown = "one\nnew\n2\nthree\n4\nfive\n";

INSTANTIATE_TEST_SUITE_P(
    All, EditMatrix,
    ::testing::Values(Kind{"lf", "one\ntwo\nthree\nfour\nfive\n", k_shown, k_shown},
                      Kind{"crlf", "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n",
                           "one\r\nnew\r\n2\r\nthree\r\n4\r\nfive\r\n", k_shown},
                      Kind{"mixed", "one\r\ntwo\r\nthree\nfour\r\nfive\n",
                           "one\r\nnew\r\n2\r\nthree\n4\r\nfive\n", k_shown},
                      Kind{"cr", "one\rtwo\rthree\rfour\rfive\r", "one\rnew\r2\rthree\r4\rfive\r",
                           k_shown},
                      Kind{"byte_order_mark",
                           "\xEF\xBB\xBF"
                           "one\ntwo\nthree\nfour\nfive\n",
                           "\xEF\xBB\xBF" + k_shown, k_shown},
                      Kind{"byte_order_mark_and_crlf",
                           "\xEF\xBB\xBF"
                           "one\r\ntwo\r\nthree\r\nfour\r\nfive",
                           "\xEF\xBB\xBF"
                           "one\r\nnew\r\n2\r\nthree\r\n4\r\nfive",
                           "one\nnew\n2\nthree\n4\nfive"},
                      Kind{"no_final_newline", "one\ntwo\nthree\nfour\nfive",
                           "one\nnew\n2\nthree\n4\nfive", "one\nnew\n2\nthree\n4\nfive"}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace yume::tools
