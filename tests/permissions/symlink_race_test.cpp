// SPDX-License-Identifier: MIT
// A file or a folder on the way is exchanged for a link to a secret, without pause, while the file
// tools plan, are judged and run: nothing outside the workspace is read, listed or changed. 300
// calls of each tool in each scene, 100,000 with YUME_LONG=1.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "permissions/policy.h"
#include "platform/descriptor_posix.h"
#include "support/real_search.h"
#include "util/thread.h"

namespace yume::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* k_secret = "SECRET";

int calls_of_each() {
  return std::getenv("YUME_LONG") != nullptr ? 100'000 : 300;
}

// One step: a name never stands for nothing.
void exchange(const fs::path& left, const fs::path& right) {
  ASSERT_EQ(::renameat2(AT_FDCWD, left.c_str(), AT_FDCWD, right.c_str(), RENAME_EXCHANGE), 0);
}

// Has the name of the honest file or folder, and that of a link that leads outside, change places.
class Attacker {
 public:
  Attacker(fs::path honest, fs::path link)
      : honest_(std::move(honest)),
        link_(std::move(link)),
        target_(fs::read_symlink(link_)),
        thread_([this] {
          for (; !over_; ++swaps_) {
            exchange(honest_, link_);
            restore_link();
          }
        }) {}
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;
  ~Attacker() { over_ = true; }
  int swaps() const { return swaps_; }

 private:
  // A tool that replaces a file may come upon the link's name, and then takes it from the link.
  // Only this thread makes links, so that they can only become fewer meanwhile.
  void restore_link() {
    if (fs::is_symlink(honest_) || fs::is_symlink(link_)) return;
    const fs::path fresh = link_.parent_path() / ".fresh";
    fs::create_symlink(target_, fresh);
    fs::rename(fresh, link_);
  }

  fs::path honest_;
  fs::path link_;
  fs::path target_;
  std::atomic<bool> over_{false};
  std::atomic<int> swaps_{0};
  Thread thread_;
};

struct Count {
  int refused = 0;  // by the policy, or because a link is in the way
  int done = 0;
};

