// SPDX-License-Identifier: MIT
// Windows has no supervisor process as POSIX has (supervisor_posix.h): a Job object holds the whole
// tree and dies with this process, and a thread of each command watches its time.
#include "platform/process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <utility>

#include "platform/child_win32.h"
#include "platform/handle_win32.h"

namespace yume::platform {
namespace {

using std::chrono::milliseconds;

constexpr DWORD k_read_size = 64 * 1024;
// More than a pipe can hold, and longer than it takes to see its end.
constexpr std::size_t k_drain_limit = 1024 * 1024;
constexpr DWORD k_drain_patience = 200;
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

// For the system's waits: rounded up, so that the time has come when they return.
DWORD milliseconds_until(std::optional<SteadyTime> until) {
  if (!until) return INFINITE;
  constexpr milliseconds k_longest = std::chrono::hours(1);
  const auto left = std::chrono::ceil<milliseconds>(*until - now());
  return static_cast<DWORD>(std::clamp(left, milliseconds(0), k_longest).count());
}

bool is_raised(const Handle& event) {
  return ::WaitForSingleObject(event.get(), 0) == WAIT_OBJECT_0;
}

// Raised by hand, and never lowered.
Handle make_event() {
  return Handle(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
}

struct PipeEnds {
  Handle read_end;   // overlapped
  Handle write_end;  // inheritable
};

// An anonymous pipe cannot be read with a time limit, so this one has a name, which nobody can use:
// there is one instance, and its other end is taken before we return.
Result<PipeEnds> make_pipe(const std::string& what) {
  static std::atomic<unsigned> counter{0};
  const std::wstring name = LR"(\\.\pipe\yume-cli-)" + std::to_wstring(::GetCurrentProcessId()) +
                            L"-" + std::to_wstring(counter++);
  PipeEnds pipe;
  pipe.read_end = Handle(::CreateNamedPipeW(
      name.c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, 0, k_read_size, 0, nullptr));
  if (!pipe.read_end.is_open()) return error_from_windows(what, ::GetLastError());
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  pipe.write_end =
      Handle(::CreateFileW(name.c_str(), GENERIC_WRITE | FILE_READ_ATTRIBUTES, 0, &inheritable,
                           OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!pipe.write_end.is_open()) return error_from_windows(what, ::GetLastError());
  return pipe;
}

Handle open_empty_input() {
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  return Handle(::CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                              &inheritable, OPEN_EXISTING, 0, nullptr));
}

// In the user's folder for temporary files; the system removes it with its last handle, also when
// that goes because a process was killed.
Handle open_fresh_file() {
  std::array<wchar_t, MAX_PATH + 1> folder;
  std::array<wchar_t, MAX_PATH + 1> name;
  if (::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()) == 0 ||
      ::GetTempFileNameW(folder.data(), L"yum", 0, name.data()) == 0) {
    return Handle();
  }
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  return Handle(::CreateFileW(name.data(), GENERIC_READ | GENERIC_WRITE, 0, &inheritable,
                              CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE,
                              nullptr));
}

// A file instead of a pipe: nobody has to write while the command runs, and a command that reads
// nothing holds nobody up.
Result<Handle> open_input(std::string_view bytes, const std::string& what) {
  Handle input = bytes.empty() ? open_empty_input() : open_fresh_file();
  bool good = input.is_open();
  while (good && !bytes.empty()) {
    constexpr std::size_t k_most = 1 << 20;
    DWORD written = 0;
    good = ::WriteFile(input.get(), bytes.data(),
                       static_cast<DWORD>(std::min(bytes.size(), k_most)), &written, nullptr);
    bytes.remove_prefix(written);
    if (bytes.empty()) good = good && ::SetFilePointerEx(input.get(), {}, nullptr, FILE_BEGIN);
  }
  if (!good) return error_from_windows(what, ::GetLastError());
  return input;
}

// One of the command's streams. At most one read is under way at a time; it goes on between two
// calls of wait(), also when those come from different threads.
class PipeReader {
 public:
  using Deliver = void (ProcessOutput::*)(std::string_view bytes);

