// SPDX-License-Identifier: MIT
// The questions that the host has not answered yet (util/pending_table.h), and in which words a
// missing answer is reported.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/host_question.h"
#include "util/cancel.h"
#include "util/pending_table.h"
#include "util/result.h"

namespace yume::runtime {

class PendingRequests {
 public:
  static constexpr std::size_t k_most_open = 1024;

  // What an answer says about a question; nullopt: nothing.
  using Read = std::function<std::optional<core::HostAnswer>(const core::HostQuestion&)>;

  // Any thread. Asks with `send`, which gets the request's id, and waits. Errors: cancelled,
  // timeout, io after close(), busy when too many are open, not_found when it need not be asked any
  // more. `withdraw` gets the id of a question that is not waited for any more.
  struct Channel {
    std::function<bool(const std::string& id)> send;
    std::function<void(const std::string& id)> withdraw;
  };
  Result<core::HostAnswer> ask(const core::HostQuestion& question,
                               std::optional<std::chrono::milliseconds> timeout,
                               const CancelToken& cancel, const Channel& channel);

  // Main thread. False when nobody waits for it, or it says nothing.
  bool answer(const std::string& id, const Read& read) { return table_.answer(id, read); }
  void look_again() { table_.look_again(); }
  // Nothing more will come: whoever waits, now or later, gets an error.
  void close() { table_.close(); }

 private:
  PendingTable<core::HostQuestion, core::HostAnswer> table_{k_most_open};
};

}  // namespace yume::runtime
