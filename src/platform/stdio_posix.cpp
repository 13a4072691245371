// SPDX-License-Identifier: MIT
#include "platform/stdio.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "platform/descriptor_posix.h"
#include "util/escape_codes.h"

#if defined(__linux__)
#include <malloc.h>
#include <sys/prctl.h>
#endif

namespace yume::platform {

namespace {

class PosixStdout final : public OutputStream {
 public:
  Result<void> write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
      if (written >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno == EAGAIN) {
        // The host may have made the shared description non-blocking (Node does).
        pollfd event{STDOUT_FILENO, POLLOUT, 0};
        ::poll(&event, 1, -1);
      } else if (errno != EINTR) {
        return Error{.code = ErrorCode::io,
                     .message = "cannot write to stdout: " + describe_errno(errno)};
      }
    }
    return {};
  }
};

// How much of the bytes the stream takes without blocking; nullopt: nobody reads it any more.
std::optional<std::size_t> write_what_fits(int fd, std::string_view bytes);

// For a host that never reads: a line is begun only when the one before is out.
class PosixDroppingStdout final : public OutputStream {
 public:
  Result<void> write(std::string_view bytes) override {
    if (!unfinished_.empty()) {
      const auto taken = write_what_fits(STDOUT_FILENO, unfinished_);
      if (!taken) return reader_is_gone();
      unfinished_.erase(0, *taken);
      if (!unfinished_.empty()) return {};
    }
    const auto taken = write_what_fits(STDOUT_FILENO, bytes);
    if (!taken) return reader_is_gone();
    // Of a line that has not begun, nothing has to follow.
    if (*taken > 0) unfinished_ = bytes.substr(*taken);
    return {};
  }

 private:
  static Error reader_is_gone() {
    return {.code = ErrorCode::io, .message = "cannot write to stdout: nobody reads it"};
  }

  std::string unfinished_;  // of the line before
};

// O_NONBLOCK would belong to the description, which the host and its other children share. Instead:
// a pipe that poll() calls writable takes PIPE_BUF bytes without blocking.
// For people. What is said names files and arguments, whose names could hold escape codes.
class PosixStderr final : public OutputStream {
 public:
  Result<void> write(std::string_view bytes) override {
    (void)write_what_fits(STDERR_FILENO, safe_for_terminal(bytes));
    return {};
  }
};

std::optional<std::size_t> write_what_fits(int fd, std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    pollfd event{fd, POLLOUT, 0};
    if (::poll(&event, 1, 0) <= 0) break;
    if ((event.revents & POLLERR) != 0) return std::nullopt;
    if ((event.revents & POLLOUT) == 0) break;
    const std::size_t piece = std::min<std::size_t>(bytes.size() - taken, PIPE_BUF);
    const ssize_t written = ::write(fd, bytes.data() + taken, piece);
    if (written < 0 && errno == EPIPE) return std::nullopt;
    if (written <= 0) break;
    taken += static_cast<std::size_t>(written);
  }
  return taken;
}

class PosixStdin final : public InputStream {
 public:
  Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) override {
    if (!waker_.usable()) return error_from_errno("cannot wait for stdin", EMFILE);
    const OnCancel on_cancel(cancel, [this] { waker_.raise(); });
    for (;;) {
      std::array<pollfd, 2> events{{{STDIN_FILENO, POLLIN, 0}, {waker_.fd(), POLLIN, 0}}};
      if (::poll(events.data(), events.size(), -1) < 0) continue;
      if (cancel.stop_requested()) {
        return Error{.code = ErrorCode::cancelled, .message = "reading stdin was cancelled"};
      }
      if (events[1].revents != 0) waker_.lower();  // raised by an earlier token
      if (events[0].revents == 0) continue;
      const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EAGAIN && errno != EINTR) {
        return Error{.code = ErrorCode::io,
                     .message = "cannot read stdin: " + describe_errno(errno)};
      }
    }
  }

 private:
  Waker waker_;
};

