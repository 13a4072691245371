// SPDX-License-Identifier: MIT
// The file tools on a real file of Windows. F-21 names the case of the fault plan (docs/tools.md).
#include "tools/file_tools.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/system_path_win32.h"
#include "support/fake_clock.h"
#include "support/tool_world.h"
#include "util/path_text.h"
#include "windows/scratch.h"

namespace yume {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class WindowsFileTools : public ::testing::Test {
 protected:
  WindowsFileTools() {
    top_ = *files_->real_path(scratch_.path());
    write_bytes("old\n");
  }

  core::ToolOutcome run(const tools::Tool& tool, const json& input) {
    const tools::ToolContext context{.cwd = top_,
                                     .home = top_,
                                     .child_environment = {},
                                     .files = *files_,
                                     .processes = processes_,
                                     .clock = clock_,
                                     .memory = memory_,
                                     .cancel = cancel_.get_token(),
                                     .shell = shell_};
    tools::Plan plan = tool.plan(input, context);
    if (const auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return *outcome;
    return std::get<tools::PlannedCall>(plan).run(context);
  }
  core::ToolOutcome read(const std::string& path) {
    return run(*tools::make_read_tool(), {{"file_path", path}});
  }
  core::ToolOutcome edit(const std::string& path, std::string_view from, std::string_view to) {
    return run(*tools::make_edit_tool(),
               {{"file_path", path}, {"old_string", from}, {"new_string", to}});
  }
  core::ToolOutcome write(const std::string& path) {
    return run(*tools::make_write_tool(), {{"file_path", path}, {"content", "new\n"}});
  }

  void write_bytes(std::string_view bytes) {
    ASSERT_TRUE(files_->replace(top_ / "a long name.txt", bytes).ok());
  }
  std::string bytes() const { return *files_->read(top_ / "a long name.txt", 1U << 20U); }

  test::Scratch scratch_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  fs::path top_;
  test::ScriptedRunner processes_;
  test::FakeClock clock_;
  tools::FileMemory memory_;
  tools::Shell shell_;
  CancelSource cancel_;
};

// By none of them is anything read, changed or made, also when the file itself has been read.
TEST_F(WindowsFileTools, F21_PathsThatMeanSomethingElseAreRefused) {
  ASSERT_FALSE(read("a long name.txt").is_error);
  const std::string top = to_utf8(top_);
  const std::vector<std::string> spellings = {
      R"(\\?\)" + top + R"(\a long name.txt)",
      R"(\\.\)" + top + R"(\a long name.txt)",
      R"(\??\)" + top + R"(\a long name.txt)",
      R"(\\localhost\c$\windows\win.ini)",
      "//localhost/c$/windows/win.ini",
      top.substr(0, 2) + "a long name.txt",
      "a long name.txt.",
      "a long name.txt ",
      "a long name.txt::$DATA",
      "a long name.txt:other",
      "CON",
      "nul.txt",
      "COM1",
      R"(sub\LPT1.log)",
      R"(sub.\x.txt)",
  };
  for (const std::string& path : spellings) {
    EXPECT_TRUE(read(path).is_error) << path;
    EXPECT_TRUE(edit(path, "old", "new").is_error) << path;
    EXPECT_TRUE(write(path).is_error) << path;
  }
  EXPECT_EQ(bytes(), "old\n");
  EXPECT_EQ(files_->list(top_)->size(), 1U);
}

// What was read by one name may be changed by another of the same file, and its change is noticed.
TEST_F(WindowsFileTools, F21_NamesOfOneFileAreOneFile) {
  std::wstring brief(512, L'\0');
  const std::wstring full = platform::system_path(top_ / "a long name.txt");
  brief.resize(::GetShortPathNameW(full.c_str(), brief.data(), 512));
  const std::string other = to_utf8(platform::path_of_system(brief));
  ASSERT_FALSE(read("A LONG Name.txt").is_error);
  const auto edited = edit(other, "old", "new");
  EXPECT_FALSE(edited.is_error) << other << ": " << edited.content;
  EXPECT_EQ(bytes(), "new\n");
  write_bytes("somebody else's\n");
  EXPECT_TRUE(edit("a LONG name.txt", "somebody", "nobody").is_error);
  EXPECT_EQ(files_->list(top_)->size(), 1U);
}

}  // namespace
}  // namespace yume
