// SPDX-License-Identifier: MIT
#include "app/pager.h"

#include "support/temporary_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

class ChoosePager : public testing::Test {
 protected:
  fs::path install(const fs::path& folder, const std::string& name) {
    fs::create_directories(home_.path() / folder);
    const fs::path program = home_.path() / folder / name;
    EXPECT_TRUE(files_->replace(program, "#!/bin/sh\n").ok());
    fs::permissions(program, fs::perms::owner_all);
    return program;
  }
  [[nodiscard]] std::string chosen(const std::string& pager) const {
    platform::Environment environment{.variables = {{"PATH", path_}, {"PAGER", pager}},
                                      .home = home_.path(),
                                      .cwd = home_.path() / "work",
                                      .executable = {},
                                      .os_name = "Linux"};
    const auto argv = choose_pager(environment, *files_);
    std::string text;
    for (const std::string& word : argv.value_or(std::vector<std::string>())) {
      text += (text.empty() ? "" : " ") + word;
    }
    return text;
  }

  test::TemporaryDirectory home_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  std::string path_ = (home_.path() / "bin").string();
};

TEST_F(ChoosePager, TakesThePersonsOwnThenLess) {
  const std::string less = install("bin", "less").string();
  const std::string mine = install("bin", "mine").string();
  EXPECT_EQ(chosen(""), less + " -FRX");
  EXPECT_EQ(chosen("mine -R  --x"), mine + " -R --x");
  EXPECT_EQ(chosen(mine), mine);
  for (const char* other : {"missing", "mine | less", "mine 'a b'", "./mine", "bin/mine", "   "}) {
    EXPECT_EQ(chosen(other), less + " -FRX") << other;
  }
  fs::permissions(mine, fs::perms::owner_read);
  EXPECT_EQ(chosen("mine"), less + " -FRX");
}

TEST_F(ChoosePager, TakesNoneFromTheFolderThatIsWorkedIn) {
  install("work", "less");
  install("work/bin", "mine");
  path_ = ".:work:" + (home_.path() / "work").string() + ":" + (home_.path() / "work/bin").string();
  EXPECT_EQ(chosen("mine"), "");
  const fs::path link = home_.path() / "bin" / "mine";
  fs::create_directories(link.parent_path());
  fs::create_symlink(home_.path() / "work/bin/mine", link);
  path_ = (home_.path() / "bin").string();
  EXPECT_EQ(chosen("mine"), "");
}

}  // namespace
}  // namespace yume::app
