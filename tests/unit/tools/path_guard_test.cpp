// SPDX-License-Identifier: MIT
#include "tools/path_guard.h"

#include "support/memory_file_system.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::tools {
namespace {

struct Scene {
  Scene() {
    files.add_file("/w/app/x", "");
    files.add_file("/etc/passwd", "");
    files.add_symlink("/etc/passwd", "/w/app/link");
    files.add_symlink("/etc", "/w/app/dir");
    files.add_symlink("loop", "/w/app/loop");
  }

  // "given -> real", or the error.
  std::string resolve(std::string_view text, const std::string& home = "/home/u") const {
    const auto file = resolve_path(text, "/w/app", home, files);
    if (file.ok()) return file->given.string() + " -> " + file->real.string();
    EXPECT_EQ(file.error().code, ErrorCode::invalid_argument);
    return file.error().message;
  }

  test::MemoryFileSystem files{"/w/app"};
};

TEST(ResolvePath, ResolvesRelativeAbsoluteAndHome) {
  const Scene scene;
  EXPECT_EQ(scene.resolve("x"), "/w/app/x -> /w/app/x");
  EXPECT_EQ(scene.resolve("./a/../x"), "/w/app/x -> /w/app/x");
  EXPECT_EQ(scene.resolve("/etc/passwd"), "/etc/passwd -> /etc/passwd");
  EXPECT_EQ(scene.resolve("~/notes"), "/home/u/notes -> /home/u/notes");
  EXPECT_EQ(scene.resolve("../../../../etc/passwd"), "/etc/passwd -> /etc/passwd");
  EXPECT_EQ(scene.resolve("a~b"), "/w/app/a~b -> /w/app/a~b");
}

TEST(ResolvePath, FollowsLinksToTheRealFile) {
  const Scene scene;
  EXPECT_EQ(scene.resolve("link"), "/w/app/link -> /etc/passwd");
  EXPECT_EQ(scene.resolve("dir/new/file"), "/w/app/dir/new/file -> /etc/new/file");
}

TEST(ResolvePath, RefusesWhatCannotBeAPath) {
  const Scene scene;
  EXPECT_EQ(scene.resolve(""), "cannot use path '': it is empty");
  EXPECT_EQ(scene.resolve(std::string_view("a\0b", 3)),
            "cannot use path '...': it contains a NUL byte");
  EXPECT_EQ(scene.resolve("~other/x"),
            "cannot use path '~other/x': only ~/ is expanded, not another user's home");
  EXPECT_EQ(scene.resolve("~/x", ""), "cannot use path '~/x': the home directory is unknown");
  EXPECT_NE(scene.resolve(std::string(5000, 'a')).find("longer than 4096 bytes"),
            std::string::npos);
  EXPECT_NE(scene.resolve(std::string(256, 'a')).find("a name in it is over 255 bytes"),
            std::string::npos);
  EXPECT_EQ(scene.resolve(std::string(255, 'a')).find("cannot"), std::string::npos);
  EXPECT_NE(scene.resolve("loop").find("too many levels of symbolic links"), std::string::npos);
}

}  // namespace
}  // namespace yume::tools