  PipeReader(Handle pipe, Deliver deliver)
      : pipe_(std::move(pipe)), event_(make_event()), deliver_(deliver) {}
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;
  ~PipeReader() {
    if (!under_way_) return;
    // The system writes to our memory until the read is over.
    ::CancelIoEx(pipe_.get(), &read_);
    DWORD ignored = 0;
    ::GetOverlappedResult(pipe_.get(), &read_, &ignored, TRUE);
  }

  bool is_open() const { return pipe_.is_open(); }
  bool usable() const { return event_.is_open(); }
  const Handle& event() const { return event_; }  // raised when take() has something to do

  void begin_read() {
    if (under_way_ || !is_open()) return;
    read_ = {};
    read_.hEvent = event_.get();
    under_way_ = ::ReadFile(pipe_.get(), buffer_.get(), k_read_size, nullptr, &read_) ||
                 ::GetLastError() == ERROR_IO_PENDING;
    if (!under_way_) pipe_.close();
  }

  // Hands on what has been read; 0 when nothing has, and at the end of the output.
  std::size_t take(ProcessOutput& output) {
    if (!under_way_) return 0;
    DWORD got = 0;
    if (::GetOverlappedResult(pipe_.get(), &read_, &got, FALSE)) {
      under_way_ = false;
      if (got > 0) (output.*deliver_)({buffer_.get(), got});
      return got;
    }
    const DWORD error = ::GetLastError();
    if (error == ERROR_IO_INCOMPLETE) return 0;
    under_way_ = false;
    // Aborted: the thread that began the read has ended, and the read with it. Begin another.
    if (error != ERROR_OPERATION_ABORTED) pipe_.close();
    return 0;
  }

  // Call when nobody is left to write: an end comes at once, unless a process survived.
  void drain(ProcessOutput& output) {
    for (std::size_t total = 0; total < k_drain_limit;) {
      begin_read();
      if (!is_open()) return;
      if (::WaitForSingleObject(event_.get(), k_drain_patience) != WAIT_OBJECT_0) return;
      total += take(output);
    }
  }

 private:
  Handle pipe_;  // closed at the end of the output; not open: there is no such stream
  Handle event_;
  Deliver deliver_;
  OVERLAPPED read_{};
  bool under_way_ = false;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(k_read_size);
};

// Looks after one command, on a thread of its own, so that its time is kept while nobody waits.
class JobWatch {
 public:
  JobWatch(const Child& child, const Handle& stop, std::optional<milliseconds> timeout)
      : child_(child), stop_(stop) {
    if (timeout) deadline_ = now() + std::min(*timeout, k_longest_timeout);
  }

  // Returns when no process of the job is left.
  ProcessEnd watch() const {
    const ProcessEnd end = wait_for_command();
    if (end.kind == ProcessEndKind::exited) linger();
    destroy();
    return end;
  }

 private:
  ProcessEnd wait_for_command() const {
    const std::array<HANDLE, 2> events{child_.process.get(), stop_.get()};
    for (;;) {
      ::WaitForMultipleObjects(static_cast<DWORD>(events.size()), events.data(), FALSE,
                               milliseconds_until(deadline_));
      // Whatever woke us: a command that has ended by now was neither cancelled nor too slow.
      if (is_raised(child_.process)) return exited();
      if (is_raised(stop_)) return {.kind = ProcessEndKind::cancelled};
      if (deadline_ && now() >= *deadline_) return {.kind = ProcessEndKind::timed_out};
    }
  }

  ProcessEnd exited() const {
    DWORD code = 0;
    ::GetExitCodeProcess(child_.process.get(), &code);
    return {.kind = ProcessEndKind::exited, .exit_code = static_cast<int>(code)};
  }

  void linger() const {
    const SteadyTime end = now() + k_linger;
    while (count_processes(child_.job) > 0 && now() < end) {
      if (::WaitForSingleObject(stop_.get(), static_cast<DWORD>(k_rescan.count())) ==
          WAIT_OBJECT_0) {
        return;
      }
    }
  }

  void destroy() const {
    const SteadyTime patience_ends = now() + k_patience;
    while (count_processes(child_.job) > 0 && now() < patience_ends) {
      ::TerminateJobObject(child_.job.get(), k_killed);
      if (count_processes(child_.job) > 0) ::Sleep(1);
    }
  }

