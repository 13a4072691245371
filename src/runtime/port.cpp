// SPDX-License-Identifier: MIT
#include "runtime/port.h"

namespace yume::runtime {

Result<core::HostAnswer> Port::ask(const core::Address& from, core::HostQuestion question,
                                   std::optional<std::chrono::milliseconds> timeout,
                                   const CancelToken& cancel) {
  if (!can_be_asked()) {
    return Error{.code = ErrorCode::io, .message = "this host cannot be asked"};
  }
  const PendingRequests::Channel channel{
      .send =
          [&](const std::string& id) {
            return mailbox_.post(
                QuestionAsked{.request_id = id, .from = from, .question = question});
          },
      .withdraw = [&](const std::string& id) { mailbox_.post(QuestionWithdrawn{id}); }};
  return pending_.ask(question, timeout, cancel, channel);
}

}  // namespace yume::runtime
