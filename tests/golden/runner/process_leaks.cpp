// SPDX-License-Identifier: MIT
#include "golden/runner/process_leaks.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace yume::golden {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct ProcessState {
  char state = 'Z';
  pid_t group = 0;
  pid_t session = 0;
};

// Empty when the process has gone in the meantime; the stream buffer throws for that (ESRCH).
std::string read_proc(const fs::path& path) {
  std::ostringstream text;
  const std::ifstream in(path, std::ios::binary);
  text << in.rdbuf();  // reports a failed read in the stream's state
  return text.str();
}

std::optional<ProcessState> process_state(const fs::path& folder) {
  const std::string stat = read_proc(folder / "stat");
  const std::size_t name_end = stat.rfind(')');  // the name itself may contain anything
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name_end + 1));
  ProcessState process;
  pid_t parent = 0;
  if (!(fields >> process.state >> parent >> process.group >> process.session)) return std::nullopt;
  return process;
}

bool belongs(const fs::path& folder, const ProcessState& process, const LeakSearch& search) {
  if (process.session == search.session || process.group == search.session) return true;
  return read_proc(folder / "environ").find(search.marker) != std::string::npos;
}

std::vector<pid_t> living(const LeakSearch& search) {
  std::vector<pid_t> pids;
  std::error_code ignored;  // processes come and go while we look
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto process = process_state(entry.path());
    if (!process || process->state == 'Z' || process->state == 'X') continue;
    if (belongs(entry.path(), *process, search)) pids.push_back(std::stoi(name));
  }
  return pids;
}

// Blocks until the process has ended or the time is over.
void wait_for_end(pid_t pid, Clock::time_point deadline) {
#ifdef SYS_pidfd_open
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) return;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd end{fd, POLLIN, 0};
  ::poll(&end, 1, static_cast<int>(std::max<std::chrono::milliseconds::rep>(left, 0)));
  ::close(fd);
#else
  (void)pid;
  (void)deadline;
#endif
}

std::string describe(pid_t pid) {
  std::string command = read_proc("/proc/" + std::to_string(pid) + "/cmdline");
  std::replace(command.begin(), command.end(), '\0', ' ');
  return "process " + std::to_string(pid) + " left behind: " + command;
}

}  // namespace

std::vector<std::string> find_and_kill_leaks(const LeakSearch& search) {
  const auto deadline = Clock::now() + search.grace;
  std::vector<pid_t> pids = living(search);
  while (!pids.empty() && Clock::now() < deadline) {
    wait_for_end(pids.front(), deadline);
    pids = living(search);
  }
  std::vector<std::string> leaks;
  for (const pid_t pid : pids) {
    leaks.push_back(describe(pid));
    ::kill(pid, SIGKILL);
  }
  return leaks;
}

}  // namespace yume::golden
