// SPDX-License-Identifier: MIT
// Opens, closes, lists and deletes sessions on a thread of its own, in the order in which it is
// asked to, and reports by the mailbox.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "app/acp/hosted_conversation.h"
#include "runtime/hosting.h"

namespace yume::app {

class SessionOpener final : public runtime::Hosting {
 public:
  // What `deps` borrows outlives it.
  explicit SessionOpener(const HostingDeps& deps);
  // What has not been begun is forgotten.
  ~SessionOpener() override;
  SessionOpener(const SessionOpener&) = delete;
  SessionOpener& operator=(const SessionOpener&) = delete;

  void open(core::OpenSession wanted, const core::HostAbilities& abilities,
            std::string reply_to) override;
  void close(std::unique_ptr<runtime::HostedSession> hosted, std::string reply_to) override;
  void list(core::ListSessions wanted, std::string reply_to) override;
  void remove(core::DeleteSession wanted, std::string reply_to) override;
  void authenticate(core::Authenticate wanted, std::string reply_to) override;

 private:
  using Work = std::function<void()>;

  void enqueue(Work work);
  void run();
  void reply(const std::string& reply_to, protocol::CommandResult result);
  [[nodiscard]] HostingDeps deps() const;
  [[nodiscard]] protocol::CommandResult find_sessions(const core::ListSessions& wanted) const;
  [[nodiscard]] protocol::CommandResult delete_session(const core::DeleteSession& wanted) const;
  [[nodiscard]] protocol::CommandResult try_credentials(const core::Authenticate& wanted);

  HostingDeps deps_;
  // That of the start, and after it those with a key of the host's; sessions use theirs to the end.
  std::deque<platform::Environment> environments_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> work_;
  bool ending_ = false;
  CancelSource cancel_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace yume::app
