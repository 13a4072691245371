// SPDX-License-Identifier: MIT
// Opening and closing sessions while the program runs: what reads files or waits for threads is
// done elsewhere than on the main thread, one thing after the other, and comes back by the mailbox.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/command.h"
#include "core/event.h"
#include "core/session_commands.h"
#include "session/session.h"
#include "util/result.h"

namespace yume::runtime {

// A session and all that it alone uses.
class HostedSession {
 public:
  virtual ~HostedSession() = default;
  virtual session::Session& session() = 0;
};

// Of a session that is there.
struct Opening {
  std::unique_ptr<HostedSession> hosted = nullptr;
  bool may_bypass = false;
  std::vector<core::Event> past = {};  // what was said before, if it is to be shown
};

// None of these blocks, and each is answered by the mailbox: open() by SessionOpened, close() by
// SessionClosed, the others by ReplyReady. Main thread.
class Hosting {
 public:
  virtual ~Hosting() = default;
  virtual void open(core::OpenSession wanted, const core::HostAbilities& abilities,
                    std::string reply_to) = 0;
  virtual void close(std::unique_ptr<HostedSession> hosted, std::string reply_to) = 0;
  virtual void list(core::ListSessions wanted, std::string reply_to) = 0;
  // Of none that is open.
  virtual void remove(core::DeleteSession wanted, std::string reply_to) = 0;
  virtual void authenticate(core::Authenticate wanted, std::string reply_to) = 0;
};

}  // namespace yume::runtime
