// SPDX-License-Identifier: MIT
// Pipes to a child that can be waited for together with other things: our ends are overlapped.
// Private to src/platform.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "platform/handle_win32.h"
#include "platform/process.h"
#include "util/result.h"

namespace yume::platform {

struct ChildPipe {
  Handle ours;    // overlapped
  Handle theirs;  // inheritable
};

// `what` begins the message of an error.
Result<ChildPipe> make_output_pipe(const std::string& what);  // ours is read
Result<ChildPipe> make_input_pipe(const std::string& what);   // ours is written

// One of the command's streams. At most one read is under way at a time; it goes on between two
// calls, also when those come from different threads.
class PipeReader {
 public:
  using Deliver = void (ProcessOutput::*)(std::string_view bytes);

  PipeReader(Handle pipe, Deliver deliver)
      : pipe_(std::move(pipe)), event_(make_event()), deliver_(deliver) {}
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;
  ~PipeReader();

  bool is_open() const { return pipe_.is_open(); }
  bool usable() const { return event_.is_open(); }
  const Handle& event() const { return event_; }  // raised when take() has something to do

  void begin_read();
  // Hands on what has been read; 0 when nothing has, and at the end of the output.
  std::size_t take(ProcessOutput& output);
  // Call when nobody is left to write: an end comes at once, unless a process survived.
  void drain(ProcessOutput& output);

 private:
  Handle pipe_;  // closed at the end of the output; not open: there is no such stream
  Handle event_;
  Deliver deliver_;
  OVERLAPPED read_{};
  bool under_way_ = false;
  std::unique_ptr<char[]> buffer_;
};

// The command's stdin. At most one write is under way at a time.
class PipeWriter {
 public:
  explicit PipeWriter(Handle pipe) : pipe_(std::move(pipe)), event_(make_event()) {}
  PipeWriter(const PipeWriter&) = delete;
  PipeWriter& operator=(const PipeWriter&) = delete;
  ~PipeWriter() { close(); }

  bool is_open() const { return pipe_.is_open(); }
  bool usable() const { return event_.is_open(); }
  bool is_busy() const { return under_way_; }
  const Handle& event() const { return event_; }  // raised when take() has something to do

  // Call when it is open and not busy. The bytes must stay until the write is over. Closes itself
  // when nobody reads any more.
  void begin_write(std::string_view bytes);
  // How much has been written; 0 when nothing has, and when it closed itself.
  std::size_t take();
  void close();

 private:
  Handle pipe_;
  Handle event_;
  OVERLAPPED write_{};
  bool under_way_ = false;
};

}  // namespace yume::platform
