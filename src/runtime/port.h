// SPDX-License-Identifier: MIT
// The sessions' way to their host: events and questions go through the mailbox to the main thread,
// answers come back through the table of pending requests.
#pragma once

#include "core/host_port.h"
#include "runtime/mailbox.h"
#include "runtime/pending_requests.h"

namespace yume::runtime {

class Port final : public core::HostPort {
 public:
  enum class Questions {
    cannot_be_asked,
    can_be_asked,
    with_changes,  // can be asked, and wants to know what a call would change
  };

  Port(Mailbox& mailbox, PendingRequests& pending, Questions questions)
      : mailbox_(mailbox), pending_(pending), questions_(questions) {}

  bool post(core::Envelope envelope) override { return mailbox_.post(std::move(envelope)); }
  bool flush(const CancelToken& cancel) override { return mailbox_.flush(cancel); }
  [[nodiscard]] bool can_be_asked() const override {
    return questions_ != Questions::cannot_be_asked;
  }
  [[nodiscard]] bool wants_changes() const override {
    return questions_ == Questions::with_changes;
  }
  Result<core::HostAnswer> ask(const core::Address& from, core::HostQuestion question,
                               std::optional<std::chrono::milliseconds> timeout,
                               const CancelToken& cancel) override;
  void look_again() override { pending_.look_again(); }

 private:
  Mailbox& mailbox_;
  PendingRequests& pending_;
  Questions questions_;
};

}  // namespace yume::runtime
