// SPDX-License-Identifier: MIT
#include "program_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

namespace yume::bench {
namespace {

constexpr std::chrono::seconds k_watchdog{60};
constexpr std::size_t k_block = 64 * 1024;  // the capacity of a pipe

Error run_error(std::string message) {
  return Error{.code = ErrorCode::io, .message = std::move(message)};
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// All programs of one plan, from their start to their end.
class Group {
 public:
  Group(Launcher& launcher, const RunPlan& plan) : launcher_(launcher), plan_(plan) {}

  ~Group() {
    for (const int fd : fds_) {
      if (fd >= 0) ::close(fd);
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) ::unlink(fifo(i).c_str());
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  Result<void> start() {
    runs_.reserve(plan_.copies);
    for (std::size_t i = 0; i < plan_.copies; ++i) {
      const std::filesystem::path path = fifo(i);
      ::unlink(path.c_str());
      if (::mkfifo(path.c_str(), 0600) != 0)
        return run_error("cannot make a FIFO in the scratch directory");
      runs_.emplace_back();
      // Non-blocking, or the open would wait for the writer.
      fds_.push_back(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    }
    for (std::size_t i = 0; i < plan_.copies; ++i) {
      YUME_TRY(const Started started, launcher_.spawn({.argv = plan_.argv,
                                                       .environment = plan_.environment,
                                                       .cwd = plan_.cwd,
                                                       .stdout_path = fifo(i),
                                                       .stderr_path = errors_path(i)}));
      runs_[i].pid = started.pid;
      runs_[i].spawned = started.when;
      ++alive_;
    }
    return {};
  }

  Result<std::vector<ProgramRun>> finish() {
    const Time deadline = now() + k_watchdog;
    while (alive_ > 0) {
      if (auto polled = poll_once(deadline); !polled.ok()) {
        kill_all();
        return std::move(polled).error();
      }
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      while (read_some(i)) {
      }
      std::ostringstream text;
      text << std::ifstream(errors_path(i)).rdbuf();
      runs_[i].errors = text.str();
    }
    return std::move(runs_);
  }

 private:
  std::filesystem::path fifo(std::size_t i) const {
    return plan_.cwd.parent_path() / ("stdout." + std::to_string(i));
  }
  std::filesystem::path errors_path(std::size_t i) const {
    return plan_.cwd.parent_path() / ("stderr." + std::to_string(i));
  }

  Result<void> poll_once(Time deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now());
    if (left.count() <= 0) return run_error(plan_.argv.front() + " did not end in time");
    std::vector<pollfd> events{{launcher_.ended_fd(), POLLIN, 0}};
    for (const int fd : fds_) events.push_back({fd, POLLIN, 0});  // negative ones are skipped
    if (::poll(events.data(), events.size(), static_cast<int>(left.count())) < 0) return {};
    bool any = false;
    for (std::size_t i = 0; i < fds_.size(); ++i) {
      if (events[i + 1].revents != 0 && read_some(i)) any = true;
    }
    if (any && plan_.on_output) plan_.on_output(runs_);
    if (events[0].revents != 0) return take_ended();
    return {};
  }

  // False when there is nothing to read now.
  bool read_some(std::size_t i) {
    if (fds_[i] < 0) return false;
    ProgramRun& run = runs_[i];
    const ssize_t count = ::read(fds_[i], block_.get(), k_block);
    if (count > 0) {
      const Time when = now();
      run.output.append(block_.get(), static_cast<std::size_t>(count));
      run.marks.push_back({run.output.size(), when});
      return true;
    }
    if (count == 0 && !run.output.empty()) {  // every writer has closed it
      ::close(fds_[i]);
      fds_[i] = -1;
    }
    return false;
  }

  Result<void> take_ended() {
    YUME_TRY(const Ended ended, launcher_.next_ended());
    for (ProgramRun& run : runs_) {
      if (run.pid != ended.pid) continue;
      run.exited = ended.when;
      run.status = ended.status;
      run.cpu_ms = 1000 * (seconds(ended.usage.ru_utime) + seconds(ended.usage.ru_stime));
      run.peak_rss_mb = static_cast<double>(ended.usage.ru_maxrss) / 1024;
      --alive_;
    }
    return {};
  }

  void kill_all() {
    for (const ProgramRun& run : runs_) {
      if (run.pid > 0 && run.exited == Time()) ::kill(run.pid, SIGKILL);
    }
    while (alive_ > 0 && take_ended().ok()) {
    }
  }

  Launcher& launcher_;
  const RunPlan& plan_;
  std::vector<ProgramRun> runs_;
  std::vector<int> fds_;
  std::unique_ptr<char[]> block_ = std::make_unique<char[]>(k_block);
  std::size_t alive_ = 0;
};

}  // namespace

Time ProgramRun::time_of(std::size_t offset) const {
  const auto mark = std::upper_bound(marks.begin(), marks.end(), offset,
                                     [](std::size_t at, const Mark& m) { return at < m.end; });
  return mark == marks.end() ? exited : mark->when;
}

std::string ProgramRun::exit_text() const {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return std::to_string(WEXITSTATUS(status));
}

Result<std::vector<ProgramRun>> run_programs(Launcher& launcher, const RunPlan& plan) {
  Group group(launcher, plan);
  if (auto started = group.start(); !started.ok()) return std::move(started).error();
  return group.finish();
}

std::optional<double> pss_mb(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps_rollup");
  for (std::string word; file >> word;) {
    double kilobytes = 0;
    if (word == "Pss:" && file >> kilobytes) return kilobytes / 1024;
  }
  return std::nullopt;
}

}  // namespace yume::bench
