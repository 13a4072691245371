// SPDX-License-Identifier: MIT
// The file system's seam on Windows: which file a path means, what replacing keeps, and what is
// never touched. Under wine links are this machine's own, so junctions are only tried where they
// can be made.
#include <gtest/gtest.h>
#include <windows.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "platform/file_system.h"
#include "platform/handle_win32.h"
#include "platform/system_path_win32.h"
#include "util/path_text.h"
#include "windows/scratch.h"

namespace yume {
namespace {

namespace fs = std::filesystem;
using platform::Handle;
using platform::system_path;
using test::Scratch;

constexpr std::uint64_t k_most = 1U << 20U;

struct Disk {
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  Scratch scratch;

  void write(const fs::path& path, std::string_view bytes) const {
    const auto written = files->replace(path, bytes);
    ASSERT_TRUE(written.ok()) << written.error().message;
  }
  std::string read(const fs::path& path) const {
    const auto bytes = files->read(path, k_most);
    return bytes.ok() ? *bytes : "error: " + bytes.error().message;
  }
  fs::path real(const fs::path& path) const {
    const auto found = files->real_path(path);
    return found.ok() ? *found : fs::path("error: " + found.error().message);
  }
};

Handle open_file(const fs::path& path, DWORD share) {
  return Handle(::CreateFileW(system_path(path).c_str(), GENERIC_READ, share, nullptr,
                              OPEN_EXISTING, 0, nullptr));
}

bool is_wine() {
  return ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr;
}

TEST(WindowsFileSystem, KeepsNamesAndBytesOfAllKinds) {
  const Disk disk;
  for (const char* name :
       {"notes.txt", "\xC3\xA9\xE6\x97\xA5\xE6\x9C\xAC.txt", "a b;c,d=e%f.txt", ".hidden"}) {
    const fs::path path = disk.scratch / path_from_utf8(name);
    disk.write(path, "a\r\nb\nc\0d");
    EXPECT_EQ(disk.read(path), std::string("a\r\nb\nc\0d"));
  }
  const auto listed = disk.files->list(disk.scratch.path());
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->size(), 4U);
  EXPECT_EQ(listed->back().name, "\xC3\xA9\xE6\x97\xA5\xE6\x9C\xAC.txt");
}

TEST(WindowsFileSystem, UsesPathsOfAnyLength) {
  const Disk disk;
  fs::path folder = disk.scratch.path();
  for (int i = 0; i < 8; ++i) folder /= std::string(60, static_cast<char>('a' + i));
  ASSERT_TRUE(disk.files->create_directories(folder).ok());
  disk.write(folder / "deep.txt", "deep");
  EXPECT_EQ(disk.read(folder / "deep.txt"), "deep");
  EXPECT_EQ(disk.real(folder / "DEEP.TXT"), disk.real(folder) / "deep.txt");
  EXPECT_EQ(disk.files->list(folder)->size(), 1U);
}

TEST(WindowsFileSystem, CallsAFileByTheNameThatIsKept) {
  const Disk disk;
  const fs::path top = disk.real(disk.scratch.path());
  ASSERT_TRUE(disk.files->create_directories(disk.scratch / "Src").ok());
  disk.write(disk.scratch / "Src" / "Main.CPP", "x");
  for (const char* name : {"Src/Main.CPP", "src/main.cpp", "SRC\\MAIN.cpp", "src/./main.cpp",
                           "x/../src/main.cpp", "src/x/../MAIN.CPP"}) {
    EXPECT_EQ(disk.real(disk.scratch / path_from_utf8(name)), top / "Src" / "Main.CPP") << name;
  }
  // What is not there keeps the name that it was given.
  EXPECT_EQ(disk.real(disk.scratch / "src" / "New.txt"), top / "Src" / "New.txt");
  EXPECT_EQ(disk.real(disk.scratch / "None" / "New.txt"), top / "None" / "New.txt");
}

TEST(WindowsFileSystem, TakesShortNamesForTheLongOnes) {
  const Disk disk;
  disk.write(disk.scratch / "a long name of a file.text", "x");
  std::wstring brief(512, L'\0');
  const std::wstring full = system_path(disk.scratch / "a long name of a file.text");
  brief.resize(::GetShortPathNameW(full.c_str(), brief.data(), 512));
  const fs::path given = platform::path_of_system(brief);
  EXPECT_EQ(disk.real(given), disk.real(disk.scratch / "a long name of a file.text"))
      << to_utf8(given);
}

// Each of these means another file than it seems to, or none.
TEST(WindowsFileSystem, TouchesNothingByAPathThatMeansSomethingElse) {
  const Disk disk;
  disk.write(disk.scratch / "notes.txt", "old");
  const std::string top = to_utf8(disk.scratch.path());
  std::vector<std::string> paths = {R"(\\?\)" + top + R"(\notes.txt)",
                                    R"(\\.\)" + top + R"(\notes.txt)", R"(\\localhost\c$\x)",
                                    "C:notes.txt", ""};
  for (const char* name :
       {"notes.txt.", "notes.txt ", "notes.txt::$DATA", "notes.txt:other", "NUL", "con.txt", "COM1",
        "a\\NUL\\b", "*.txt", "notes.tx?", "a\x01", "sub.\\x", "sub \\x"}) {
    paths.push_back(top + "\\" + name);
  }
  for (const std::string& text : paths) {
    const fs::path path = path_from_utf8(text);
    EXPECT_EQ(disk.files->read(path, k_most).ok(), false) << text;
    EXPECT_EQ(disk.files->info(path).ok(), false) << text;
    EXPECT_EQ(disk.files->open_real(path).ok(), false) << text;
    EXPECT_EQ(disk.files->replace(path, "new").ok(), false) << text;
    EXPECT_EQ(disk.files->replace_real(path, "new", {.new_directories = 3}).ok(), false) << text;
    EXPECT_EQ(disk.files->create_directories(path).ok(), false) << text;
    EXPECT_EQ(disk.files->create_private(path).ok(), false) << text;
    EXPECT_EQ(disk.files->list(path).ok(), false) << text;
    EXPECT_EQ(disk.files->real_path(path).ok(), false) << text;
  }
  EXPECT_EQ(disk.read(disk.scratch / "notes.txt"), "old");
  EXPECT_EQ(disk.files->list(disk.scratch.path())->size(), 1U);
}

TEST(WindowsFileSystem, KeepsAttributesAndCreationTime) {
  const Disk disk;
  const fs::path path = disk.real(disk.scratch.path()) / "settings.ini";
  disk.write(path, "old");
  const std::wstring name = system_path(path);
  const FILETIME long_ago{.dwLowDateTime = 0, .dwHighDateTime = 0x01C00000};
  {
    const Handle file(
        ::CreateFileW(name.c_str(), FILE_WRITE_ATTRIBUTES, 0, nullptr, OPEN_EXISTING, 0, nullptr));
    ASSERT_NE(::SetFileTime(file.get(), &long_ago, nullptr, nullptr), 0);
  }
  ::SetFileAttributesW(name.c_str(), FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_READONLY);
  const DWORD before = ::GetFileAttributesW(name.c_str());
  const auto replaced = disk.files->replace_real(path, "new", {});
  ASSERT_TRUE(replaced.ok()) << replaced.error().message;
  EXPECT_EQ(disk.read(path), "new");
  EXPECT_EQ(::GetFileAttributesW(name.c_str()), before);
  ::SetFileAttributesW(name.c_str(), FILE_ATTRIBUTE_NORMAL);
}

TEST(WindowsFileSystem, RefusesToReplaceWhatHasChangedMeanwhile) {
  const Disk disk;
  const fs::path path = disk.real(disk.scratch.path()) / "a.txt";
  disk.write(path, "one");
  const auto known = disk.files->info(path);
  ASSERT_TRUE(known.ok());
  disk.write(path, "other");
  const auto late = disk.files->replace_real(path, "new", {.expected = *known});
  ASSERT_FALSE(late.ok());
  EXPECT_NE(late.error().message.find("somebody else has just changed it"), std::string::npos);
  EXPECT_FALSE(disk.files->replace_real(path, "new", {.expected = platform::NothingThere{}}).ok());
  EXPECT_EQ(disk.read(path), "other");
}

TEST(WindowsFileSystem, RemovesWhatAKillLeftButNotWhatIsBeingWritten) {
  const Disk disk;
  const fs::path top = disk.real(disk.scratch.path());
  disk.write(top / ".yume-0123456789abcdef.tmp", "left");
  disk.write(top / ".yume-0123456789abcdex.tmp", "somebody's");
  const Handle written(::CreateFileW(system_path(top / ".yume-fedcba9876543210.tmp").c_str(),
                                     GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_NEW, 0,
                                     nullptr));
  ASSERT_TRUE(written.is_open());
  disk.write(top / "a.txt", "x");
  std::string names;
  const auto listed = disk.files->list(top);
  ASSERT_TRUE(listed.ok());
  for (const auto& entry : *listed) names += entry.name + " ";
  EXPECT_EQ(names, ".yume-0123456789abcdex.tmp .yume-fedcba9876543210.tmp a.txt ");
}

// Readers see the old or the new bytes, and hold up nobody who replaces.
TEST(WindowsFileSystem, ReplacesAThousandTimesUnderAReader) {
  const Disk disk;
  const fs::path path = disk.real(disk.scratch.path()) / "busy.txt";
  constexpr std::size_t k_size = 8192;
  disk.write(path, std::string(k_size, 'a'));
  std::atomic<int> reads = 0;
  std::atomic<int> mixtures = 0;
  const std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const auto file = disk.files->open_real(path);
      if (!file.ok()) continue;  // between two names
      std::string bytes(k_size + 1, '\0');
      const auto got = (*file)->read_at(0, bytes);
      bytes.resize(got.ok() ? *got : 0);
      if (bytes != std::string(k_size, bytes.empty() ? '?' : bytes.front())) ++mixtures;
      ++reads;
    }
  });
  for (int i = 0; i < 1000; ++i) {
    const std::string bytes(k_size, static_cast<char>('a' + i % 26));
    auto replaced = disk.files->replace_real(path, bytes, {});
    // wine cannot rename over an open file, and the reader is rarely without one.
    while (!replaced.ok() && is_wine()) replaced = disk.files->replace_real(path, bytes, {});
    ASSERT_TRUE(replaced.ok()) << i << ": " << replaced.error().message;
  }
  EXPECT_GT(reads.load(), 0);
  EXPECT_EQ(mixtures.load(), 0);
  EXPECT_EQ(disk.read(path), std::string(k_size, static_cast<char>('a' + 999 % 26)));
}