  const Child& child_;
  const Handle& stop_;
  std::optional<SteadyTime> deadline_;
};

class WindowsRunningProcess final : public RunningProcess {
 public:
  WindowsRunningProcess(Child child, Handle output, Handle error_output)
      : child_(std::move(child)),
        output_(std::move(output), &ProcessOutput::on_output),
        error_output_(std::move(error_output), &ProcessOutput::on_error_output) {}
  WindowsRunningProcess(const WindowsRunningProcess&) = delete;
  WindowsRunningProcess& operator=(const WindowsRunningProcess&) = delete;

  ~WindowsRunningProcess() override {
    ::SetEvent(stop_.get());
    if (watcher_.joinable()) watcher_.join();
  }

  // False when the system has no thread or no event left.
  bool begin(std::optional<milliseconds> timeout) {
    if (!stop_.is_open() || !gone_.is_open() || !output_.usable() || !error_output_.usable()) {
      return false;
    }
    try {
      watcher_ = std::thread([this, watch = JobWatch(child_, stop_, timeout)] {
        told_by_watcher_ = watch.watch();
        ::SetEvent(gone_.get());
      });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  std::optional<Result<ProcessEnd>> wait(ProcessOutput& output,
                                         std::optional<SteadyTime> until) override {
    while (!end_) {
      wait_for_news(until);
      output_.take(output);
      error_output_.take(output);
      if (is_raised(gone_)) {
        output_.drain(output);
        error_output_.drain(output);
        end_ = told_by_watcher_;
      }
      if (!end_ && until && now() >= *until) return std::nullopt;
    }
    return Result<ProcessEnd>(*end_);
  }

  void stop() override { ::SetEvent(stop_.get()); }

  // A process takes its current directory with it.
  std::filesystem::path final_cwd() const override { return {}; }

 private:
  void wait_for_news(std::optional<SteadyTime> until) {
    std::array<HANDLE, 3> events{gone_.get()};
    DWORD count = 1;
    for (PipeReader* reader : {&output_, &error_output_}) {
      reader->begin_read();
      if (reader->is_open()) events[count++] = reader->event().get();
    }
    ::WaitForMultipleObjects(count, events.data(), FALSE, milliseconds_until(until));
  }

  Child child_;
  Handle stop_ = make_event();
  Handle gone_ = make_event();
  PipeReader output_;
  PipeReader error_output_;
  ProcessEnd told_by_watcher_;  // to be read once gone_ is raised
  std::optional<ProcessEnd> end_;
  std::thread watcher_;
};

class WindowsProcessRunner final : public ProcessRunner {
 public:
  Result<std::unique_ptr<RunningProcess>> start(const ProcessSpec& spec) override {
    if (const auto checked = check_child(spec); !checked) return checked.error();
    const std::string what = "cannot start " + spec.argv[0];
    const bool apart = spec.stderr_mode == StderrMode::apart;
    YUME_TRY(PipeEnds output, make_pipe(what));
    PipeEnds error_output;
    if (apart) {
      YUME_TRY(error_output, make_pipe(what));
    }
    YUME_TRY(const Handle input, open_input(spec.input, what));
    const Handle& errors = apart ? error_output.write_end : output.write_end;
    YUME_TRY(Child child, start_child(spec, {.input = input.get(),
                                             .output = output.write_end.get(),
                                             .error_output = errors.get()}));
    // Ours would keep the pipes from ending.
    output.write_end.close();
    error_output.write_end.close();
    auto process = std::make_unique<WindowsRunningProcess>(
        std::move(child), std::move(output.read_end), std::move(error_output.read_end));
    if (!process->begin(spec.timeout)) return error_from_windows(what, ERROR_NOT_ENOUGH_MEMORY);
    return std::unique_ptr<RunningProcess>(std::move(process));
  }
};

}  // namespace

std::unique_ptr<ProcessRunner> make_process_runner() {
  return std::make_unique<WindowsProcessRunner>();
}

// No process ends by a signal here.
std::string signal_name(int signal) {
  return "signal " + std::to_string(signal);
}

}  // namespace yume::platform
