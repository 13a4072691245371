// SPDX-License-Identifier: MIT
// Windows has no supervisor process as POSIX has (supervisor_posix.h): a Job object holds the whole
// tree and dies with this process, and a thread of each command watches its time.
#include "platform/process.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "platform/child_win32.h"
#include "platform/directory_report_win32.h"
#include "platform/handle_win32.h"
#include "platform/pipe_win32.h"
#include "platform/watched_child_win32.h"

namespace yume::platform {

bool can_run_steps() {
  return false;
}
namespace {

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

class WindowsRunningProcess final : public RunningProcess {
 public:
  WindowsRunningProcess(Child child, Handle output, Handle error_output, DirectoryReportFile report)
      : report_(std::move(report)),
        child_(std::move(child)),
        output_(std::move(output), &ProcessOutput::on_output),
        error_output_(std::move(error_output), &ProcessOutput::on_error_output) {}

  // False when the system has no thread or no event left.
  bool begin(std::optional<std::chrono::milliseconds> timeout) {
    return output_.usable() && error_output_.usable() && child_.begin(timeout);
  }

  std::optional<Result<ProcessEnd>> wait(ProcessOutput& output,
                                         std::optional<SteadyTime> until) override {
    while (!end_) {
      wait_for_news(until);
      output_.take(output);
      error_output_.take(output);
      if (is_raised(child_.gone())) {
        output_.drain(output);
        error_output_.drain(output);
        end_ = child_.end();
      }
      if (!end_ && until && SteadyTime::clock::now() >= *until) return std::nullopt;
    }
    return Result<ProcessEnd>(*end_);
  }

  void stop() override { child_.stop(); }

  std::filesystem::path final_cwd() const override { return report_.directory(); }

 private:
  void wait_for_news(std::optional<SteadyTime> until) {
    std::array<HANDLE, 3> events{child_.gone().get()};
    DWORD count = 1;
    for (PipeReader* reader : {&output_, &error_output_}) {
      reader->begin_read();
      if (reader->is_open()) events[count++] = reader->event().get();
    }
    ::WaitForMultipleObjects(count, events.data(), FALSE, milliseconds_until(until));
  }

  DirectoryReportFile report_;  // before the child, which may have it open
  WatchedChild child_;
  PipeReader output_;
  PipeReader error_output_;
  std::optional<ProcessEnd> end_;
};

class WindowsProcessRunner final : public ProcessRunner {
 public:
  Result<std::unique_ptr<RunningProcess>> start(const ProcessSpec& spec) override {
    if (const auto checked = check_child(spec); !checked) return checked.error();
    const std::string what = "cannot start " + spec.argv[0];
    const bool apart = spec.stderr_mode == StderrMode::apart;
    YUME_TRY(ChildPipe output, make_output_pipe(what));
    ChildPipe error_output;
    if (apart) {
      YUME_TRY(error_output, make_output_pipe(what));
    }
    YUME_TRY(const Handle input, open_input(spec.input, what));
    const Handle& errors = apart ? error_output.theirs : output.theirs;
    DirectoryReportFile report;
    ProcessSpec reporting;
    if (spec.shell_reports_directory) {
      YUME_TRY(report, DirectoryReportFile::create(what));
      reporting = spec;
      reporting.environment.push_back(report.variable());
    }
    const ProcessSpec& started = spec.shell_reports_directory ? reporting : spec;
    YUME_TRY(Child child, start_child(started, {.input = input.get(),
                                                .output = output.theirs.get(),
                                                .error_output = errors.get()}));
    // Ours would keep the pipes from ending.
    output.theirs.close();
    error_output.theirs.close();
    auto process = std::make_unique<WindowsRunningProcess>(
        std::move(child), std::move(output.ours), std::move(error_output.ours), std::move(report));
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
