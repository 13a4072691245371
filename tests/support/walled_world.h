// SPDX-License-Identifier: MIT
// A home, a workspace in it and a wall around the workspace, and commands that run behind it: as
// the test's own user, or as another one when that is root.
#pragma once

#include <grp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "platform/process.h"
#include "platform/sandbox.h"
#include "support/forked.h"
#include "support/run_command.h"
#include "support/temporary_directory.h"

namespace yume::test {

enum class Who { self, nobody };

// Somebody without privileges.
inline bool become_nobody() {
  constexpr unsigned k_nobody = 65534;
  return ::setgroups(0, nullptr) == 0 && ::setgid(k_nobody) == 0 && ::setuid(k_nobody) == 0;
}

// Runs `body` so, in a forked process; true when it said so.
template <class Body>
bool as_nobody(Body body) {
  return exit_code_of([&] { return become_nobody() && body() ? 0 : 1; }) == 0;
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void put(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// Everything below a folder: names, kinds, modes, and what is in files.
inline std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto status = entry.symlink_status();
    std::string what = std::to_string(static_cast<int>(status.type())) + " " +
                       std::to_string(static_cast<unsigned>(status.permissions())) + " ";
    if (fs::is_regular_file(status)) what += text_of(entry.path());
    if (fs::is_symlink(status)) what += fs::read_symlink(entry.path()).string();
    all[entry.path().lexically_relative(folder).string()] = what;
  }
  return all;
}

class WalledWorld {
 public:
  static constexpr std::string_view k_canary = "canary-5f2a91";

  explicit WalledWorld(Who who = Who::self,
                       platform::SandboxMeans means = platform::SandboxMeans::best)
      : who_(who) {
    namespace fs = std::filesystem;
    fs::create_directories(home() / ".ssh");
    fs::permissions(home() / ".ssh", fs::perms::owner_all);
    put(home() / ".ssh/id_ed25519", std::string(k_canary));
    put(home() / ".ssh/authorized_keys", "ssh-ed25519 AAAA me\n");
    put(home() / ".config/gcloud/application_default_credentials.json", std::string(k_canary));
    put(home() / ".config/other/settings", "other settings\n");
    put(home() / ".bashrc", "alias ll='ls -l'\n");
    put(home() / "notes.txt", "my notes\n");
    put(work() / "main.c", "int main() { return 0; }\n");
    put(work() / ".git/hooks/pre-commit.sample", "sample\n");
    put(work() / ".git/config", "[core]\n");
    put(work() / ".git/HEAD", "ref: refs/heads/main\n");
    sandbox.writable = {work(), "/dev/shm"};
    sandbox.read_only = {work() / ".git/hooks", work() / ".git/config", work() / ".vscode"};
    sandbox.closed = {home() / ".ssh", home() / ".config/gcloud", home() / ".missing"};
    sandbox.temporary = scratch_.path() / "commands" / "own";
    sandbox.means = means;
    if (who == Who::nobody) give_to_nobody();
  }

  std::filesystem::path scratch() const { return scratch_.path(); }
  std::filesystem::path home() const { return scratch_.path() / "home"; }
  std::filesystem::path work() const { return home() / "work"; }

  platform::ProcessSpec spec(const std::string& script) const {
    platform::ProcessSpec spec = bash(script);
    spec.cwd = work();
    spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home().string(),
                        "TMPDIR=" + sandbox.temporary.string(), "LANG=C.UTF-8"};
    spec.sandbox = sandbox;
    return spec;
  }

  struct Outcome {
    int exit_code = -1;
    std::string output;
  };

  // Both streams in one.
  Outcome run(const std::string& script) const { return run(spec(script)); }
  Outcome run(const platform::ProcessSpec& spec) const {
    if (who_ == Who::self) {
      const Ran ran = test::run(spec);
      return {ran.end.exit_code, ran.output};
    }
    const std::filesystem::path file = scratch_.path() / "outcome";
    put(file, "");
    give_to_nobody(file);
    EXPECT_TRUE(as_nobody([&] {
      const Ran ran = test::run(spec);
      std::ofstream(file, std::ios::binary) << ran.end.exit_code << "\n" << ran.output;
      return true;
    }));
    std::ifstream stream(file, std::ios::binary);
    Outcome outcome;
    stream >> outcome.exit_code;
    stream.get();
    outcome.output.assign(std::istreambuf_iterator<char>(stream), {});
    return outcome;
  }

  // All that is not in the workspace, nor the wall's own.
  std::map<std::string, std::string> outside() const {
    auto all = contents(home());
    std::erase_if(all, [](const auto& entry) {
      return entry.first == "work" || entry.first.starts_with("work/");
    });
    return all;
  }

  void give_to_nobody() const {
    give_to_nobody(scratch_.path());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_.path())) {
      give_to_nobody(entry.path());
    }
  }

  platform::Sandbox sandbox;

 private:
  static void give_to_nobody(const std::filesystem::path& path) {
    EXPECT_EQ(::lchown(path.c_str(), 65534, 65534), 0);
  }

  TemporaryDirectory scratch_;
  Who who_;
};

// Why commands cannot be walled in so here; empty: they can.
inline std::string no_wall_because(Who who, platform::SandboxMeans means) {
  if (!platform::has_sandbox()) return "this kernel has no Landlock";
  if (who == Who::nobody && ::geteuid() != 0) return "only root can become somebody else";
  if (means == platform::SandboxMeans::no_mounts) return "";
  const bool mounts = who == Who::self
                          ? platform::sandbox_support().private_mounts
                          : as_nobody([] { return platform::sandbox_support().private_mounts; });
  return mounts ? "" : "this user cannot have mounts of its own here";
}

}  // namespace yume::test
