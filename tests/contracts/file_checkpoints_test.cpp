// SPDX-License-Identifier: MIT
#include "session/file_checkpoints.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "platform/file_system.h"
#include "platform/kept_files.h"
#include "util/path_text.h"
#include "util/uuid.h"

namespace yume::session {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

class FileCheckpointsOnDisk : public testing::Test {
 protected:
  FileCheckpointsOnDisk() {
    const fs::path made = fs::temp_directory_path() / ("yume-test-" + random_hex(16));
    fs::create_directories(made);
    top_ = *files_->real_path(made);
  }
  ~FileCheckpointsOnDisk() override { (void)platform::remove_tree(top_); }

  void write(const fs::path& path, std::string_view bytes) {
    const auto written = files_->replace_real(path, bytes, {.new_directories = 3});
    EXPECT_TRUE(written.ok()) << written.error().message;
  }
  std::string read(const fs::path& path) const {
    const auto bytes = files_->read(path, 100);
    return bytes.ok() ? *bytes : "none";
  }

  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  fs::path top_;
};

TEST_F(FileCheckpointsOnDisk, GiveBackWhatWasChangedAndTakeAwayWhatWasMade) {
  const fs::path old = top_ / "old.txt";
  const fs::path fresh = top_ / "sub" / "deep" / "new.txt";
  FileCheckpoints checkpoints(top_ / "kept" / "file-history", *files_);
  write(old, "one\ntwo\n");
  checkpoints.begin("m1");
  for (const char* bytes : {"one\n2\nthree\n", "again\n"}) {
    checkpoints.before_change(old);
    write(old, bytes);
  }
  checkpoints.before_change(fresh);
  write(fresh, "new\n");

  const auto planned = checkpoints.rewind("m1", true);
  EXPECT_EQ(planned.problem, "");
  EXPECT_EQ(planned.files, (Strings{to_utf8(old), to_utf8(fresh)}));
  EXPECT_EQ(planned.insertions, 2);
  EXPECT_EQ(planned.deletions, 2);
  EXPECT_EQ(read(old) + read(fresh), "again\nnew\n") << "it was only asked";

  // As a later process does.
  FileCheckpoints later(top_ / "kept" / "file-history", *files_);
  const auto done = later.rewind("m1", false);
  EXPECT_TRUE(done.possible);
  EXPECT_EQ(done.problem, "");
  EXPECT_EQ(done.files, planned.files);
  EXPECT_EQ(read(old), "one\ntwo\n");
  EXPECT_FALSE(files_->info(top_ / "sub").ok()) << "a folder that was made goes, too";
  EXPECT_EQ(later.rewind("m1", false).files, Strings{}) << "nothing is left to do";
  EXPECT_FALSE(later.rewind("m2", false).possible);
}

}  // namespace
}  // namespace yume::session
