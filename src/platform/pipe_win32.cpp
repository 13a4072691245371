// SPDX-License-Identifier: MIT
#include "platform/pipe_win32.h"

#include <algorithm>
#include <atomic>

namespace yume::platform {
namespace {

constexpr DWORD k_pipe_size = 64 * 1024;
// More than a pipe can hold, and longer than it takes to see its end.
constexpr std::size_t k_drain_limit = 1024 * 1024;
constexpr DWORD k_drain_patience = 200;

// An anonymous pipe cannot be used with a time limit, so this one has a name, which nobody can use:
// there is one instance, and its other end is taken before we return.
Result<ChildPipe> make_pipe(const std::string& what, DWORD our_access, DWORD their_access) {
  static std::atomic<unsigned> counter{0};
  const std::wstring name = LR"(\\.\pipe\yume-cli-)" + std::to_wstring(::GetCurrentProcessId()) +
                            L"-" + std::to_wstring(counter++);
  ChildPipe pipe;
  pipe.ours = Handle(::CreateNamedPipeW(
      name.c_str(), our_access | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, k_pipe_size, k_pipe_size, 0, nullptr));
  if (!pipe.ours.is_open()) return error_from_windows(what, ::GetLastError());
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  pipe.theirs = Handle(::CreateFileW(name.c_str(), their_access, 0, &inheritable, OPEN_EXISTING,
                                     FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!pipe.theirs.is_open()) return error_from_windows(what, ::GetLastError());
  return pipe;
}

// The system uses our memory until the operation is over.
void abandon(const Handle& pipe, OVERLAPPED& operation) {
  ::CancelIoEx(pipe.get(), &operation);
  DWORD ignored = 0;
  ::GetOverlappedResult(pipe.get(), &operation, &ignored, TRUE);
}

}  // namespace

Result<ChildPipe> make_output_pipe(const std::string& what) {
  return make_pipe(what, PIPE_ACCESS_INBOUND, GENERIC_WRITE | FILE_READ_ATTRIBUTES);
}

Result<ChildPipe> make_input_pipe(const std::string& what) {
  return make_pipe(what, PIPE_ACCESS_OUTBOUND, GENERIC_READ | FILE_WRITE_ATTRIBUTES);
}

PipeReader::~PipeReader() {
  if (under_way_) abandon(pipe_, read_);
}

void PipeReader::begin_read() {
  if (under_way_ || !is_open()) return;
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(k_pipe_size);
  read_ = {};
  read_.hEvent = event_.get();
  under_way_ = ::ReadFile(pipe_.get(), buffer_.get(), k_pipe_size, nullptr, &read_) ||
               ::GetLastError() == ERROR_IO_PENDING;
  if (!under_way_) pipe_.close();
}

std::size_t PipeReader::take(ProcessOutput& output) {
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

void PipeReader::drain(ProcessOutput& output) {
  for (std::size_t total = 0; total < k_drain_limit;) {
    begin_read();
    if (!is_open()) return;
    if (::WaitForSingleObject(event_.get(), k_drain_patience) != WAIT_OBJECT_0) return;
    total += take(output);
  }
}

void PipeWriter::begin_write(std::string_view bytes) {
  write_ = {};
  write_.hEvent = event_.get();
  const DWORD size = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), k_pipe_size));
  under_way_ = ::WriteFile(pipe_.get(), bytes.data(), size, nullptr, &write_) ||
               ::GetLastError() == ERROR_IO_PENDING;
  if (!under_way_) pipe_.close();
}

std::size_t PipeWriter::take() {
  if (!under_way_) return 0;
  DWORD written = 0;
  if (::GetOverlappedResult(pipe_.get(), &write_, &written, FALSE)) {
    under_way_ = false;
    return written;
  }
  if (::GetLastError() == ERROR_IO_INCOMPLETE) return 0;
  under_way_ = false;
  pipe_.close();
  return 0;
}

void PipeWriter::close() {
  if (std::exchange(under_way_, false)) abandon(pipe_, write_);
  pipe_.close();
}

}  // namespace yume::platform
