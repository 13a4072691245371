// SPDX-License-Identifier: MIT
// The file tools on real files: what only the system can make. F-01 to F-13 name the cases of the
// fault plan (docs/tools.md).
#include "tools/file_tools.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/fake_clock.h"
#include "support/forked.h"
#include "support/temporary_directory.h"
#include "support/tool_world.h"

namespace yume {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RealFileTools : public ::testing::Test {
 protected:
  fs::path at(std::string_view name) const { return directory_.path() / name; }
  void put(std::string_view name, std::string_view bytes) { std::ofstream(at(name)) << bytes; }
  std::string get(std::string_view name) {
    const auto bytes = files_->read(at(name), 1U << 30U);
    return bytes.ok() ? *bytes : bytes.error().message;
  }

  tools::ToolContext context() {
    return {.cwd = directory_.path(),
            .home = at("home"),
            .child_environment = {},
            .files = *files_,
            .processes = processes_,
            .clock = clock_,
            .memory = memory_,
            .cancel = cancel_.get_token(),
            .shell = shell_};
  }
  core::ToolOutcome run(const tools::Tool& tool, const json& input) {
    tools::Plan plan = tool.plan(input, context());
    if (const auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return *outcome;
    return std::get<tools::PlannedCall>(plan).run(context());
  }
  core::ToolOutcome read(const json& input) { return run(*tools::make_read_tool(), input); }
  std::string shown(std::string_view name) { return read({{"file_path", name}}).content; }
  core::ToolOutcome edit(std::string_view name, std::string_view from, std::string_view to) {
    return run(*tools::make_edit_tool(),
               {{"file_path", name}, {"old_string", from}, {"new_string", to}});
  }
  core::ToolOutcome write(std::string_view name, std::string_view content) {
    return run(*tools::make_write_tool(), {{"file_path", name}, {"content", content}});
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  test::ScriptedRunner processes_;
  test::FakeClock clock_;
  tools::FileMemory memory_;
  tools::Shell shell_;
  CancelSource cancel_;
};

// Kilobytes that this process ever had resident.
long peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(RealFileTools, F01_SpecialFilesAreRefused) {
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, at("socket").c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  for (const char* name : {"fifo", "socket", "/dev/tty"}) {
    EXPECT_NE(shown(name).find("not a regular file"), std::string::npos) << name;
    EXPECT_TRUE(write(name, "x").is_error) << name;
    EXPECT_TRUE(edit(name, "a", "b").is_error) << name;
  }
  ::close(server);
}

TEST_F(RealFileTools, F02_DevicesAreRefusedAndSystemFilesRead) {
  for (const char* name : {"/dev/zero", "/dev/urandom", "/dev/null"}) {
    EXPECT_NE(shown(name).find("not a regular file"), std::string::npos) << name;
  }
  // A file by its mode, but reading it waits for the kernel's next message.
  EXPECT_FALSE(shown("/proc/kmsg").empty());
  EXPECT_NE(shown("/proc/self/status").find("1\tName:"), std::string::npos);
  EXPECT_FALSE(
      read({{"file_path", "/sys/kernel/mm/transparent_hugepage/enabled"}}).content.empty());
}

TEST_F(RealFileTools, F03_ASparseFileIsReadInItsWindowOnly) {
  put("sparse", "one\ntwo\nthree\nfour\n");
  ASSERT_EQ(::truncate(at("sparse").c_str(), 100LL << 30), 0);
  const long before = peak_memory();
  // NUL bytes follow the text within the first 8 KB.
  EXPECT_NE(read({{"file_path", "sparse"}, {"limit", 2}}).content.find("binary"),
            std::string::npos);
  EXPECT_NE(edit("sparse", "one", "1").content.find("larger than 32 MB"), std::string::npos);
  EXPECT_NE(write("sparse", "x").content.find("larger than 32 MB"), std::string::npos);

  std::string text;
  for (int i = 1; i <= 2000; ++i) text += "line " + std::to_string(i) + "\n";
  put("big", text);
  ASSERT_EQ(::truncate(at("big").c_str(), 100LL << 30), 0);
  EXPECT_NE(shown("big").find("exceeds maximum allowed size (256KB)"), std::string::npos);
  const auto window = read({{"file_path", "big"}, {"offset", 2}, {"limit", 2}});
  EXPECT_EQ(window.content, "2\tline 2\n3\tline 3");
  EXPECT_NE(window.model_note.find("was not counted"), std::string::npos);
  EXPECT_LE(peak_memory() - before, 16 << 10);
}

TEST_F(RealFileTools, F04_OneLineOfTwoGigabytesIsCut) {
  put("line", std::string(10'000, 'x'));
  ASSERT_EQ(::truncate(at("line").c_str(), 2LL << 30), 0);
  const long before = peak_memory();
  const auto first = read({{"file_path", "line"}, {"limit", 1}});
  EXPECT_LE(first.content.size(), 110'000U);
  EXPECT_NE(first.model_note.find("Line 1 is very long"), std::string::npos);
  const auto second = read({{"file_path", "line"}, {"offset", 2}, {"limit", 1}});
  EXPECT_NE(second.content.find("shorter than the provided offset (2)"), std::string::npos);
  EXPECT_LE(peak_memory() - before, 16 << 10);
}

TEST_F(RealFileTools, F06_MissingPermissionIsSaid) {
  put("secret", "x");
  ASSERT_EQ(::chmod(at("secret").c_str(), 0), 0);
  ASSERT_TRUE(files_->create_directories(at("closed")).ok());
  put("closed/file", "x");
  ASSERT_EQ(::chmod(at("closed").c_str(), 0), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  EXPECT_EQ(test::exit_code_of([&] {
              if (::getuid() == 0 && ::setuid(65534) != 0) return 1;
              const auto denied = [](const core::ToolOutcome& outcome) {
                return outcome.is_error &&
                       outcome.content.find("ermission denied") != std::string::npos;
              };
              if (!denied(read({{"file_path", "secret"}}))) return 2;
              if (!denied(read({{"file_path", "closed/file"}}))) return 3;
              if (!denied(write("new", "x"))) return 4;
              if (!denied(edit("secret", "x", "y"))) return 5;
              return 0;
            }),
            0);
  ASSERT_EQ(::chmod(at("closed").c_str(), 0755), 0);
}

TEST_F(RealFileTools, F07_LinkLoopsAndLongChainsAreErrors) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_NE(shown("a").find("too many levels of symbolic links"), std::string::npos);
  fs::create_symlink("gone", at("dangling"));
  EXPECT_NE(shown("dangling").find("File does not exist"), std::string::npos);
  put("end", "x");
  for (int i = 0; i < 41; ++i) {
    fs::create_symlink(i == 0 ? "end" : "chain" + std::to_string(i - 1),
                       at("chain" + std::to_string(i)));
  }
  EXPECT_NE(shown("chain40").find("too many levels"), std::string::npos);
  EXPECT_EQ(shown("chain39"), "1\tx");
  for (const char* name : {"a", "chain40"}) {
    EXPECT_NE(write(name, "x").content.find("too many levels"), std::string::npos) << name;
    EXPECT_NE(edit(name, "x", "y").content.find("too many levels"), std::string::npos) << name;
  }
  EXPECT_FALSE(write("dangling", "made").is_error);  // as a shell's > does
  EXPECT_EQ(get("gone"), "made");
  EXPECT_TRUE(fs::is_symlink(at("dangling")));
}

TEST_F(RealFileTools, F08_OddNamesAreReadAndWritten) {
  for (const std::string& name :
       {std::string("new\nline"), std::string("\"quotes'"), std::string(255, 'n'),
        std::string("-rf"), std::string("..."), std::string("spa ce "), std::string("*?[")}) {
    EXPECT_FALSE(write(name, "text").is_error) << name;
    EXPECT_EQ(shown(name), "1\ttext") << name;
    EXPECT_EQ(get(name), "text");
  }
}

TEST_F(RealFileTools, F10_TheOldTextIsTakenLiterally) {
  put("f", "a.b aXb $1 \\1\n");
  shown("f");
  EXPECT_NE(edit("f", "a.c", "x").content.find("String to replace not found"), std::string::npos);
  EXPECT_FALSE(edit("f", "a.b", "$&").is_error);
  EXPECT_EQ(get("f"), "$& aXb $1 \\1\n");
  EXPECT_TRUE(edit("f", std::string(5U << 20U, 'x'), "y").is_error);
  EXPECT_EQ(get("f"), "$& aXb $1 \\1\n");
}

TEST_F(RealFileTools, F11_AChangeByOthersIsNoticed) {
  put("f", "one");
  shown("f");
  put("f", "two");
  EXPECT_NE(edit("f", "two", "x").content.find("modified since read"), std::string::npos);
  EXPECT_NE(write("f", "x").content.find("modified since read"), std::string::npos);
  EXPECT_EQ(get("f"), "two");
  put("f", "one");
  EXPECT_FALSE(edit("f", "one", "x").is_error) << "what counts is the content, not the time";
}

TEST_F(RealFileTools, F13_ADeletedWorkingDirectoryIsAnError) {
  fs::remove_all(directory_.path());
  EXPECT_NE(shown("f").find("File does not exist"), std::string::npos);
  EXPECT_TRUE(edit("f", "a", "b").is_error);
}

TEST_F(RealFileTools, F20_TheResultTellsOfHardLinks) {
  put("f", "one");
  fs::create_hard_link(at("f"), at("twin"));
  shown("f");
  EXPECT_EQ(edit("f", "one", "two").content,
            "The file f has been updated successfully. Note: the file had 1 other hard link, which "
            "keep the old content.");
}

TEST_F(RealFileTools, T06_TooMuchContentIsRefused) {
  EXPECT_NE(write("f", std::string(11U << 20U, 'x')).content.find("larger than 10 MB"),
            std::string::npos);
}

TEST_F(RealFileTools, T07_DeepPathsAreRefused) {
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "d/";
  EXPECT_NE(write(deep + "f", "x").content.find("too many directories"), std::string::npos);
  EXPECT_NE(write(std::string(256, 'n'), "x").content.find("over 255 bytes"), std::string::npos);
  EXPECT_NE(write(std::string(5000, '/') + "x", "x").content.find("4096"), std::string::npos);
}

}  // namespace
}  // namespace yume
