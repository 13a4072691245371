// SPDX-License-Identifier: MIT
#include "launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace yume::bench {
namespace {

constexpr std::size_t k_largest_order = 64 * 1024;

Error failed(const std::string& what, int number) {
  return Error{.code = ErrorCode::io,
               .message = what + ": " + std::generic_category().message(number)};
}

// An order is a list of strings, each with its NUL: cwd, stdout, stderr, the arguments, an empty
// one, the environment.
std::string pack(const Command& command) {
  std::string order;
  const auto add = [&order](std::string_view text) { order.append(text).push_back('\0'); };
  add(command.cwd.native());
  add(command.stdout_path.native());
  add(command.stderr_path.native());
  for (const std::string& argument : command.argv) add(argument);
  add("");
  for (const std::string& variable : command.environment) add(variable);
  return order;
}

struct Unpacked {
  std::array<char*, 3> paths{};
  std::vector<char*> argv;
  std::vector<char*> environment;
};

Unpacked unpack(char* order, std::size_t size) {
  Unpacked unpacked;
  std::size_t index = 0;
  bool in_environment = false;
  for (char* at = order; at < order + size; at += std::strlen(at) + 1, ++index) {
    if (index < unpacked.paths.size()) {
      unpacked.paths[index] = at;
    } else if (*at == '\0' && !in_environment) {
      in_environment = true;
    } else {
      (in_environment ? unpacked.environment : unpacked.argv).push_back(at);
    }
  }
  unpacked.argv.push_back(nullptr);
  unpacked.environment.push_back(nullptr);
  return unpacked;
}

pid_t spawn_unpacked(const Unpacked& order) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, order.paths[1], O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, order.paths[2],
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, order.paths[0]);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  const int problem = posix_spawn(&pid, order.argv[0], &actions, &attributes, order.argv.data(),
                                  order.environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return problem == 0 ? pid : -problem;
}

void report_ended(int reports) {
  Ended ended;
  while ((ended.pid = ::wait4(-1, &ended.status, WNOHANG, &ended.usage)) > 0) {
    ended.when = now();
    // Smaller than PIPE_BUF, so never split.
    if (::write(reports, &ended, sizeof ended) != sizeof ended) return;
  }
}

// The helper's whole life: until the benchmark closes its end.
void serve(int orders, int reports) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  const int events = ::signalfd(-1, &child, SFD_CLOEXEC);
  static std::array<char, k_largest_order> order;
  for (;;) {
    std::array<pollfd, 2> ready{{{orders, POLLIN, 0}, {events, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0) continue;
    if (ready[1].revents != 0) {
      signalfd_siginfo event;
      if (::read(events, &event, sizeof event) > 0) report_ended(reports);
    }
    if (ready[0].revents == 0) continue;
    const ssize_t size = ::recv(orders, order.data(), order.size(), 0);
    if (size <= 0) return;
    const Unpacked unpacked = unpack(order.data(), static_cast<std::size_t>(size));
    Started started;
    started.when = now();
    started.pid = spawn_unpacked(unpacked);
    if (::send(orders, &started, sizeof started, MSG_NOSIGNAL) < 0) return;
  }
}

}  // namespace

Result<std::unique_ptr<Launcher>> Launcher::start() {
  std::array<int, 2> orders{};
  std::array<int, 2> reports{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders.data()) != 0 ||
      ::pipe2(reports.data(), O_CLOEXEC) != 0) {
    return failed("cannot connect the launcher", errno);
  }
  const pid_t helper = ::fork();
  if (helper < 0) return failed("cannot start the launcher", errno);
  if (helper == 0) {
    ::close(orders[0]);
    ::close(reports[0]);
    serve(orders[1], reports[1]);
    ::_exit(0);
  }
  ::close(orders[1]);
  ::close(reports[1]);
  return std::unique_ptr<Launcher>(new Launcher(orders[0], reports[0], helper));
}

Launcher::~Launcher() {
  ::close(orders_);
  ::close(reports_);
  ::waitpid(helper_, nullptr, 0);
}

Result<Started> Launcher::spawn(const Command& command) {
  const std::string order = pack(command);
  Started started;
  if (order.size() > k_largest_order ||
      ::send(orders_, order.data(), order.size(), MSG_NOSIGNAL) < 0 ||
      ::recv(orders_, &started, sizeof started, 0) != sizeof started) {
    return failed("cannot reach the launcher", errno);
  }
  if (started.pid < 0) return failed("cannot start " + command.argv.front(), -started.pid);
  return started;
}

Result<Ended> Launcher::next_ended() {
  Ended ended;
  if (::read(reports_, &ended, sizeof ended) != sizeof ended) {
    return failed("the launcher is gone", errno);
  }
  return ended;
}

}  // namespace yume::bench