// scratch/w is the workspace, scratch/outside is not.
class SymlinkRace : public RealSearch {
 protected:
  SymlinkRace() {
    write_file(outside() / "x.txt", outside_text());
    write_file(outside() / (std::string(k_secret) + ".txt"), k_secret);
    write_file(at("folder/x.txt"), "tick inside\n");
    write_file(at("file.txt"), "tick inside\n");
    fs::create_symlink(outside(), at("folder_link"));
    fs::create_symlink(outside() / "x.txt", at("file_link"));
    folder_ = platform::Descriptor(::open(at("folder").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    policy_ = std::make_unique<permissions::ModePolicy>(permissions::PolicySettings{
        .mode = core::PermissionMode::accept_edits,
        .roots = {root()},
        .home = scratch_.path() / "home",
        .file_names = [this](const fs::path& given) { return files_->names_of(given); }});
  }

  fs::path at(const std::string& name) const { return root() / name; }
  fs::path outside() const { return scratch_.path() / "outside"; }
  // Every edit below would find its text there.
  static std::string outside_text() { return std::string("tick tock ") + k_secret + "\n"; }

  // As the agent does it: plan, decide, run what is allowed.
  core::ToolOutcome call(const tools::Tool& tool, const json& input) {
    tools::ToolContext context = this->context();
    context.hides = [this](const fs::path& path) { return policy_->hides(path); };
    tools::Plan plan = tool.plan(input, context);
    if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return *outcome;
    const auto& planned = std::get<tools::PlannedCall>(plan);
    core::ToolCall asked;
    asked.name = tool.spec().name;
    asked.input = RawJson{input.dump()};
    const core::Decision decision = policy_->decide(asked, planned.action);
    if (std::holds_alternative<core::Allow>(decision)) return planned.run(context);
    core::ToolOutcome refused;
    refused.is_error = true;
    return refused;
  }

  void expect_nothing_got_out(const core::ToolOutcome& outcome) {
    const std::string told = outcome.content + outcome.model_note;
    ASSERT_EQ(told.find(k_secret), std::string::npos) << told;
    ASSERT_EQ(outside_now(), untouched_);
  }

  // Names and contents.
  std::vector<std::string> outside_now() const {
    std::vector<std::string> all;
    const auto entries = files_->list(outside());
    for (const platform::DirectoryEntry& entry : *entries) {
      const auto bytes = files_->read(outside() / entry.name, 1'000);
      all.push_back(entry.name + ":" + *bytes);
    }
    return all;
  }

  // Until each of both sides of the race was met: without that nothing is shown.
  void race(const fs::path& honest, const fs::path& link,
            const std::function<core::ToolOutcome(int)>& one) {
    untouched_ = outside_now();
    Count count;
    const Attacker attacker(honest, link);
    for (int i = 0; i < calls_of_each() || count.done == 0 || count.refused == 0; ++i) {
      const core::ToolOutcome outcome = one(i);
      ++(outcome.is_error ? count.refused : count.done);
      expect_nothing_got_out(outcome);
      if (HasFatalFailure()) return;
    }
    RecordProperty("done", count.done);
    RecordProperty("refused", count.refused);
    RecordProperty("swaps", attacker.swaps());
    std::printf("%d done, %d refused, %d swaps\n", count.done, count.refused, attacker.swaps());
  }
  void race_for_folder(const std::function<core::ToolOutcome(int)>& one) {
    race(at("folder"), at("folder_link"), one);
  }
  void race_for_file(const std::function<core::ToolOutcome(int)>& one) {
    race(at("file.txt"), at("file_link"), one);
  }

  core::ToolOutcome read(const std::string& name) { return call(*read_, {{"file_path", name}}); }
  // One of both ways finds its text inside; outside both would.
  core::ToolOutcome edit(const std::string& name, int i) {
    expect_nothing_got_out(read(name));
    return call(*edit_, {{"file_path", name}, {"old_string", from(i)}, {"new_string", to(i)}});
  }
  core::ToolOutcome multi_edit(const std::string& name, int i) {
    expect_nothing_got_out(read(name));
    const json edits = {{{"old_string", from(i)}, {"new_string", to(i)}}};
    return call(*multi_edit_, {{"file_path", name}, {"edits", edits}});
  }
  core::ToolOutcome write(const std::string& name) {
    return call(*write_, {{"file_path", name}, {"content", "tick inside\n"}});
  }
  static const char* from(int i) { return i % 2 == 0 ? "tick" : "tock"; }
  static const char* to(int i) { return i % 2 == 0 ? "tock" : "tick"; }

  platform::Descriptor folder_;  // the honest one, whatever its name is
  std::unique_ptr<permissions::ModePolicy> policy_;
  std::unique_ptr<tools::Tool> read_ = tools::make_read_tool();
  std::unique_ptr<tools::Tool> write_ = tools::make_write_tool();
  std::unique_ptr<tools::Tool> edit_ = tools::make_edit_tool();
  std::unique_ptr<tools::Tool> multi_edit_ = tools::make_multi_edit_tool();
  std::unique_ptr<tools::Tool> glob_ = tools::make_glob_tool();
  std::unique_ptr<tools::Tool> grep_ = tools::make_grep_tool();
  std::unique_ptr<tools::Tool> ls_ = tools::make_ls_tool();
  std::vector<std::string> untouched_;
};

TEST_F(SymlinkRace, ReadBelowAFolder) {
  race_for_folder([&](int) { return read("folder/x.txt"); });
}
TEST_F(SymlinkRace, ReadOfAFile) {
  race_for_file([&](int) { return read("file.txt"); });
}

TEST_F(SymlinkRace, EditBelowAFolder) {
  race_for_folder([&](int i) { return edit("folder/x.txt", i); });
}
TEST_F(SymlinkRace, EditOfAFile) {
  race_for_file([&](int i) { return edit("file.txt", i); });
}

TEST_F(SymlinkRace, MultiEditBelowAFolder) {
  race_for_folder([&](int i) { return multi_edit("folder/x.txt", i); });
}
TEST_F(SymlinkRace, MultiEditOfAFile) {
  race_for_file([&](int i) { return multi_edit("file.txt", i); });
}

TEST_F(SymlinkRace, WriteOfANewFileInNewFolders) {
  race_for_folder([&](int i) {
    const bool deep = i % 2 == 0;
    const core::ToolOutcome outcome = write(deep ? "folder/new/new.txt" : "folder/new.txt");
    // Removed by what the folder is, not by what it is called.
    ::unlinkat(folder_.get(), "new/new.txt", 0);
    ::unlinkat(folder_.get(), "new", AT_REMOVEDIR);
    ::unlinkat(folder_.get(), "new.txt", 0);
    return outcome;
  });
}
TEST_F(SymlinkRace, WriteOverAFile) {
  race_for_file([&](int) {
    expect_nothing_got_out(read("file.txt"));
    return write("file.txt");
  });
}

TEST_F(SymlinkRace, GlobInAFolder) {
  race_for_folder([&](int i) {
    // Every other time from above: the walk then comes to the name on its own, and passes over it.
    if (i % 2 == 0) return call(*glob_, {{"pattern", "**/*"}, {"path", "folder"}});
    return call(*glob_, {{"pattern", "**/*.txt"}});
  });
}
TEST_F(SymlinkRace, GrepInAFolder) {
  race_for_folder([&](int i) {
    json input = {{"pattern", "tick.*"}, {"output_mode", "content"}};
    if (i % 2 == 0) input["path"] = "folder";
    return call(*grep_, input);
  });
}
TEST_F(SymlinkRace, GrepInAFile) {
  race_for_file([&](int) {
    return call(*grep_, {{"pattern", "tick.*"}, {"output_mode", "content"}, {"path", "file.txt"}});
  });
}
TEST_F(SymlinkRace, LsOfAFolder) {
  race_for_folder([&](int) { return call(*ls_, {{"path", "folder"}}); });
}

}  // namespace
}  // namespace yume::test
