// SPDX-License-Identifier: MIT
// The contract of platform::FileSystem, on the system's files and on the fake in memory.
#include "platform/file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/memory_file_system.h"
#include "support/temporary_directory.h"

namespace yume {
namespace {

namespace fs = std::filesystem;
using platform::FileKind;
using platform::FileSystem;

constexpr std::uint64_t k_plenty = 1 << 20;

// What the seam itself cannot make.
class Scene {
 public:
  virtual ~Scene() = default;
  virtual FileSystem& files() = 0;
  virtual fs::path root() const = 0;
  virtual void symlink(const fs::path& target, const fs::path& link) = 0;
  virtual void fifo(const fs::path& path) = 0;
};

class SystemScene final : public Scene {
 public:
  FileSystem& files() override { return *files_; }
  fs::path root() const override { return directory_.path(); }
  void symlink(const fs::path& target, const fs::path& link) override {
    fs::create_symlink(target, link);
  }
  void fifo(const fs::path& path) override { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }

 private:
  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = platform::make_system_file_system();
};

class MemoryScene final : public Scene {
 public:
  FileSystem& files() override { return files_; }
  fs::path root() const override { return "/project"; }
  void symlink(const fs::path& target, const fs::path& link) override {
    files_.add_symlink(target, link);
  }
  void fifo(const fs::path& path) override { files_.add_other(path); }

 private:
  test::MemoryFileSystem files_{"/project"};
};

struct SceneKind {
  std::string name;
  std::function<std::unique_ptr<Scene>()> make;
};

class FileSystemContract : public ::testing::TestWithParam<SceneKind> {
 protected:
  FileSystem& files() { return scene_->files(); }
  fs::path at(std::string_view name) const { return scene_->root() / name; }
  void put(std::string_view name, std::string_view bytes) {
    const auto written = files().replace(at(name), bytes);
    ASSERT_TRUE(written.ok()) << written.error().message;
  }
  std::string get(const fs::path& path) {
    auto bytes = files().read(path, k_plenty);
    return bytes ? std::move(*bytes) : "error: " + bytes.error().message;
  }
  std::vector<std::string> names(const fs::path& path) {
    std::vector<std::string> result;
    if (const auto entries = files().list(path)) {
      for (const auto& entry : *entries) result.push_back(entry.name);
    }
    return result;
  }

  std::unique_ptr<Scene> scene_ = GetParam().make();
};

template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const std::string& message) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, code);
  EXPECT_EQ(result.error().message, message);
}

TEST_P(FileSystemContract, ReadsBackEveryByte) {
  std::string bytes;
  for (int i = 0; i < 70000; ++i) bytes += static_cast<char>(i);
  put("a", bytes);
  EXPECT_EQ(get(at("a")), bytes);
  put("a", "");
  EXPECT_EQ(get(at("a")), "");
}

TEST_P(FileSystemContract, MissingThingsAreNotFound) {
  const std::string path = at("no/such").string();
  const std::string reason = ": no such file or directory";
  expect_error(files().info(path), ErrorCode::not_found, "cannot inspect " + path + reason);
  expect_error(files().read(path, k_plenty), ErrorCode::not_found, "cannot read " + path + reason);
  expect_error(files().list(path), ErrorCode::not_found, "cannot list " + path + reason);
  expect_error(files().replace(path, "x"), ErrorCode::not_found, "cannot write " + path + reason);
}

TEST_P(FileSystemContract, NothingIsBelowAFile) {
  put("file", "x");
  EXPECT_EQ(files().info(at("file/x")).error().code, ErrorCode::not_found);
  EXPECT_EQ(files().read(at("file/x"), k_plenty).error().code, ErrorCode::not_found);
  EXPECT_EQ(files().replace(at("file/x"), "y").error().code, ErrorCode::invalid_argument);
}

TEST_P(FileSystemContract, ReadsUpToTheLimitAndNoFurther) {
  put("a", "12345");
  EXPECT_EQ(*files().read(at("a"), 5), "12345");
  expect_error(files().read(at("a"), 4), ErrorCode::too_large,
               "cannot read " + at("a").string() + ": larger than 4 bytes");
}

TEST_P(FileSystemContract, OpensOnlyRegularFiles) {
  scene_->fifo(at("fifo"));
  const std::string fifo = at("fifo").string();
  const std::string directory = scene_->root().string();
  expect_error(files().read(fifo, k_plenty), ErrorCode::invalid_argument,
               "cannot read " + fifo + ": not a regular file");
  expect_error(files().read(directory, k_plenty), ErrorCode::invalid_argument,
               "cannot read " + directory + ": is a directory");
  expect_error(files().replace(fifo, "x"), ErrorCode::invalid_argument,
               "cannot write " + fifo + ": not a regular file");
  expect_error(files().replace(directory, "x"), ErrorCode::invalid_argument,
               "cannot write " + directory + ": is a directory");
  expect_error(files().list(fifo), ErrorCode::invalid_argument,
               "cannot list " + fifo + ": not a directory");
  EXPECT_EQ(files().info(fifo)->kind, FileKind::other);
}

