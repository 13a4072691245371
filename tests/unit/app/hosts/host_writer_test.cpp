// SPDX-License-Identifier: MIT
#include "app/hosts/host_writer.h"

#include "app/hosts/host_report.h"
#include "support/temporary_directory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_old = "// mine\n{\n  \"theme\": \"One\" // dark\n}\n";

class HostWriter : public testing::Test {
 protected:
  [[nodiscard]] HostSetup setup() const {
    return {.id = "zed",
            .name = "Zed",
            .place = "the file",
            .snippet = "a\nb",
            .then = "Then go on.",
            .entry = NewEntry{.parent = "agents", .key = "yume", .value = {{"command", "/y"}}},
            .file = file_};
  }
  [[nodiscard]] std::string read(const fs::path& path) const {
    const auto text = files_->read(path, 10'000);
    return text.ok() ? *text : text.error().message;
  }
  void put(const fs::path& path, std::string_view text) {
    ASSERT_TRUE(files_->create_directories(path.parent_path()).ok());
    ASSERT_TRUE(files_->replace(path, text).ok());
  }

  test::TemporaryDirectory home_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  fs::path file_ = home_.path() / "zed" / "settings.json";
};

TEST_F(HostWriter, KeepsTheOldFileAndWritesOnce) {
  put(file_, k_old);
  fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(examine_host(setup(), *files_).state, HostState::missing);
  EXPECT_EQ(read(file_), k_old);
  const HostReport report = write_host(setup(), *files_);
  EXPECT_EQ(report.state, HostState::written) << report.reason;
  EXPECT_EQ(report.backup, fs::path(file_).concat(".before-yume-cli"));
  EXPECT_EQ(read(report.backup), k_old);
  const std::string written = read(file_);
  EXPECT_TRUE(written.starts_with("// mine\n{\n  \"theme\": \"One\", // dark\n  \"agents\": {"));
  for (const fs::path& path : {file_, report.backup}) {
    const auto others = fs::perms::group_all | fs::perms::others_all;
    EXPECT_EQ(fs::status(path).permissions() & others, fs::perms::none) << path;
  }
  EXPECT_EQ(write_host(setup(), *files_).state, HostState::there);
  EXPECT_EQ(examine_host(setup(), *files_).state, HostState::there);
  EXPECT_EQ(read(file_), written);
}

TEST_F(HostWriter, MakesAFileThatIsNotThere) {
  const HostReport report = write_host(setup(), *files_);
  EXPECT_EQ(report.state, HostState::written) << report.reason;
  EXPECT_TRUE(report.backup.empty());
  EXPECT_EQ(nlohmann::json::parse(read(file_))["agents"]["yume"]["command"], "/y");
}

TEST_F(HostWriter, NeverReplacesABackup) {
  put(file_, k_old);
  put(fs::path(file_).concat(".before-yume-cli"), "older");
  const HostReport report = write_host(setup(), *files_);
  EXPECT_EQ(report.backup, fs::path(file_).concat(".before-yume-cli-2"));
  EXPECT_EQ(read(fs::path(file_).concat(".before-yume-cli")), "older");
  EXPECT_EQ(read(report.backup), k_old);
}

TEST_F(HostWriter, WritesThroughALinkAndLeavesIt) {
  const fs::path real = home_.path() / "dotfiles" / "zed.json";
  put(real, k_old);
  fs::create_directories(file_.parent_path());
  fs::create_symlink(real, file_);
  EXPECT_EQ(write_host(setup(), *files_).state, HostState::written);
  EXPECT_TRUE(fs::is_symlink(file_));
  EXPECT_NE(read(real), k_old);
}

TEST_F(HostWriter, LeavesAloneWhatItDoesNotUnderstand) {
  put(file_, "{ \"agents\": [] }");
  for (const HostReport& report : {examine_host(setup(), *files_), write_host(setup(), *files_)}) {
    EXPECT_EQ(report.state, HostState::refused);
    EXPECT_EQ(report.reason, "\"agents\" is no object in it");
  }
  EXPECT_EQ(read(file_), "{ \"agents\": [] }");
  EXPECT_FALSE(fs::exists(fs::path(file_).concat(".before-yume-cli")));
  fs::remove(file_);
  fs::create_directory(file_);
  EXPECT_EQ(write_host(setup(), *files_).state, HostState::refused);
}

TEST_F(HostWriter, IsReportedToPeopleAndPrograms) {
  HostReport by_hand{.setup = setup()};
  by_hand.setup.entry.reset();
  by_hand.setup.unwritten = "it is code";
  EXPECT_EQ(hosts_text({by_hand}, {"opcode"}),
            "Zed\n  in the file\n      a\n      b\n  This is not written: it is code.\n"
            "  Then go on.\n\nNot found: opcode.\n");
  EXPECT_EQ(hosts_text({{.setup = setup(), .state = HostState::there}}, {}),
            "Zed\n  in the file\n  It is there already.\n\n");
  EXPECT_EQ(hosts_text({{.setup = setup(), .state = HostState::written, .backup = "/b"}}, {}),
            "Zed\n  in the file\n  Written. The old file is /b.\n  Then go on.\n\n");
  const HostReport refused{.setup = setup(), .state = HostState::refused, .reason = "why"};
  EXPECT_EQ(hosts_text({refused}, {}),
            "Zed\n  in the file\n      a\n      b\n  The file was left as it is: why. Put it in by "
            "hand.\n  Then go on.\n\n");
  const nlohmann::json json = nlohmann::json::parse(hosts_json("/y", {refused, by_hand}, {"x"}));
  EXPECT_EQ(json["program"], "/y");
  EXPECT_EQ(json["missing"], nlohmann::json::array({"x"}));
  EXPECT_EQ(json["hosts"][0]["state"], "refused");
  EXPECT_EQ(json["hosts"][0]["reason"], "why");
  EXPECT_EQ(json["hosts"][0]["file"], file_.string());
  EXPECT_EQ(json["hosts"][1]["state"], "by_hand");
  EXPECT_EQ(json["hosts"][1]["reason"], "it is code");
  EXPECT_FALSE(json["hosts"][1].contains("file"));
}

}  // namespace
}  // namespace yume::app
