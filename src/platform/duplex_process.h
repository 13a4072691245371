// SPDX-License-Identifier: MIT
// A child process that is talked to while it runs: what we write is its stdin, what it writes to
// stdout is read as it comes, and the end of its stderr is kept for messages. It is started and
// killed as a command of platform/process.h is: the whole tree of descendants dies with the child,
// with this object, and when this process is killed.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::platform {

struct DuplexSpec {
  std::vector<std::string> argv;         // argv[0] is an absolute path
  std::filesystem::path cwd;             // must exist
  std::vector<std::string> environment;  // "NAME=value", complete: nothing is inherited
  // Gets stderr as it comes, on a thread of the child's, which it must not hold up.
  std::function<void(std::string_view bytes)> on_error_output = {};
  std::optional<Sandbox> sandbox = std::nullopt;  // as in ProcessSpec
};

// Any thread may call any function; a second reader only takes bytes away from the first. No call
// may be under way when the object is destroyed, which kills what is left and waits for that.
class DuplexProcess {
 public:
  virtual ~DuplexProcess() = default;

  // Blocks while the child has not yet taken what was written before. Either all of the bytes go to
  // the child, in one piece, or, after an error, none of them do. Success says only that they are
  // on their way. Errors: cancelled; io when the child has ended or closed its stdin, or
  // close_stdin() was called.
  virtual Result<void> write(std::string_view bytes, const CancelToken& cancel) = 0;

  // As write(), but never blocks: error busy when too much (64 MB) waits for the child already.
  virtual Result<void> post(std::string_view bytes) = 0;

  // The child finds the end of its input behind what was written so far. Never blocks.
  virtual void close_stdin() = 0;

  // Blocks until there is something, and returns how many bytes came; 0 at the end of the output,
  // which comes with the child's own end at the latest. A child whose output nobody reads stands
  // still when about a megabyte waits. Error: cancelled, with nothing lost.
  virtual Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) = 0;

  // Blocks until the child has ended and every descendant is gone; what it wrote can still be read
  // afterwards. Error: cancelled.
  virtual Result<ProcessEnd> wait(const CancelToken& cancel) = 0;

  // Ends the child: closes its stdin; after `grace` sends TERM to the whole tree; after `grace`
  // once more kills it. Blocks until all are gone, for twice the grace and about a second at most.
  // Returns how the child ended, `cancelled` when a signal was needed. Windows has no TERM: there
  // everything is killed after the first grace.
  virtual ProcessEnd stop(std::chrono::milliseconds grace) = 0;

  // The last bytes of stderr, from the beginning of a line where something is missing.
  [[nodiscard]] virtual std::string error_tail() const = 0;
};

// Blocks until the program runs. Error when it does not (the message names argv[0] or cwd).
Result<std::unique_ptr<DuplexProcess>> start_duplex_process(const DuplexSpec& spec);

}  // namespace yume::platform