TEST_P(FileSystemContract, InfoTellsKindAndSizeThroughLinks) {
  put("file", "123");
  scene_->symlink("file", at("link"));
  scene_->symlink("gone", at("dangling"));
  const auto info = files().info(at("link"));
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->kind, FileKind::regular);
  EXPECT_EQ(info->size, 3U);
  EXPECT_EQ(info->inode, files().info(at("file"))->inode);
  EXPECT_EQ(info->hard_links, 1U);
  EXPECT_EQ(files().info(scene_->root())->kind, FileKind::directory);
  EXPECT_EQ(files().info(at("dangling")).error().code, ErrorCode::not_found);
}

TEST_P(FileSystemContract, ReplacingShowsInTheInfo) {
  put("file", "123");
  const auto before = files().info(at("file"));
  put("file", "456");
  const auto after = files().info(at("file"));
  EXPECT_NE(before->inode, after->inode);
  EXPECT_LE(before->modified_ns, after->modified_ns);
}

TEST_P(FileSystemContract, ReplacesTheTargetOfALink) {
  ASSERT_TRUE(files().create_directories(at("real")).ok());
  put("real/file", "old");
  scene_->symlink("real/file", at("first"));
  scene_->symlink(at("first"), at("second"));
  put("second", "new");
  EXPECT_EQ(get(at("real/file")), "new");
  EXPECT_EQ(names(scene_->root()), (std::vector<std::string>{"first", "real", "second"}));
  EXPECT_EQ(names(at("real")), std::vector<std::string>{"file"});
  EXPECT_EQ(files().list(scene_->root())->front().kind, FileKind::symlink);
}

TEST_P(FileSystemContract, WritingThroughADanglingLinkMakesItsTarget) {
  scene_->symlink("target", at("link"));
  put("link", "x");
  EXPECT_EQ(get(at("target")), "x");
  EXPECT_EQ(files().list(scene_->root())->front().kind, FileKind::symlink);
}

TEST_P(FileSystemContract, ListsInByteOrderWithoutDots) {
  ASSERT_TRUE(files().create_directories(at("b")).ok());
  for (const std::string_view name : {"a", "B", ".hidden", "new\nline", "\xff", "b/inner"}) {
    put(name, "");
  }
  scene_->symlink("b", at("c"));
  EXPECT_EQ(names(scene_->root()),
            (std::vector<std::string>{".hidden", "B", "a", "b", "c", "new\nline", "\xff"}));
  const auto entries = files().list(scene_->root());
  EXPECT_EQ((*entries)[3].kind, FileKind::directory);
  EXPECT_EQ((*entries)[4].kind, FileKind::symlink);
  EXPECT_EQ((*entries)[2].kind, FileKind::regular);
}

TEST_P(FileSystemContract, CreatesDirectoriesOnce) {
  EXPECT_TRUE(files().create_directories(at("a/b/c")).ok());
  EXPECT_TRUE(files().create_directories(at("a/b/c")).ok());
  EXPECT_EQ(files().info(at("a/b/c"))->kind, FileKind::directory);
  put("a/file", "");
  const std::string path = at("a/file").string();
  expect_error(files().create_directories(path), ErrorCode::invalid_argument,
               "cannot create directory " + path + ": not a directory");
}

TEST_P(FileSystemContract, AFileGrowsWhereOthersCanReadIt) {
  const fs::path path = at("new/deep/log.txt");
  auto file = files().create_private(path);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(files().read(path, 100).value(), "");
  ASSERT_TRUE((*file)->append("one ").ok());
  ASSERT_TRUE((*file)->append("two").ok());
  EXPECT_EQ(files().read(path, 100).value(), "one two");
  auto again = files().create_private(path);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(files().read(path, 100).value(), "") << "a new file";
  put("plain", "x");
  EXPECT_FALSE(files().create_private(at("plain/log.txt")).ok());
}

TEST_P(FileSystemContract, RealPathFollowsEveryLink) {
  ASSERT_TRUE(files().create_directories(at("real/deep")).ok());
  scene_->symlink(at("real/deep"), at("link"));
  scene_->symlink("../outside", at("dangling"));
  const auto real = [&](std::string_view name) { return *files().real_path(at(name)); };
  EXPECT_EQ(real("link/x"), at("real/deep/x"));
  EXPECT_EQ(real("link/../x"), at("real/x")) << ".. goes up from where the link leads";
  EXPECT_EQ(real("no/./such/../file"), at("no/file"));
  EXPECT_EQ(real("no/../link"), at("real/deep"));
  EXPECT_EQ(real("dangling/x"), scene_->root().parent_path() / "outside/x");
  EXPECT_EQ(real("real/"), at("real"));
  EXPECT_EQ(*files().real_path("/.."), "/");
}