TEST(WindowsFileSystem, ReplacesUnderAReaderThatHoldsTheFileOpenThroughout) {
  const Disk disk;
  const fs::path path = disk.real(disk.scratch.path()) / "held.txt";
  disk.write(path, "old");
  auto held = disk.files->open_real(path);
  ASSERT_TRUE(held.ok());
  const auto replaced = disk.files->replace_real(path, "new", {});
  if (!replaced.ok() && is_wine()) GTEST_SKIP() << "wine cannot rename over an open file";
  ASSERT_TRUE(replaced.ok()) << replaced.error().message;
  EXPECT_EQ(disk.read(path), "new");
  std::string bytes(3, '\0');
  ASSERT_TRUE((*held)->read(bytes).ok());
  EXPECT_EQ(bytes, "old");
}

// Another program that shares the file with nobody.
TEST(WindowsFileSystem, SaysWhoStandsInTheWay) {
  const Disk disk;
  const fs::path path = disk.real(disk.scratch.path()) / "locked.txt";
  disk.write(path, "old");
  {
    const Handle alone = open_file(path, 0);
    ASSERT_TRUE(alone.is_open());
    const auto replaced = disk.files->replace_real(path, "new", {});
    ASSERT_FALSE(replaced.ok());
    EXPECT_NE(replaced.error().message.find("open in another program"), std::string::npos)
        << replaced.error().message;
  }
  EXPECT_EQ(disk.read(path), "old");
  EXPECT_EQ(disk.files->list(disk.scratch.path())->size(), 1U);
  disk.write(path, "new");
  EXPECT_EQ(disk.read(path), "new");
}

TEST(WindowsFileSystem, WritesInPlaceWhereABackupCanBeKept) {
  const Disk disk;
  const fs::path top = disk.real(disk.scratch.path());
  const fs::path path = top / "shared.txt";
  disk.write(path, "old content");
  // Whoever holds it open lets others write to it, but neither rename nor remove it.
  const Handle other = open_file(path, FILE_SHARE_READ | FILE_SHARE_WRITE);
  const auto replaced = disk.files->replace_real(path, "new", {.backups = top / "backups"});
  ASSERT_TRUE(replaced.ok()) << replaced.error().message;
  EXPECT_EQ(disk.read(path), "new");
  if (!replaced->backup.empty()) {  // wine replaces it all the same
    EXPECT_EQ(disk.read(replaced->backup), "old content");
  }
}

}  // namespace
}  // namespace yume
