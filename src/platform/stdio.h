// SPDX-License-Identifier: MIT
// The three standard streams as bytes. Only protocol/line_writer may hold the stdout stream.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "platform/environment.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::platform {

class OutputStream {
 public:
  virtual ~OutputStream() = default;
  // Writes everything, waiting when the pipe is full or non-blocking. io error when the reader is
  // gone or the device is full; what was written before that stays written.
  virtual Result<void> write(std::string_view bytes) = 0;
};

class InputStream {
 public:
  virtual ~InputStream() = default;
  // Blocks for at least one byte. 0 at end of input; cancelled when the token fires.
  virtual Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) = 0;
};

// What becomes of lines that a full pipe does not take.
enum class WhenFull {
  waits,
  drops,  // whole lines are left out until there is room again; never blocks
};
std::unique_ptr<OutputStream> stdout_stream(WhenFull when_full = WhenFull::waits);
// Never blocks: what a full or closed stderr cannot take is dropped.
std::unique_ptr<OutputStream> stderr_stream();
std::unique_ptr<InputStream> stdin_stream();

// Blocks until nobody can read stdout any more, which a program that is silent for minutes would
// not notice otherwise: true. False when the token fires, or where the system does not tell.
bool wait_for_lost_reader(const CancelToken& cancel);

enum class StandardStream { input, output, error };
bool is_terminal(StandardStream stream);
// What may come by stdin.
enum class InputKind {
  terminal,
  nothing,  // the null device
  file,     // all of it is there
  stream,   // a pipe or a socket: bytes may come at any time, or never
};
InputKind standard_input_kind();
// What was typed on the terminal behind stdin and not read yet is thrown away, a line without its
// end included. Does nothing where stdin is no terminal.
void discard_typed_input();
// Columns of the terminal behind stdout: what COLUMNS says, else what the terminal says; nullopt
// when there is none, or nobody says.
std::optional<int> terminal_width(const Environment& environment);
// What the terminal behind stdout says itself, now.
struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
std::optional<ScreenSize> screen_size();

// First call of main: reopens closed descriptors 0-2 on /dev/null, switches off core dumps and
// ptrace by others (the process holds credentials), makes standard streams binary, resets inherited
// signal settings, ignores SIGPIPE.
void prepare_process();

}  // namespace yume::platform
