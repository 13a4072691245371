// SPDX-License-Identifier: MIT
// Starts a program under test in its own session with pipes, feeds its stdin, sees its stdout as
// it arrives, sends signals. A watchdog kills the whole process group: a hang is a result, not an
// endless test. Used from one thread; callbacks run inside run().
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "util/result.h"

namespace yume::test {

enum class ChildStdin {
  null,    // /dev/null
  closed,  // no file descriptor 0 at all
  pipe,    // open until close_stdin()
};

struct ChildOptions {
  std::vector<std::string> argv;              // argv[0] is the path
  std::vector<std::string> environment = {};  // NAME=value, complete
  std::filesystem::path cwd = {};
  ChildStdin stdin_kind = ChildStdin::null;
  std::chrono::milliseconds watchdog = std::chrono::seconds(60);
};

struct ChildExit {
  std::string status;  // "0", "143", or the name of the signal that killed it: "SIGKILL"
  bool hang = false;   // the watchdog had to kill it
};

// "SIGINT" → SIGINT; 0 when the name is unknown.
int signal_number(std::string_view name);

class ChildProcess {
 public:
  // Called each time bytes came; stdout_text() has all of them so far.
  using OnStdout = std::function<void(ChildProcess&)>;

  static Result<std::unique_ptr<ChildProcess>> spawn(const ChildOptions& options);

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills the group when run() did not see the end

  // Queue what run() then writes as the child takes it; the close comes after all queued bytes.
  void write_stdin(std::string_view bytes);
  void close_stdin();

  // The child's next write fails with EPIPE. Cuts stdout_text() to `keep` bytes, so that what was
  // read ahead doesn't depend on timing.
  void close_stdout(std::size_t keep);

  void send_signal(int number);  // to the child alone, not its group

  // Blocks until the child has ended and all it wrote has been read. Call once. Does not wait for
  // a grandchild that holds the pipes.
  ChildExit run(const OnStdout& on_stdout = {});

  pid_t pid() const { return pid_; }  // also the id of its session and group
  const std::string& stdout_text() const { return stdout_text_; }
  const std::string& stderr_text() const { return stderr_text_; }

 private:
  // A file descriptor that closes itself.
  class Fd {
   public:
    explicit Fd(int number = -1) : number_(number) {}
    Fd(Fd&& other) noexcept;
    Fd& operator=(Fd&& other) noexcept;
    ~Fd() { reset(); }
    void reset();
    int get() const { return number_; }
    bool open() const { return number_ >= 0; }

   private:
    int number_;
  };

  struct Pipe {
    Fd read_end;
    Fd write_end;
  };

  ChildProcess() = default;

  static Result<Pipe> make_pipe();
  Result<void> start(const ChildOptions& options, const Fd& in, const Fd& out, const Fd& err);
  void wait_in_background(Fd exit_signal);
  bool poll_once(std::chrono::steady_clock::time_point deadline, const OnStdout& on_stdout);
  static bool read_available(Fd& fd, std::string& text);
  bool read_outputs(const OnStdout& on_stdout);
  void feed_stdin();
  ChildExit reap();

  pid_t pid_ = -1;
  bool reaped_ = false;
  bool stdin_ends_ = false;
  bool exited_ = false;
  std::chrono::milliseconds watchdog_{};
  Fd stdin_;
  Fd stdout_;
  Fd stderr_;
  Fd exit_seen_;  // gets a byte from waiter_ when the child has ended
  std::thread waiter_;
  std::string stdin_pending_;
  std::string stdout_text_;
  std::string stderr_text_;
};

}  // namespace yume::test
