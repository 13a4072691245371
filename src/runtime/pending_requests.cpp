// SPDX-License-Identifier: MIT
#include "runtime/pending_requests.h"

#include "util/overloaded.h"
#include "util/uuid.h"

#include <functional>
#include <utility>
#include <variant>

namespace yume::runtime {

Result<core::HostAnswer> PendingRequests::ask(const core::HostQuestion& question,
                                              std::optional<std::chrono::milliseconds> timeout,
                                              const CancelToken& cancel, const Channel& channel) {
  const std::string id = make_uuid();
  const auto still_needed =
      std::visit(Overloaded{
                     [](const core::MayRun& may_run) { return may_run.still_needed; },
                     [](const core::CallHook&) { return std::function<bool()>(); },
                     [](const core::McpMessage&) { return std::function<bool()>(); },
                     [](const core::Elicit&) { return std::function<bool()>(); },
                     [](const core::ReadHostFile&) { return std::function<bool()>(); },
                     [](const core::WriteHostFile&) { return std::function<bool()>(); },
                     [](const core::UseTerminal&) { return std::function<bool()>(); },
                 },
                 question);
  auto outcome = table_.ask(
      id, question, timeout, cancel, [&] { return channel.send(id); }, still_needed);
  if (auto* answer = std::get_if<core::HostAnswer>(&outcome)) return std::move(*answer);
  switch (std::get<Unanswered>(outcome)) {
    case Unanswered::busy:
      return Error{.code = ErrorCode::busy,
                   .message = "the host has " + std::to_string(k_most_open) +
                              " questions to answer already"};
    case Unanswered::cancelled:
      channel.withdraw(id);
      return Error{.code = ErrorCode::cancelled,
                   .message = "The turn was interrupted before anybody answered."};
    case Unanswered::moot:
      channel.withdraw(id);
      return Error{.code = ErrorCode::not_found, .message = "it need not be asked any more"};
    case Unanswered::timed_out:
      channel.withdraw(id);
      return Error{.code = ErrorCode::timeout,
                   .message = "no answer within " + std::to_string(timeout->count()) + " ms"};
    case Unanswered::closed:
    case Unanswered::not_sent:
      break;
  }
  return Error{.code = ErrorCode::io, .message = "the host does not answer any more"};
}

}  // namespace yume::runtime
