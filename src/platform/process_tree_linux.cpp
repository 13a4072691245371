// SPDX-License-Identifier: MIT
#include "platform/process_tree_posix.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

namespace yume::platform {

namespace {

// A larger tree takes several passes.
constexpr std::size_t k_most_descendants = 2048;
constexpr int k_deepest_ancestry = 4096;

struct Descendant {
  pid_t pid;
  bool is_child;
};

struct Descendants {
  std::array<Descendant, k_most_descendants> items;
  std::size_t count = 0;

  void add(Descendant found) {
    if (count < items.size()) items[count++] = found;
  }
};

// "/proc/<number>/..." without snprintf, which may allocate.
class ProcPath {
 public:
  ProcPath& text(const char* part) {
    while (*part != '\0' && length_ + 1 < buffer_.size()) buffer_[length_++] = *part++;
    buffer_[length_] = '\0';
    return *this;
  }

  ProcPath& number(pid_t value) {
    std::array<char, 16> digits;
    std::size_t at = digits.size() - 1;
    digits[at] = '\0';
    do {
      digits[--at] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value > 0);
    return text(&digits[at]);
  }

  const char* c_str() const { return buffer_.data(); }

 private:
  std::array<char, 96> buffer_{};
  std::size_t length_ = 0;
};

pid_t parse_number(const char* text) {
  pid_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + (*text - '0');
  return value;
}

// In a container that shows the /proc of another pid namespace the numbers mean other processes.
bool proc_shows_our_numbers() {
  std::array<char, 16> target{};
  const ssize_t length = ::readlink("/proc/self", target.data(), target.size() - 1);
  return length > 0 && parse_number(target.data()) == ::getpid();
}

void add_children_of_thread(pid_t pid, pid_t tid, Descendants& found) {
  ProcPath path;
  path.text("/proc/").number(pid).text("/task/").number(tid).text("/children");
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const bool is_child = pid == ::getpid();
  std::array<char, 4096> buffer;
  pid_t number = 0;  // kept over read() borders
  ssize_t length = 0;
  while ((length = ::read(fd, buffer.data(), buffer.size())) > 0) {
    for (ssize_t i = 0; i < length; ++i) {
      const char c = buffer[static_cast<std::size_t>(i)];
      if (c >= '0' && c <= '9') {
        number = number * 10 + (c - '0');
      } else if (number > 0) {
        found.add({number, is_child});
        number = 0;
      }
    }
  }
  if (number > 0) found.add({number, is_child});
  ::close(fd);
}

// Each thread of a process has a list of the children that it forked. opendir allocates, hence the
// system call.
void add_children(pid_t pid, Descendants& found) {
  ProcPath path;
  path.text("/proc/").number(pid).text("/task");
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  alignas(dirent64) std::array<char, 4096> buffer;
  long length = 0;
  while ((length = ::syscall(SYS_getdents64, fd, buffer.data(), buffer.size())) > 0) {
    for (long offset = 0; offset < length;) {
      const char* entry = buffer.data() + offset;
      unsigned short entry_length = 0;
      std::memcpy(&entry_length, entry + offsetof(dirent64, d_reclen), sizeof entry_length);
      const pid_t tid = parse_number(entry + offsetof(dirent64, d_name));
      if (tid > 0) add_children_of_thread(pid, tid, found);
      offset += entry_length;
    }
  }
  ::close(fd);
}

// A process that stays the same one: when it is gone and its number somebody else's, reading its
// directory fails, and so does a signal through it (to the kernel it is a pidfd).
class ProcessDirectory {
 public:
  explicit ProcessDirectory(pid_t pid) {
    ProcPath path;
    path.text("/proc/").number(pid);
    fd_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  ProcessDirectory(const ProcessDirectory&) = delete;
  ProcessDirectory& operator=(const ProcessDirectory&) = delete;
  ~ProcessDirectory() { ::close(fd_); }

  void swap(ProcessDirectory& other) { std::swap(fd_, other.fd_); }

  // 0 when it is gone, or has a parent that we cannot see.
  pid_t parent() const {
    const int fd = ::openat(fd_, "stat", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    std::array<char, 512> buffer{};
    const ssize_t length = ::read(fd, buffer.data(), buffer.size() - 1);
    ::close(fd);
    if (length <= 0) return 0;
    // "pid (name) S ppid ...", and the name may contain anything, ')' too.
    const char* name_end = std::strrchr(buffer.data(), ')');
    if (name_end == nullptr || std::strlen(name_end) < 5) return 0;
    return parse_number(name_end + 4);
  }

  // Nothing happens on a kernel before 5.1.
  void signal(int signal) const { ::syscall(SYS_pidfd_send_signal, fd_, signal, nullptr, 0); }

 private:
  int fd_;
};

// Goes from parent to parent. Their numbers may change hands meanwhile, but a process that loses
// its parent is given to one that is older than itself: if it still names the same number after the
// parent's directory was opened, the directory is the parent's.
bool descends_from_us(pid_t pid) {
  const pid_t self = ::getpid();
  ProcessDirectory at(pid);
  for (int steps = 0; steps < k_deepest_ancestry; ++steps) {
    const pid_t number = at.parent();
    if (number == self) return true;
    if (number <= 1) return false;
    ProcessDirectory parent(number);
    if (at.parent() == number) at.swap(parent);
  }
  return false;
}

// A grandchild may be reaped by its parent at any moment and its number given to a stranger. The
// directory is opened before the check, so the check holds for what we signal.
void signal_deeper(int signal, pid_t pid) {
  const ProcessDirectory process(pid);
  if (descends_from_us(pid)) process.signal(signal);
}

}  // namespace

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int open_child_events() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  return ::signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
}

void drain_child_events(int fd) {
  signalfd_siginfo event;
  while (::read(fd, &event, sizeof event) > 0) {
  }
}

bool descendants_left() {
  return false;
}

void signal_descendants(int signal, int command) {
  if (!proc_shows_our_numbers()) {
    if (command > 0) ::kill(-command, signal);
    return;
  }
  Descendants found;
  add_children(::getpid(), found);
  for (std::size_t i = 0; i < found.count; ++i) {
    const Descendant next = found.items[i];
    // Its children first: once it is dead they are found under us, but only in the next pass.
    add_children(next.pid, found);
    if (next.is_child) {
      ::kill(next.pid, signal);  // nobody else gets its number before we reap it
    } else {
      signal_deeper(signal, next.pid);
    }
  }
}

// The group cannot be a stranger's: a dead process stays in its group until it is reaped, and a
// session that one of our descendants has begun has no other members. A living one could leave the
// group before the signal is sent.
void kill_group_of_dead(int child) {
  const pid_t group = ::getpgid(child);
  if (group > 1 && group != ::getpgrp()) ::kill(-group, SIGKILL);
}

}  // namespace yume::platform
