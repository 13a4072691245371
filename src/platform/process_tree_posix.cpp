// SPDX-License-Identifier: MIT
#include "platform/process_tree_posix.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>

#if defined(__linux__)
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace yume::platform {

#if defined(__linux__)

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

pid_t parent_of(pid_t pid) {
  ProcPath path;
  path.text("/proc/").number(pid).text("/stat");
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
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

bool descends_from_us(pid_t pid) {
  const pid_t self = ::getpid();
  for (int depth = 0; depth < k_deepest_ancestry && pid > 1; ++depth) {
    pid = parent_of(pid);
    if (pid == self) return true;
  }
  return false;
}

// A grandchild may be reaped by its parent at any moment and its number given to a stranger. The
// pidfd names one process for good, so a check made after opening it holds for what we signal.
void signal_deeper(int signal, pid_t pid) {
  const long pidfd = ::syscall(SYS_pidfd_open, pid, 0);
  if (pidfd < 0) return;  // gone, or a kernel before 5.3: it is reached when its parent has died
  if (descends_from_us(pid)) ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0);
  ::close(static_cast<int>(pidfd));
}

// Reaches members of the group that fork faster than they can be listed. The group cannot be a
// stranger's: our child belongs to it until we reap it, and a session that one of our descendants
// has begun has no other members.
void signal_group_of_child(int signal, pid_t child) {
  const pid_t group = ::getpgid(child);
  if (group > 1 && group != ::getpgrp()) ::kill(-group, signal);
}

}  // namespace

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
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
      ::kill(next.pid, signal);
      if (signal == SIGKILL) signal_group_of_child(signal, next.pid);
    } else {
      signal_deeper(signal, next.pid);
    }
  }
}

#else

void adopt_orphans() {}

void signal_descendants(int signal, int command) {
  if (command > 0) ::kill(-command, signal);
}

#endif

}  // namespace yume::platform
