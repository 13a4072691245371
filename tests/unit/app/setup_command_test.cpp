// SPDX-License-Identifier: MIT
#include "app/setup_command.h"

#include "platform/file_system.h"
#include "support/temporary_directory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

class KeptOutput final : public protocol::Output {
 public:
  void line(std::string_view text) override { text_.append(text).append("\n"); }
  void bytes(std::string_view text) override { text_.append(text); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class SetupHosts : public testing::Test {
 protected:
  void put_settings(std::string_view text) {
    fs::create_directories(settings_.parent_path());
    ASSERT_TRUE(files_->replace(settings_, text).ok());
  }
  ExitCode run(const std::vector<std::string>& tokens) {
    KeptOutput out;
    const platform::Environment environment{.variables = {{"PATH", "/nowhere"}},
                                            .home = home_.path(),
                                            .cwd = home_.path(),
                                            .executable = "/opt/yume-cli",
                                            .os_name = "Linux"};
    const ExitCode code = run_setup(tokens, environment, out);
    printed_ = out.text();
    return code;
  }
  [[nodiscard]] std::string state_of_zed() {
    EXPECT_EQ(run({"hosts", "--json"}), ExitCode::success);
    return nlohmann::json::parse(printed_)["hosts"][0]["state"];
  }

  test::TemporaryDirectory home_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  fs::path settings_ = home_.path() / ".config" / "zed" / "settings.json";
  std::string printed_;
};

TEST_F(SetupHosts, ShowsBeforeItWritesAndWritesOnce) {
  put_settings("{}\n");
  EXPECT_EQ(state_of_zed(), "missing");
  EXPECT_EQ(*files_->read(settings_, 1000), "{}\n");
  EXPECT_EQ(run({"hosts"}), ExitCode::success);
  EXPECT_NE(printed_.find("\"command\": \"/opt/yume-cli\""), std::string::npos) << printed_;
  EXPECT_NE(printed_.find("Not found: Yume app, "), std::string::npos) << printed_;
  EXPECT_EQ(run({"hosts", "--write"}), ExitCode::success);
  EXPECT_NE(printed_.find("Written. The old file is "), std::string::npos) << printed_;
  EXPECT_EQ(run({"hosts", "--write"}), ExitCode::success);
  EXPECT_NE(printed_.find("It is there already."), std::string::npos) << printed_;
  EXPECT_EQ(state_of_zed(), "there");
}

TEST_F(SetupHosts, FailsOnlyWhenItWasToWrite) {
  put_settings("{ nonsense");
  EXPECT_EQ(run({"hosts"}), ExitCode::success);
  EXPECT_NE(printed_.find("The file was left as it is: it cannot be understood: "),
            std::string::npos)
      << printed_;
  EXPECT_EQ(run({"hosts", "--write"}), ExitCode::failure);
  EXPECT_EQ(*files_->read(settings_, 1000), "{ nonsense");
}

TEST_F(SetupHosts, IsStrictAboutItsArguments) {
  EXPECT_EQ(run({"--help"}), ExitCode::success);
  EXPECT_NE(printed_.find("--write"), std::string::npos);
  for (const std::vector<std::string>& tokens :
       {std::vector<std::string>{}, {"host"}, {"hosts", "zed"}, {"hosts", "--force"}}) {
    EXPECT_EQ(run(tokens), ExitCode::usage);
  }
}

}  // namespace
}  // namespace yume::app
