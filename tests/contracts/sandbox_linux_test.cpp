// SPDX-License-Identifier: MIT
// The contract of platform::Sandbox with real commands: what they cannot change, read or reach, and
// what they still can. With and without mounts of their own, as this user and as one without
// privileges.
#include "platform/sandbox.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "platform/duplex_process.h"
#include "platform/landlock_linux.h"
#include "platform/privileges_linux.h"
#include "support/walled_world.h"

namespace yume {
namespace {

namespace fs = std::filesystem;
using platform::SandboxMeans;
using test::put;
using test::text_of;
using test::WalledWorld;
using test::Who;

class Wall : public testing::TestWithParam<std::tuple<Who, SandboxMeans>> {
 protected:
  void SetUp() override {
    const std::string why = test::no_wall_because(who(), means());
    if (!why.empty()) GTEST_SKIP() << why;
  }
  static Who who() { return std::get<0>(GetParam()); }
  static SandboxMeans means() { return std::get<1>(GetParam()); }
  static bool has_mounts() { return means() == SandboxMeans::best; }

  WalledWorld world_{who(), means()};
};

std::string name_of(const testing::TestParamInfo<Wall::ParamType>& info) {
  const auto [who, means] = info.param;
  return std::string(who == Who::self ? "Self" : "Nobody") +
         (means == SandboxMeans::best ? "" : "WithoutMounts");
}

INSTANTIATE_TEST_SUITE_P(All, Wall,
                         testing::Combine(testing::Values(Who::self, Who::nobody),
                                          testing::Values(SandboxMeans::best,
                                                          SandboxMeans::no_mounts)),
                         name_of);

TEST_P(Wall, LetsACommandWorkInItsFolders) {
  const auto ran = world_.run(
      "set -e; mkdir -p a/b c; echo one > a/x; mv a/x c/y; ln c/y c/z; ln -s c/y link; cat link\n"
      "echo two >> c/y; truncate -s 3 c/y; cat c/z; chmod 700 c/y; touch -d yesterday c/y\n"
      "mkfifo pipe; rm -r a pipe; rmdir $(mktemp -d); sort < /dev/null > /dev/null; ls /dev/shm\n"
      "cat <<END\nthree\nEND\n");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(ran.output, "one\nonethree\n") << ran.output;
}

TEST_P(Wall, KeepsEverythingElseAsItIs) {
  const auto before = world_.outside();
  const std::vector<std::string> attempts = {
      "echo KEY >> ~/.ssh/authorized_keys",
      "echo evil >> ~/.bashrc",
      "echo evil > ~/notes.txt",
      "echo evil > ~/new.txt",
      "> ~/notes.txt",
      "truncate -s 0 ~/notes.txt",
      "python3 -c 'import os; os.truncate(os.path.expanduser(\"~/notes.txt\"), 0)'",
      "rm -rf ~/.config ~/notes.txt",
      "find ~ -delete",
      "echo ~ | xargs rm -rf",
      "$(echo rm) -rf ~/.ssh",
      "mv ~ gone",
      "mv ~/notes.txt .",
      "mv main.c ~/notes.txt",
      "ln ~/notes.txt hard && echo evil > hard",
      "ln -s ~/notes.txt soft; echo evil > soft",
      "mkdir ~/folder",
      "ln -s x ~/link",
      "mkfifo ~/pipe",
      "cp main.c ~/.bashrc",
      "tar -cf ~/x.tar main.c",
      "dd if=/dev/zero of=../notes.txt count=1",
      "cd ..; rm -f notes.txt; rm -rf .ssh",
      "setsid bash -c 'echo evil > ~/notes.txt'; true",
      "touch ../../evil",
  };
  for (const std::string& attempt : attempts) {
    world_.run(attempt);
    EXPECT_EQ(world_.outside(), before) << attempt;
  }
  EXPECT_FALSE(fs::exists(world_.scratch() / "evil"));
}

TEST_P(Wall, KeepsModesAndTimesWhereItHasMounts) {
  if (!has_mounts()) GTEST_SKIP() << "Landlock does not know modes, owners and times";
  const auto before = world_.outside();
  const auto time = fs::last_write_time(world_.home() / "notes.txt");
  world_.run(
      "chmod 777 ~ ~/notes.txt ~/.ssh ~/.ssh/id_ed25519; chmod -R 0 ~/.config; touch ~/notes.txt");
  world_.run("chown 1:1 ~/notes.txt; setfattr -n user.x -v y ~/notes.txt");
  EXPECT_EQ(world_.outside(), before);
  EXPECT_EQ(fs::last_write_time(world_.home() / "notes.txt"), time);
}

TEST_P(Wall, ShowsNothingOfWhatIsClosed) {
  const std::vector<std::string> attempts = {
      "cat ~/.ssh/id_ed25519 ~/.config/gcloud/*",
      "cat ../.ssh/id_ed25519",
      "cat /proc/self/root$HOME/.ssh/id_ed25519 /proc/$PPID/root$HOME/.ssh/id_ed25519",
      "cat /proc/*/root$HOME/.ssh/id_ed25519",
      "cd ~/.ssh && cat id_ed25519",
      "cp -r ~/.ssh here; cat here/*",
      "mv ~/.ssh here; cat here/*",
      "ln ~/.ssh/id_ed25519 here; cat here",
      "ln -s ~/.ssh s; cat s/id_ed25519",
      "tar -cf - -C ~ . | strings",
      "grep -r canary ~",
      "find ~ -type f -exec cat {} +",
      "python3 -c 'import os; print(open(os.path.expanduser(\"~/.ssh/id_ed25519\")).read())'",
      "base64 < ~/.ssh/id_ed25519 | base64 -d",
      "bash -c '. ~/.ssh/id_ed25519'",
      "~/.ssh/id_ed25519",
      "exec 5< ~/.ssh/id_ed25519; cat <&5",
      "mount --bind ~/.ssh work 2>&1; umount ~/.ssh; cat ~/.ssh/id_ed25519",
      "unshare -rm sh -c 'umount ~/.ssh; cat ~/.ssh/id_ed25519'",
      "unshare -m sh -c 'umount -l ~/.ssh; cat ~/.ssh/id_ed25519'",
      "nsenter -t 1 -m cat ~/.ssh/id_ed25519",
      "chroot /proc/1/root cat $HOME/.ssh/id_ed25519",
      "cat /dev/vda /dev/sda /dev/mem | head -c 1000000 | strings",
  };
  for (const std::string& attempt : attempts) {
    const auto ran = world_.run(attempt);
    EXPECT_EQ(ran.output.find(WalledWorld::k_canary), std::string::npos) << attempt << "\n"
                                                                         << ran.output;
    world_.run("rm -rf here s");
  }
}

TEST_P(Wall, ShowsEverythingElse) {
  const auto ran = world_.run(
      "cat ~/notes.txt ~/.config/other/settings ../.bashrc; ls ~ > /dev/null && ls / > "
      "/dev/null && head -c 4 /dev/urandom | wc -c; test -r /etc/passwd && id -u");
  EXPECT_TRUE(ran.output.starts_with("my notes\nother settings\nalias ll='ls -l'\n4\n"))
      << ran.output;
  EXPECT_EQ(ran.exit_code, 0);
  // What is new between two commands, too.
  put(world_.home() / "later.txt", "later\n");
  put(world_.home() / ".config/later.txt", "later still\n");
  if (who() == Who::nobody) world_.give_to_nobody();
  EXPECT_EQ(world_.run("cat ~/later.txt ~/.config/later.txt").output, "later\nlater still\n");
}

TEST_P(Wall, DoesNotListClosedFoldersWhereItHasMounts) {
  if (!has_mounts()) GTEST_SKIP() << "Landlock takes nothing back";
  const auto ran = world_.run("ls -a ~/.ssh ~/.config/gcloud; echo ~/.ssh/*");
  EXPECT_EQ(ran.output.find("id_ed25519"), std::string::npos) << ran.output;
  EXPECT_EQ(ran.output.find("application_default"), std::string::npos) << ran.output;
}

TEST_P(Wall, KeepsReadOnlyWhatIsInAWritableFolderWhereItHasMounts) {
  if (!has_mounts()) GTEST_SKIP() << "Landlock takes nothing back";
  const fs::path git = world_.work() / ".git";
  const auto hooks = test::contents(git / "hooks");
  const std::vector<std::string> attempts = {
      "printf evil > .git/hooks/pre-commit",
      "cp main.c .git/hooks/",
      "rm -rf .git/hooks",
      "mv .git/hooks elsewhere; mkdir .git/hooks; printf evil > .git/hooks/pre-commit",
      "mv .git elsewhere; mkdir -p .git/hooks; printf evil > .git/hooks/pre-commit",
      "cp -r .git copy; rm -rf .git; mv copy .git; printf evil > .git/hooks/pre-commit",
      "printf evil > .git/config",
      "printf evil > new; mv -f new .git/config",
      "ln -sf /dev/null .git/config",
      "cd .git/hooks; printf evil > pre-commit",
      "chmod 777 .git/hooks .git/config",
  };
  for (const std::string& attempt : attempts) {
    world_.run(attempt);
    EXPECT_EQ(test::contents(git / "hooks"), hooks) << attempt;
    EXPECT_EQ(text_of(git / "config"), "[core]\n") << attempt;
  }
  const auto ran = world_.run("mkdir -p .git/refs/heads && echo x > .git/index && rm .git/index");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

TEST_P(Wall, IsNotOpenedByALinkThatACommandHasMade) {
  world_.sandbox.writable.push_back(world_.work() / ".yume/tmp");
  world_.run("mkdir .yume; ln -s ~ .yume/tmp");
  const auto before = world_.outside();
  world_.run("echo evil > ~/evil; echo evil > .yume/tmp/evil; echo evil >> ~/.bashrc");
  EXPECT_EQ(world_.outside(), before);
}

TEST_P(Wall, KeepsWhatIsClosedInsideAWritableFolder) {
  world_.sandbox.writable = {world_.home()};
  const auto before = test::contents(world_.home() / ".ssh");
  for (const char* attempt :
       {"cat ~/.ssh/id_ed25519", "echo KEY >> ~/.ssh/authorized_keys", "rm -rf ~/.ssh",
        "mv ~/.ssh ~/s; cat ~/s/id_ed25519", "cat ~/.ssh/* > copy; cat copy"}) {
    const auto ran = world_.run(attempt);
    EXPECT_EQ(ran.output.find(WalledWorld::k_canary), std::string::npos) << attempt;
    EXPECT_EQ(test::contents(world_.home() / ".ssh"), before) << attempt;
  }
  EXPECT_EQ(world_.run("echo x > ~/work/new && cat ~/work/new").output, "x\n");
}

TEST_P(Wall, KeepsOtherProcessesOutOfReach) {
  // A neighbour of the same user with something to hide.
  const std::string secret = "SECRET=" + std::string(WalledWorld::k_canary);
  const test::Forked neighbour([&] {
    if (who() == Who::nobody && !test::become_nobody()) return 1;
    const std::array<char*, 3> argv{const_cast<char*>("sleep"), const_cast<char*>("1000"), nullptr};
    const std::array<char*, 2> variables{const_cast<char*>(secret.c_str()), nullptr};
    ::execve("/bin/sleep", argv.data(), variables.data());
    return 1;
  });
  const std::string proc = "/proc/" + std::to_string(neighbour.pid());
  while (text_of(proc + "/comm") != "sleep\n") {
  }
  auto spec =
      world_.spec("cat " + proc + "/environ | tr -d '\\0'; readlink " + proc + "/cwd; cat " + proc +
                  "/maps; dd if=" + proc + "/mem bs=1 count=1 skip=4096; kill -0 " +
                  std::to_string(neighbour.pid()) + " && echo reached");
  const std::string walled = world_.run(spec).output;
  EXPECT_EQ(walled.find(WalledWorld::k_canary), std::string::npos) << walled;
  EXPECT_EQ(walled.find("/bin/sleep"), std::string::npos) << walled;
  if (platform::landlock_abi() >= 6) {
    EXPECT_EQ(walled.find("reached"), std::string::npos) << walled;
  }
  spec.sandbox.reset();
  const std::string open = world_.run(spec).output;
  EXPECT_NE(open.find(WalledWorld::k_canary), std::string::npos) << open;
  EXPECT_NE(open.find("reached"), std::string::npos) << open;
}

TEST_P(Wall, GivesUpPrivileges) {
  const auto ran = world_.run("grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status");
  EXPECT_NE(ran.output.find("NoNewPrivs:\t1"), std::string::npos) << ran.output;
  const auto at = ran.output.find("CapEff:\t");
  ASSERT_NE(at, std::string::npos);
  const auto held = std::stoull(ran.output.substr(at + 8, 16), nullptr, 16);
  for (const unsigned lost : {2U, 12U, 16U, 17U, 19U, 21U, 27U, 38U, 39U, 40U}) {
    EXPECT_EQ(held >> lost & 1U, 0U) << "capability " << lost;
  }
  if (who() == Who::nobody) {
    EXPECT_EQ(held, 0U);
  }
}

TEST_P(Wall, LeavesTheNetworkAloneUnlessItIsDenied) {
  const std::string script =
      "python3 - <<'END'\nimport socket\n"
      "server = socket.socket(); server.bind(('127.0.0.1', 0)); server.listen()\n"
      "client = socket.create_connection(server.getsockname()); print('tcp')\n"
      "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', server.getsockname())\n"
      "print('udp')\nEND\n";
  EXPECT_EQ(world_.run(script).output, "tcp\nudp\n");
}

TEST_P(Wall, CanDenyTheNetwork) {
  world_.sandbox.network = platform::NetworkAccess::denied;
  const auto ran = world_.run(R"(python3 - <<'END'
import ctypes, socket
for family in range(0, 50):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            socket.socket(family, kind)
            print('opened', family, kind)
        except OSError: pass
a, b = socket.socketpair()
a.send(b'pair'); print(b.recv(9))
print(ctypes.CDLL(None).syscall(425, 1, None))
END
cat < /dev/tcp/127.0.0.1/1; getent hosts localhost > /dev/null; echo still here)");
  for (int family = 0; family < 50; ++family) {
    if (family == AF_NETLINK) continue;
    EXPECT_EQ(ran.output.find("opened " + std::to_string(family) + " "), std::string::npos)
        << ran.output;
  }
  EXPECT_NE(ran.output.find("b'pair'\n-1\n"), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("still here"), std::string::npos) << ran.output;
}

TEST_P(Wall, CoversSocketsWhereItHasMounts) {
  if (!has_mounts()) GTEST_SKIP() << "Landlock does not know sockets that have a path";
  const fs::path path = world_.home() / "d.sock";
  const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.native().size(), sizeof address.sun_path);
  path.native().copy(address.sun_path, path.native().size());
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(server, 1), 0);
  if (who() == Who::nobody) world_.give_to_nobody();
  const std::string script =
      "python3 -c 'import os, socket; s = socket.socket(socket.AF_UNIX); "
      "s.connect(os.path.expanduser(\"~/d.sock\")); print(\"connected\")' 2>&1 | tail -1";
  EXPECT_EQ(world_.run(script).output, "connected\n");
  world_.sandbox.closed_sockets = {path};
  EXPECT_NE(world_.run(script).output, "connected\n");
  ::close(server);
}

TEST_P(Wall, HasATemporaryFolderForThisUserAlone) {
  EXPECT_EQ(world_.run("stat -c %a $TMPDIR; echo kept > $TMPDIR/x").output, "700\n");
  EXPECT_EQ(world_.run("cat $TMPDIR/x; touch $TMPDIR/../x 2>/dev/null || echo no").output,
            "kept\nno\n");
}

TEST_P(Wall, StillTellsWhereTheCommandEnded) {
  if (who() == Who::nobody) GTEST_SKIP() << "the end is told to another process here";
  fs::create_directories(world_.work() / "sub");
  const auto runner = platform::make_process_runner();
  test::RecordedOutput output;
  const auto process = runner->start(world_.spec("cd sub"));
  ASSERT_TRUE(process.ok());
  while (!(*process)->wait(output, std::nullopt)) {
  }
  EXPECT_EQ((*process)->final_cwd(), world_.work() / "sub");
}

TEST_P(Wall, LeavesNoProcessBehind) {
  world_.run("setsid sh -c 'echo $$ > pid; exec sleep 1000' & until [ -s pid ]; do :; done");
  const std::string pid = text_of(world_.work() / "pid");
  ASSERT_FALSE(pid.empty());
  EXPECT_NE(::kill(std::stoi(pid), 0), 0);
}

TEST_P(Wall, HoldsForAChildThatIsTalkedTo) {
  if (who() == Who::nobody) GTEST_SKIP() << "one user is enough";
  const auto spec = world_.spec("read -r line; cat ~/.ssh/id_ed25519; touch ~/evil; echo $line");
  auto child = platform::start_duplex_process({.argv = spec.argv,
                                               .cwd = spec.cwd,
                                               .environment = spec.environment,
                                               .sandbox = spec.sandbox});
  ASSERT_TRUE(child.ok()) << child.error().message;
  ASSERT_TRUE((*child)->write("hello\n", {}).ok());
  ASSERT_TRUE((*child)->wait({}).ok());
  std::string buffer(100, '\0');
  const auto got = (*child)->read(buffer, {});
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(buffer.substr(0, *got), "hello\n");
  EXPECT_FALSE(fs::exists(world_.home() / "evil"));
}

TEST_P(Wall, StandsInsideAnotherOne) {
  if (who() == Who::nobody) GTEST_SKIP() << "one user is enough";
  const WalledWorld& world = world_;
  EXPECT_EQ(test::exit_code_of([&] {
              auto rules = platform::LandlockRules::create(platform::landlock_abi(),
                                                           platform::NetworkAccess::allowed);
              if (!rules.ok()) return 1;
              rules->allow_listing("/");
              rules->allow_reading("/");
              rules->allow_changing("/");
              rules->allow_device("/dev");
              if (platform::drop_privileges(true, platform::NetworkAccess::allowed) != 0) return 2;
              if (platform::enter_landlock(rules->fd()) != 0) return 3;
              if (platform::sandbox_support().private_mounts) return 4;
              const auto ran =
                  world.run("cat ~/.ssh/id_ed25519; touch ~/evil; touch new && cat ~/notes.txt");
              if (ran.output.find(WalledWorld::k_canary) != std::string::npos) return 5;
              return ran.exit_code == 0 ? 0 : 6;
            }),
            0);
  EXPECT_FALSE(fs::exists(world_.home() / "evil"));
  EXPECT_TRUE(fs::exists(world_.work() / "new"));
}

// A program of an older kernel's time runs on a newer one with its own rights.
TEST(Landlock, KeepsFilesWithTheRightsOfEachVersion) {
  if (!platform::has_sandbox()) GTEST_SKIP() << "this kernel has no Landlock";
  for (int abi = 1; abi <= platform::landlock_abi(); ++abi) {
    const test::TemporaryDirectory scratch;
    put(scratch.path() / "in/x", "x");
    put(scratch.path() / "out/y", "y");
    EXPECT_EQ(test::exit_code_of([&] {
                auto rules = platform::LandlockRules::create(abi, platform::NetworkAccess::denied);
                if (!rules.ok()) return 1;
                rules->allow_listing("/");
                rules->allow_reading(scratch.path());
                rules->allow_changing(scratch.path() / "in");
                if (platform::drop_privileges(true, platform::NetworkAccess::allowed) != 0)
                  return 2;
                if (platform::enter_landlock(rules->fd()) != 0) return 3;
                std::ofstream(scratch.path() / "in/x") << "changed";
                std::ofstream(scratch.path() / "out/y") << "changed";
                return text_of(scratch.path() / "out/y") == "y" ? 0 : 4;
              }),
              0)
        << "ABI " << abi;
    EXPECT_EQ(text_of(scratch.path() / "in/x"), "changed") << "ABI " << abi;
    EXPECT_EQ(text_of(scratch.path() / "out/y"), "y") << "ABI " << abi;
  }
}

TEST(Sandbox, DoesNotStartWhatItCannotWallIn) {
  const WalledWorld world;
  EXPECT_EQ(test::exit_code_of([&] {
              // As a kernel without Landlock answers.
              const std::vector<sock_filter> filter = {
                  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
              const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                                       .filter = const_cast<sock_filter*>(filter.data())};
              if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
                return 1;
              }
              if (platform::has_sandbox()) return 2;
              const auto process = platform::make_process_runner()->start(world.spec("touch ran"));
              if (process.ok()) return 3;
              return process.error().message.find("no Landlock") == std::string::npos ? 4 : 0;
            }),
            0);
  EXPECT_FALSE(fs::exists(world.work() / "ran"));
}

TEST(Sandbox, DoesNotUseATemporaryFolderThatOthersCanEnter) {
  const std::string why = test::no_wall_because(Who::self, SandboxMeans::no_mounts);
  if (!why.empty()) GTEST_SKIP() << why;
  const WalledWorld world;
  fs::create_directories(world.sandbox.temporary);
  fs::permissions(world.sandbox.temporary.parent_path(), fs::perms(0755));
  const auto process = platform::make_process_runner()->start(world.spec("true"));
  ASSERT_FALSE(process.ok());
  EXPECT_NE(process.error().message.find("others have access to it"), std::string::npos)
      << process.error().message;
}

}  // namespace
}  // namespace yume
