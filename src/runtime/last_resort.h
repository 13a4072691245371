// SPDX-License-Identifier: MIT
// What is left to do when the program cannot go on, because memory has run out, no thread can be
// started or an exception reached nobody: the host gets the one result it waits for, and the
// process ends with code 1 and without a crash, on whatever thread it happens. Keeps a little
// memory back for that, and has the words ready. Takes hold of the whole process, so there is one
// at a time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <string>
#include <string_view>

#include "protocol/line_writer.h"
#include "runtime/exit_codes.h"
#include "util/breakdown.h"

namespace yume::runtime {

class LastResort {
 public:
  explicit LastResort(protocol::LineWriter& writer);
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;
  ~LastResort();

  // How a turn that ended with this text is written. Called at once, and once for all breakdowns:
  // every start pays for it. While other threads run, too: a breakdown meanwhile is reported with
  // what was prepared before.
  void prepare(const std::function<std::string(const std::string& text)>& render);

  // Between turns: the host waits for a result again, and memory is kept back again.
  void owe_result();
  // Writes a result by `write` and notes that the host has it. `code` is what the process ends with
  // if it breaks before another one is owed.
  void pay_result(ExitCode code, const std::function<void()>& write);

  // Writes the result that is owed, if any, and ends the process. Any thread.
  [[noreturn]] void end(const std::exception& failure) noexcept;

 private:
  static constexpr std::size_t k_breakdowns = 3;
  using Words = std::array<std::string, k_breakdowns>;

  protocol::LineWriter& writer_;
  std::list<Words> prepared_;  // the older ones stay: somebody may be reading them
  std::atomic<const Words*> words_ = nullptr;
  std::atomic<bool> owed_ = true;
  std::atomic<ExitCode> paid_code_ = ExitCode::failure;
  std::terminate_handler terminate_before_;
};

}  // namespace yume::runtime
