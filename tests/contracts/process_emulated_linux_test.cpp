// SPDX-License-Identifier: MIT
// Commands on a system that cannot start a process which shares its current directory with another
// one, as under qemu, which runs programs of other processors.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <vector>

#include "platform/process.h"
#include "support/forked.h"
#include "support/run_command.h"

namespace yume {
namespace {

using test::bash;
using test::RecordedOutput;
using test::run;

// For the calling process and what it starts.
bool refuse_to_share_directories() {
  const std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      // The lower half: machines here are little-endian.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_FS, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = const_cast<sock_filter*>(filter.data())};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(EmulatedProcess, StartsCommandsAndKnowsNoPlaceOfTheirEnd) {
  EXPECT_EQ(test::exit_code_of([] {
              if (!refuse_to_share_directories()) return 2;
              const auto process =
                  platform::make_process_runner()->start(bash("cd /usr && pwd; exit 3"));
              if (!process.ok()) return 3;
              RecordedOutput output;
              const auto end = (*process)->wait(output, std::nullopt);
              if (!end || !end->ok() || (*end)->exit_code != 3 || output.text != "/usr\n") return 4;
              return (*process)->final_cwd().empty() ? 0 : 5;
            }),
            0);
}

TEST(EmulatedProcess, RunsALineWithoutAShell) {
  EXPECT_EQ(
      test::exit_code_of([] {
        if (!refuse_to_share_directories()) return 2;
        const auto ran = run(
            {.argv = {"/bin/true"},
             .cwd = "/",
             .environment = {},
             .steps = {{.argv = {"/bin/echo", "a"}, .name = "echo"},
                       {.joint = platform::StepJoint::pipe, .argv = {"/bin/cat"}, .name = "cat"}}});
        return ran.output == "a\n" ? 0 : 1;
      }),
      0);
}

}  // namespace
}  // namespace yume
