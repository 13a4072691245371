// SPDX-License-Identifier: MIT
// How sessions reach their host, from any thread.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/envelope.h"
#include "core/host_question.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::core {

class HostPort {
 public:
  virtual ~HostPort() = default;

  // Waits while the host is slower than the sessions. False when nobody reads any more.
  virtual bool post(Envelope envelope) = 0;

  // Returns true once all that was posted before has become bytes on stdout; false when nobody
  // reads any more or the token fires first.
  virtual bool flush(const CancelToken& cancel) = 0;

  // Whether this host can be asked at all. When not, ask() fails at once.
  [[nodiscard]] virtual bool can_be_asked() const = 0;

  // Blocks until the host answers; without a timeout for as long as a person may think. Many
  // questions may be open at once. Errors: cancelled, timeout, io (nobody will answer any more),
  // busy (too many are open), not_found (it need not be asked any more).
  virtual Result<HostAnswer> ask(const Address& from, HostQuestion question,
                                 std::optional<std::chrono::milliseconds> timeout,
                                 const CancelToken& cancel) = 0;
  // Permissions have changed: open questions that need no answer any more are withdrawn.
  virtual void look_again() {}
  // Whether questions are to say what a call would change, because the host cannot find out.
  [[nodiscard]] virtual bool wants_changes() const { return false; }
};

// The part of a session's port that asks.
class Questions {
 public:
  virtual ~Questions() = default;
  [[nodiscard]] virtual bool wants_changes() const { return false; }
  virtual Result<HostAnswer> ask(HostQuestion question,
                                 std::optional<std::chrono::milliseconds> timeout,
                                 const CancelToken& cancel) = 0;
  virtual void look_again() {}
};

// A session's own end of the port: whatever goes through it carries the session's address.
class SessionPort final : public EventSink, public Questions {
 public:
  SessionPort(HostPort& port, Address address) : port_(port), address_(std::move(address)) {}

  bool post(Event event) override { return port_.post({address(), std::move(event)}); }
  bool flush(const CancelToken& cancel) override { return port_.flush(cancel); }
  [[nodiscard]] bool can_be_asked() const { return port_.can_be_asked(); }
  Result<HostAnswer> ask(HostQuestion question, std::optional<std::chrono::milliseconds> timeout,
                         const CancelToken& cancel) override {
    return port_.ask(address(), std::move(question), timeout, cancel);
  }
  void look_again() override { port_.look_again(); }
  [[nodiscard]] bool wants_changes() const override { return port_.wants_changes(); }
  // What is said from now on is said under this id.
  void move_to(std::string session_id) {
    const std::lock_guard lock(mutex_);
    address_.session_id = std::move(session_id);
  }

 private:
  [[nodiscard]] Address address() const {
    const std::lock_guard lock(mutex_);
    return address_;
  }

  HostPort& port_;
  mutable std::mutex mutex_;
  Address address_;
};

}  // namespace yume::core
