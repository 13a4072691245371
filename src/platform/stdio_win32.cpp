// SPDX-License-Identifier: MIT
#include "platform/stdio.h"

#include <fcntl.h>
#include <io.h>
#include <winternl.h>

#include <cstdio>

#include "platform/clock.h"
#include "platform/file_status_win32.h"
#include "platform/queued_writer_win32.h"
#include "platform/stdin_reader_win32.h"
#include "util/escape_codes.h"

namespace yume::platform {

namespace {

constexpr std::chrono::milliseconds k_look_at_reader{200};

DWORD id_of(StandardStream stream) {
  switch (stream) {
    case StandardStream::input:
      return STD_INPUT_HANDLE;
    case StandardStream::output:
      return STD_OUTPUT_HANDLE;
    case StandardStream::error:
      return STD_ERROR_HANDLE;
  }
  return STD_ERROR_HANDLE;
}

HANDLE handle_of(StandardStream stream) {
  return ::GetStdHandle(id_of(stream));
}

Error reader_is_gone() {
  return {.code = ErrorCode::io, .message = "cannot write to stdout: nobody reads it"};
}

class WindowsStdout final : public OutputStream {
 public:
  Result<void> write(std::string_view bytes) override {
    const HANDLE out = handle_of(StandardStream::output);
    while (!bytes.empty()) {
      DWORD written = 0;
      const auto piece = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), 1U << 24U));
      if (::WriteFile(out, bytes.data(), piece, &written, nullptr) == 0) {
        return Error{
            .code = ErrorCode::io,
            .message = "cannot write to stdout: " + describe_windows_error(::GetLastError())};
      }
      bytes.remove_prefix(written);
    }
    return {};
  }
};

// For a host that never reads.
class WindowsDroppingStdout final : public OutputStream {
 public:
  Result<void> write(std::string_view bytes) override {
    if (writer_.write(bytes) == QueuedWriter::Taken::reader_gone) return reader_is_gone();
    return {};
  }

 private:
  QueuedWriter writer_{handle_of(StandardStream::output)};
};

// For people. What is said names files and arguments, whose names could hold escape codes.
class WindowsStderr final : public OutputStream {
 public:
  Result<void> write(std::string_view bytes) override {
    (void)writer_.write(safe_for_terminal(bytes));
    return {};
  }

 private:
  QueuedWriter writer_{handle_of(StandardStream::error)};
};

class WindowsStdin final : public InputStream {
 public:
  Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) override {
    return read_stdin(buffer, cancel);
  }
};

// As the system fills it in for FilePipeLocalInformation; the name is in a header for drivers.
struct PipeInformation {
  ULONG type, configuration, most_instances, instances, inbound_quota, readable, outbound_quota,
      writable, state, end;
};
constexpr auto k_pipe_information = static_cast<FILE_INFORMATION_CLASS>(24);
constexpr ULONG k_closing = 4;

// False too where it cannot be told.
bool has_lost_reader(HANDLE pipe) {
  using Query = NTSTATUS(NTAPI*)(HANDLE, IO_STATUS_BLOCK*, PVOID, ULONG, FILE_INFORMATION_CLASS);
  static const auto query = reinterpret_cast<Query>(reinterpret_cast<void*>(
      ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "NtQueryInformationFile")));
  IO_STATUS_BLOCK status{};
  PipeInformation info{};
  return query != nullptr && query(pipe, &status, &info, sizeof info, k_pipe_information) == 0 &&
         info.state == k_closing;
}

// A program with a window has none of the three, and what is opened next would get their place.
void open_missing_streams() {
  for (const DWORD id : {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    const HANDLE given = ::GetStdHandle(id);
    if (given != nullptr && given != INVALID_HANDLE_VALUE &&
        ::GetFileType(given) != FILE_TYPE_UNKNOWN)
      continue;
    const HANDLE null =
        ::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                      nullptr, OPEN_EXISTING, 0, nullptr);
    ::SetStdHandle(id, null);
  }
}

// UTF-8 and escape codes, as terminals elsewhere have them. The console is its other programs',
// too, but these two belong to everything that writes to it in our time.
void prepare_console() {
  DWORD mode = 0;
  for (const StandardStream stream : {StandardStream::output, StandardStream::error}) {
    const HANDLE console = handle_of(stream);
    if (::GetConsoleMode(console, &mode) == 0) continue;
    ::SetConsoleMode(console, mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    ::SetConsoleOutputCP(CP_UTF8);
  }
  if (is_terminal(StandardStream::input)) ::SetConsoleCP(CP_UTF8);
}

// A program with a window that starts us without asking for none gets a window for us, too, where
// the system does not know our wish (the manifest's, since Windows 11 24H2).
void leave_own_console() {
  DWORD alone = 0;
  const bool made_for_us = ::GetConsoleProcessList(&alone, 1) == 1;
  const bool used = is_terminal(StandardStream::input) || is_terminal(StandardStream::output) ||
                    is_terminal(StandardStream::error);
  if (made_for_us && !used) ::FreeConsole();
}

}  // namespace

std::unique_ptr<OutputStream> stdout_stream(WhenFull when_full) {
  if (when_full == WhenFull::drops) return std::make_unique<WindowsDroppingStdout>();
  return std::make_unique<WindowsStdout>();
}

std::unique_ptr<OutputStream> stderr_stream() {
  return std::make_unique<WindowsStderr>();
}

std::unique_ptr<InputStream> stdin_stream() {
  return std::make_unique<WindowsStdin>();
}

// The system notifies nobody of it, so it is asked again and again.
bool wait_for_lost_reader(const CancelToken& cancel) {
  const HANDLE out = handle_of(StandardStream::output);
  if (::GetFileType(out) != FILE_TYPE_PIPE) {
    const SystemClock clock;
    while (clock.sleep_for(std::chrono::hours(24), cancel)) {
    }
    return false;
  }
  do {
    if (has_lost_reader(out)) return true;
  } while (SystemClock().sleep_for(k_look_at_reader, cancel));
  return false;
}

std::optional<ScreenSize> screen_size() {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(handle_of(StandardStream::output), &info) == 0)
    return std::nullopt;
  return ScreenSize{
      .columns = static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1),
      .rows = static_cast<std::size_t>(info.srWindow.Bottom - info.srWindow.Top + 1)};
}

bool is_terminal(StandardStream stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle_of(stream), &mode) != 0;
}

void discard_typed_input() {
  ::FlushConsoleInputBuffer(handle_of(StandardStream::input));
}

InputKind standard_input_kind() {
  if (is_terminal(StandardStream::input)) return InputKind::terminal;
  switch (::GetFileType(handle_of(StandardStream::input))) {
    case FILE_TYPE_DISK:
      return InputKind::file;
    case FILE_TYPE_PIPE:
      return InputKind::stream;
    default:
      return InputKind::nothing;
  }
}

void prepare_process() {
  // No box for what can be reported, and no libraries from the folder that we are started in.
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  ::SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32);
  open_missing_streams();
  leave_own_console();
  for (std::FILE* stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
  prepare_console();
}

}  // namespace yume::platform
