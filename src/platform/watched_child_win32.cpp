// SPDX-License-Identifier: MIT
#include "platform/watched_child_win32.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace yume::platform {
namespace {

using std::chrono::milliseconds;

// After the command's own end, as on POSIX.
constexpr milliseconds k_linger{150};
// A process that survives its end for so long hangs in a driver; waiting would hang the agent too.
constexpr milliseconds k_patience{1000};
constexpr milliseconds k_rescan{5};
constexpr milliseconds k_longest_timeout = std::chrono::hours(24 * 365);
constexpr UINT k_killed = 1;

SteadyTime now() {
  return SteadyTime::clock::now();
}

}  // namespace

WatchedChild::WatchedChild(Child child)
    : child_(std::move(child)), stop_(make_event()), gone_(make_event()) {}

WatchedChild::~WatchedChild() {
  stop();
  if (thread_.joinable()) thread_.join();
}

bool WatchedChild::begin(std::optional<milliseconds> timeout) {
  if (!stop_.is_open() || !gone_.is_open()) return false;
  std::optional<SteadyTime> deadline;
  if (timeout) deadline = now() + std::min(*timeout, k_longest_timeout);
  try {
    thread_ = std::thread([this, deadline] { watch(deadline); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void WatchedChild::stop() const {
  ::SetEvent(stop_.get());
}

void WatchedChild::watch(std::optional<SteadyTime> deadline) {
  end_ = wait_for_command(deadline);
  if (end_.kind == ProcessEndKind::exited) linger();
  destroy();
  ::SetEvent(gone_.get());
}

ProcessEnd WatchedChild::wait_for_command(std::optional<SteadyTime> deadline) const {
  const std::array<HANDLE, 2> events{child_.process.get(), stop_.get()};
  for (;;) {
    ::WaitForMultipleObjects(static_cast<DWORD>(events.size()), events.data(), FALSE,
                             milliseconds_until(deadline));
    // Whatever woke us: a command that has ended by now was neither cancelled nor too slow.
    if (is_raised(child_.process)) return exited();
    if (is_raised(stop_)) return {.kind = ProcessEndKind::cancelled};
    if (deadline && now() >= *deadline) return {.kind = ProcessEndKind::timed_out};
  }
}

ProcessEnd WatchedChild::exited() const {
  DWORD code = 0;
  ::GetExitCodeProcess(child_.process.get(), &code);
  return {.kind = ProcessEndKind::exited, .exit_code = static_cast<int>(code)};
}

void WatchedChild::linger() const {
  const SteadyTime end = now() + k_linger;
  while (count_processes(child_.job) > 0 && now() < end) {
    if (::WaitForSingleObject(stop_.get(), static_cast<DWORD>(k_rescan.count())) == WAIT_OBJECT_0) {
      return;
    }
  }
}

void WatchedChild::destroy() const {
  const SteadyTime patience_ends = now() + k_patience;
  while (count_processes(child_.job) > 0 && now() < patience_ends) {
    ::TerminateJobObject(child_.job.get(), k_killed);
    if (count_processes(child_.job) > 0) ::Sleep(1);
  }
}

}  // namespace yume::platform
