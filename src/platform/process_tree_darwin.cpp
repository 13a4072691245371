// SPDX-License-Identifier: MIT
// There are no subreapers here: an orphan becomes a child of launchd. So the supervisor looks at
// the system's table whenever one of its descendants forks or ends, and remembers who they were
// (tree_sweep.h).
#include <fcntl.h>
#include <libproc.h>
#include <signal.h>
#include <sys/event.h>
#include <sys/proc.h>
#include <sys/proc_info.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

#include "platform/process_tree_posix.h"
#include "platform/tree_sweep.h"

namespace yume::platform {
namespace {

// In the system since 10.9, but not in its public headers: a process with its unique numbers.
constexpr int k_info_with_numbers = 18;  // PROC_PIDT_BSDINFOWITHUNIQID
struct Numbers {
  std::array<std::uint8_t, 16> executable;
  std::uint64_t own;
  std::uint64_t parent;
  std::array<std::uint64_t, 3> reserved;
};
struct InfoWithNumbers {
  proc_bsdinfo info;
  Numbers numbers;
};

bool read_process(int pid, ListedProcess& process) {
  InfoWithNumbers found{};
  constexpr std::uint64_t k_dead_too = 1;
  const int size = ::proc_pidinfo(pid, k_info_with_numbers, k_dead_too, &found, sizeof found);
  if (size != static_cast<int>(sizeof found)) return false;
  process = {.pid = pid,
             .unique = found.numbers.own,
             .parent_unique = found.numbers.parent,
             .group = static_cast<int>(found.info.pbi_pgid),
             .dead = found.info.pbi_status == SZOMB};
  return true;
}

class DarwinTable final : public ProcessTable {
 public:
  void open_events() {
    events_ = ::kqueue();
    if (events_ < 0) return;
    ::fcntl(events_, F_SETFD, FD_CLOEXEC);
    change(SIGCHLD, EVFILT_SIGNAL, 0);
  }
  [[nodiscard]] int events() const { return events_; }

  std::size_t list(std::span<ListedProcess> into) override {
    const int listed = ::proc_listallpids(pids_.data(), static_cast<int>(sizeof pids_));
    std::size_t count = 0;
    for (int i = 0; i < listed && count < into.size(); ++i) {
      if (read_process(pids_[static_cast<std::size_t>(i)], into[count])) ++count;
    }
    return count;
  }

  void watch(int pid) override { change(pid, EVFILT_PROC, NOTE_FORK | NOTE_EXIT); }

  // Numbers go round only after a hundred thousand processes, so nobody gets this one between the
  // look and the signal.
  void signal(const ListedProcess& process, int signal) override {
    ListedProcess now{};
    if (read_process(process.pid, now) && now.unique == process.unique) {
      ::kill(process.pid, signal);
    }
  }

  void signal_group(int leader, int signal) override { ::kill(-leader, signal); }

  std::size_t take_events() override {
    std::array<struct kevent, k_most_taken> taken{};
    const timespec at_once{};
    const int count =
        ::kevent(events_, nullptr, 0, taken.data(), static_cast<int>(taken.size()), &at_once);
    return count < 0 ? 0 : static_cast<std::size_t>(count);
  }

 private:
  void change(int number, short filter, unsigned what) const {
    struct kevent event {};
    EV_SET(&event, static_cast<std::uintptr_t>(number), filter, EV_ADD | EV_CLEAR, what, 0,
           nullptr);
    ::kevent(events_, &event, 1, nullptr, 0, nullptr);
  }

  int events_ = -1;
  std::array<int, 8192> pids_;
};

// Made by adopt_orphans, in the supervisor alone.
DarwinTable* table = nullptr;
TreeSweep* sweep = nullptr;

}  // namespace

void adopt_orphans() {
  alignas(DarwinTable) static std::array<std::byte, sizeof(DarwinTable)> room_of_table;
  alignas(TreeSweep) static std::array<std::byte, sizeof(TreeSweep)> room_of_sweep;
  ListedProcess self{};
  if (!read_process(::getpid(), self)) return;  // the command's group is all that can be reached
  table = ::new (room_of_table.data()) DarwinTable;
  sweep = ::new (room_of_sweep.data()) TreeSweep(*table, self);
}

int open_child_events() {
  if (table == nullptr) return -1;
  table->open_events();
  return table->events();
}

void drain_child_events(int) {
  if (sweep != nullptr) sweep->catch_up();
}

void signal_descendants(int signal, int command) {
  if (sweep != nullptr) {
    sweep->signal_all(signal, command);
  } else if (command > 0) {
    ::kill(-command, signal);
  }
}

bool descendants_left() {
  if (sweep == nullptr) return false;
  sweep->look();
  return sweep->any_left();
}

// It is in the sweep.
void kill_group_of_dead(int) {}

}  // namespace yume::platform