TEST_P(FileSystemContract, LinkLoopsAreErrors) {
  scene_->symlink("b", at("a"));
  scene_->symlink("a", at("b"));
  const std::string path = at("a/x").string();
  expect_error(files().real_path(path), ErrorCode::invalid_argument,
               "cannot resolve " + path + ": too many levels of symbolic links");
  EXPECT_EQ(files().read(path, k_plenty).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(files().replace(path, "").error().code, ErrorCode::invalid_argument);
}

TEST_P(FileSystemContract, RefusesPathsTheSystemWouldMisread) {
  const fs::path with_nul(at("a").native() + '\0' + "b");
  put("a", "x");
  expect_error(files().read(with_nul, k_plenty), ErrorCode::invalid_argument,
               "cannot read " + at("a").string() + ": the path contains a NUL byte");
  EXPECT_EQ(files().replace(with_nul, "").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(files().real_path(with_nul).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(files().info("").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(files().replace(at("dir/"), "").error().code, ErrorCode::invalid_argument);
}

TEST_P(FileSystemContract, ReadsAnOpenFileAtAnyPlace) {
  put("b", "0123456789");
  const auto file = files().open_real(at("b"));
  ASSERT_TRUE(file.ok());
  std::array<char, 4> piece{};
  const auto read = [&](std::uint64_t offset) {
    const auto got = (*file)->read_at(offset, piece);
    return got.ok() ? std::string(piece.data(), *got) : got.error().message;
  };
  EXPECT_EQ(read(6), "6789");
  EXPECT_EQ(read(0), "0123");
  EXPECT_EQ(read(8), "89");
  EXPECT_EQ(read(10), "");
  EXPECT_EQ(read(99), "");
  const auto next = (*file)->read(piece);
  ASSERT_TRUE(next.ok());
  EXPECT_EQ(std::string(piece.data(), *next), "0123") << "the next bytes are still the first";
}

TEST_P(FileSystemContract, OpensAndReadsPieceByPiece) {
  put("a", "12345");
  const auto file = files().open_real(at("a"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->info(), *files().info(at("a")));
  std::string bytes;
  std::array<char, 2> buffer{};
  for (;;) {
    const auto got = (*file)->read(buffer);
    ASSERT_TRUE(got.ok());
    if (*got == 0) break;
    bytes.append(buffer.data(), *got);
  }
  EXPECT_EQ(bytes, "12345");
}

TEST_P(FileSystemContract, OpensAndReplacesNothingThroughALink) {
  ASSERT_TRUE(files().create_directories(at("real")).ok());
  put("real/file", "x");
  scene_->symlink("real", at("link"));
  const std::string path = at("link/file").string();
  const std::string reason =
      ": a symbolic link is in the way that was not there when the path was judged";
  expect_error(files().open_real(path), ErrorCode::permission_denied,
               "cannot read " + path + reason);
  expect_error(files().replace_real(path, "y", {}), ErrorCode::permission_denied,
               "cannot write " + path + reason);
  expect_error(files().open_real(at("none")), ErrorCode::not_found,
               "cannot read " + at("none").string() + ": no such file or directory");
  expect_error(files().open_real(at("real")), ErrorCode::invalid_argument,
               "cannot read " + at("real").string() + ": is a directory");
  EXPECT_EQ(get(at("real/file")), "x");
}

TEST_P(FileSystemContract, ReplacesOnlyWhatIsExpected) {
  put("a", "1");
  const auto known = *files().info(at("a"));
  const std::string reason =
      "cannot write " + at("a").string() + ": somebody else has just changed it";
  expect_error(files().replace_real(at("a"), "2", {.expected = platform::NothingThere{}}),
               ErrorCode::invalid_argument, reason);
  EXPECT_TRUE(files().replace_real(at("a"), "2", {.expected = known}).ok());
  expect_error(files().replace_real(at("a"), "3", {.expected = known}), ErrorCode::invalid_argument,
               reason);
  EXPECT_TRUE(files().replace_real(at("b"), "x", {.expected = platform::NothingThere{}}).ok());
  EXPECT_EQ(get(at("a")) + get(at("b")), "2x");
}

TEST_P(FileSystemContract, MakesParentsAsFarAsAllowed) {
  EXPECT_EQ(files().replace_real(at("p/q/f"), "x", {}).error().code, ErrorCode::not_found);
  expect_error(
      files().replace_real(at("p/q/f"), "x", {.new_directories = 1}), ErrorCode::invalid_argument,
      "cannot write " + at("p/q/f").string() + ": too many directories would have to be made");
  EXPECT_TRUE(files().replace_real(at("p/q/f"), "x", {.new_directories = 2}).ok());
  EXPECT_EQ(get(at("p/q/f")), "x");
}

INSTANTIATE_TEST_SUITE_P(
    All, FileSystemContract,
    ::testing::Values(SceneKind{"System", [] { return std::make_unique<SystemScene>(); }},
                      SceneKind{"Memory", [] { return std::make_unique<MemoryScene>(); }}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace yume
