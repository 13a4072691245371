// SPDX-License-Identifier: MIT
#include "session/host_files.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <utility>

#include "support/memory_file_system.h"
#include "util/overloaded.h"

namespace yume::session {
namespace {

namespace fs = std::filesystem;

// An editor with open buffers.
class Editor final : public core::Questions {
 public:
  Result<core::HostAnswer> ask(core::HostQuestion question,
                               std::optional<std::chrono::milliseconds> /*timeout*/,
                               const CancelToken& /*cancel*/) override {
    ++asked;
    return std::visit(Overloaded{
                          [](const core::MayRun&) { return refuse(); },
                          [](const core::CallHook&) { return refuse(); },
                          [](const core::McpMessage&) { return refuse(); },
                          [](const core::Elicit&) { return refuse(); },
                          [&](const core::ReadHostFile& file) {
                            const auto found = buffers.find(file.path);
                            if (found == buffers.end()) return refuse();
                            return core::HostAnswer(core::HostFileText{found->second});
                          },
                          [&](const core::WriteHostFile& file) {
                            if (!writes) return refuse();
                            buffers[file.path] = file.content;
                            return core::HostAnswer(core::HostFileWritten{});
                          },
                          [](const core::UseTerminal&) { return refuse(); },
                      },
                      question);
  }

  std::map<std::string, std::string> buffers;
  bool writes = true;
  int asked = 0;

 private:
  static core::HostAnswer refuse() { return core::HostFailed{"no"}; }
};

class HostFilesTest : public testing::Test {
 protected:
  HostFilesTest() { disk.add_file("/p/f", "saved"); }

  std::string read(const char* path) {
    auto file = files.open_real(path);
    if (!file.ok()) return file.error().message;
    std::string text;
    std::array<char, 3> piece{};
    for (;;) {
      const auto got = (*file)->read(piece);
      if (!got.ok() || *got == 0) return text;
      text.append(piece.data(), *got);
    }
  }

  std::string on_disk(const char* path) { return disk.read(path, 100).value(); }

  platform::ReplaceOptions instead_of(const char* path) {
    return {.expected = platform::Expected((*disk.open_real(path))->info())};
  }

  test::MemoryFileSystem disk;
  Editor editor;
  HostFiles files{disk, editor, {.reads_files = true, .writes_files = true}};
};

TEST_F(HostFilesTest, ReadsATextAsItIsInTheEditor) {
  editor.buffers["/p/f"] = "not saved yet";
  EXPECT_EQ(read("/p/f"), "not saved yet");
  auto file = std::move(files.open_real("/p/f")).value();
  std::array<char, 5> part{};
  EXPECT_EQ(*file->read_at(4, part), 5U);
  EXPECT_EQ(std::string(part.data(), 5), "saved");
  EXPECT_EQ(*file->read_at(100, part), 0U);
}

TEST_F(HostFilesTest, ReadsFromTheDiskWhatTheEditorRefuses) {
  EXPECT_EQ(read("/p/f"), "saved");
  EXPECT_EQ(editor.asked, 1);
}

TEST_F(HostFilesTest, AsksForNothingThatIsNotThereOrNoText) {
  disk.add_file("/p/b", std::string("a\0b", 3));
  editor.buffers["/p/b"] = "text";
  EXPECT_EQ(read("/p/b"), std::string("a\0b", 3));
  EXPECT_FALSE(files.open_real("/p/none").ok());
  EXPECT_TRUE(files.open_real("/p/f").ok());  // without being read
  EXPECT_EQ(editor.asked, 0);
}

TEST_F(HostFilesTest, WritesThroughTheEditor) {
  ASSERT_TRUE(files.replace_real("/p/f", "new", instead_of("/p/f")).ok());
  EXPECT_EQ(editor.buffers["/p/f"], "new");
  EXPECT_EQ(on_disk("/p/f"), "saved");  // is the editor's business
  ASSERT_TRUE(files
                  .replace_real("/p/d/g", "new",
                                {.expected = platform::Expected(platform::NothingThere{}),
                                 .new_directories = 9})
                  .ok());
  EXPECT_EQ(editor.buffers["/p/d/g"], "new");
  EXPECT_TRUE(disk.info("/p/d").ok());
}

TEST_F(HostFilesTest, WritesToTheDiskWhatTheEditorRefuses) {
  editor.writes = false;
  ASSERT_TRUE(files.replace_real("/p/f", "new", instead_of("/p/f")).ok());
  EXPECT_EQ(on_disk("/p/f"), "new");
}

TEST_F(HostFilesTest, LeavesAloneWhatIsNotAsItWas) {
  const auto before = instead_of("/p/f");
  ASSERT_TRUE(disk.replace("/p/f", "changed by somebody").ok());
  EXPECT_FALSE(files.replace_real("/p/f", "new", before).ok());
  EXPECT_FALSE(
      files.replace_real("/p/f", "new", {.expected = platform::Expected(platform::NothingThere{})})
          .ok());
  EXPECT_EQ(editor.asked, 0);
  EXPECT_EQ(on_disk("/p/f"), "changed by somebody");
}

}  // namespace
}  // namespace yume::session