void reopen_closed_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // All lower numbers are taken, so this takes the closed one.
    const int opened = ::open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    // Without it the next file or socket would become our stdout.
    if (opened != fd) std::_Exit(1);
  }
}

void forbid_inspection() {
  rlimit core{};
  if (::getrlimit(RLIMIT_CORE, &core) == 0) {
    core.rlim_cur = 0;  // only the soft limit: the user's commands may raise it again
    ::setrlimit(RLIMIT_CORE, &core);
  }
#if defined(__linux__)
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

// What a careless parent may have left: blocked signals would never arrive, and with SIGCHLD
// ignored no exit status could be collected.
void reset_inherited_signals() {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGCHLD, SIG_DFL);
  // A host that has gone away is an error of write(), also before a SignalPump exists.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
}

// What a long reply took goes back to the system when it is freed. By itself the C library would,
// after the first such block, keep ever larger ones for later, torn into pieces.
void give_back_large_blocks() {
#if defined(__GLIBC__)
  constexpr int k_large = 1024 * 1024;
  ::mallopt(M_MMAP_THRESHOLD, k_large);
  // Setting the one fixes the other at its default, so low that every request would give memory
  // back and fetch it again.
  ::mallopt(M_TRIM_THRESHOLD, 16 * k_large);
#endif
}

}  // namespace

std::unique_ptr<OutputStream> stdout_stream(WhenFull when_full) {
  if (when_full == WhenFull::drops) return std::make_unique<PosixDroppingStdout>();
  return std::make_unique<PosixStdout>();
}

std::unique_ptr<OutputStream> stderr_stream() {
  return std::make_unique<PosixStderr>();
}

std::unique_ptr<InputStream> stdin_stream() {
  return std::make_unique<PosixStdin>();
}

bool wait_for_lost_reader(const CancelToken& cancel) {
  const Waker waker;
  if (!waker.usable()) return false;
  const OnCancel on_cancel(cancel, [&waker] { waker.raise(); });
  while (!cancel.stop_requested()) {
    // Errors and hang-ups are reported without being asked for.
    std::array<pollfd, 2> events{{{STDOUT_FILENO, 0, 0}, {waker.fd(), POLLIN, 0}}};
    if (::poll(events.data(), events.size(), -1) < 0) continue;
    if (events[0].revents != 0) return (events[0].revents & (POLLERR | POLLHUP)) != 0;
  }
  return false;
}

std::optional<ScreenSize> screen_size() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  if (!known) return std::nullopt;
  ScreenSize screen{.columns = size.ws_col};
  if (size.ws_row > 0) screen.rows = size.ws_row;
  return screen;
}

bool is_terminal(StandardStream stream) {
  switch (stream) {
    case StandardStream::input:
      return ::isatty(STDIN_FILENO) == 1;
    case StandardStream::output:
      return ::isatty(STDOUT_FILENO) == 1;
    case StandardStream::error:
      return ::isatty(STDERR_FILENO) == 1;
  }
  return false;
}

void discard_typed_input() {
  ::tcflush(STDIN_FILENO, TCIFLUSH);
}

InputKind standard_input_kind() {
  if (::isatty(STDIN_FILENO) == 1) return InputKind::terminal;
  struct stat input {};
  if (::fstat(STDIN_FILENO, &input) != 0) return InputKind::nothing;
  if (S_ISREG(input.st_mode)) return InputKind::file;
  struct stat null {};
  const bool is_null =
      S_ISCHR(input.st_mode) && ::stat("/dev/null", &null) == 0 && input.st_rdev == null.st_rdev;
  return is_null ? InputKind::nothing : InputKind::stream;
}

void prepare_process() {
  reopen_closed_streams();
  forbid_inspection();
  reset_inherited_signals();
  give_back_large_blocks();
}

}  // namespace yume::platform
