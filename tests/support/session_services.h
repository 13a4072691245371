// SPDX-License-Identifier: MIT
// All that a session needs, in memory, with a strategy of the test's own.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "session/services.h"
#include "session/session.h"
#include "support/memory_file_system.h"
#include "support/scripted_transport.h"
#include "support/tool_world.h"

namespace yume::test {

// What only thinking strategies have.
class SimpleStrategy : public strategies::Strategy {
 public:
  core::TurnDone compact(const std::string&, core::TurnPort&, const CancelToken&) override {
    return {};
  }
  strategies::ContextUse measure_context(core::TurnPort&, const CancelToken&) override {
    return {};
  }
  void reconsider() override {}
  std::int64_t prefix_tokens() const override { return 0; }
  double compaction_share() const override { return 0.5; }
  core::UsageByModel usage() const override { return {}; }
};

// The session owns this, the test what it stands for.
class BorrowedStrategy final : public strategies::Strategy {
 public:
  explicit BorrowedStrategy(strategies::Strategy& inner) : inner_(inner) {}

  core::TurnDone run(strategies::TurnInput input, core::TurnPort& port,
                     const CancelToken& cancel) override {
    return inner_.run(std::move(input), port, cancel);
  }
  core::TurnDone compact(const std::string& focus, core::TurnPort& port,
                         const CancelToken& cancel) override {
    return inner_.compact(focus, port, cancel);
  }
  strategies::ContextUse measure_context(core::TurnPort& port, const CancelToken& cancel) override {
    return inner_.measure_context(port, cancel);
  }
  void reconsider() override { inner_.reconsider(); }
  std::int64_t prefix_tokens() const override { return inner_.prefix_tokens(); }
  double compaction_share() const override { return inner_.compaction_share(); }
  core::UsageByModel usage() const override { return inner_.usage(); }

 private:
  strategies::Strategy& inner_;
};

class SessionServices {
 public:
  // `strategy` outlives the sessions that are opened with them.
  explicit SessionServices(strategies::Strategy& strategy)
      : services_{.files = files_,
                  .processes = processes_,
                  .clock = clock_,
                  .make_transport =
                      [] { return std::make_unique<ScriptedTransport>(std::vector<Answer>{}); },
                  .credentials = credentials_,
                  .redactor = redactor_,
                  .log = null_log(),
                  .make_strategy =
                      [this, &strategy](core::Conversation, const strategies::StrategyDeps& deps) {
                        spec_ = &deps.spec;
                        return std::make_unique<BorrowedStrategy>(strategy);
                      }} {}

  // Of the session that was opened last, as its strategy sees it: on the session's thread.
  const config::SessionSpec& spec() const { return *spec_; }

  // A session in /w with the model "m" and without tools.
  static config::SessionSpec plain_spec() {
    config::SessionSpec spec{.cwd = "/w"};
    spec.model.info.id = "m";
    spec.tools.only = std::vector<std::string>{};
    return spec;
  }
  // A new conversation; without a file it is not kept.
  transcript::OpenedSession begin(const std::string& id,
                                  std::unique_ptr<platform::AppendFile> file = nullptr) const {
    transcript::OpenedSession opened;
    opened.id = id;
    opened.journal = std::make_unique<transcript::Journal>(
        std::move(file), nullptr,
        transcript::LineHead{.session_id = id, .cwd = "/w", .version = "1"},
        std::vector<std::string>{}, clock_);
    return opened;
  }
  std::unique_ptr<session::Session> open(const std::string& id, core::HostPort& host,
                                         session::Session::OnIdle on_idle) {
    return std::make_unique<session::Session>(plain_spec(), begin(id), services_, host,
                                              std::move(on_idle));
  }
  session::Services& services() { return services_; }

 private:
  MemoryFileSystem files_;
  ScriptedRunner processes_;
  platform::SystemClock clock_;
  Redactor redactor_;
  auth::CredentialChain credentials_{{}, auth::ChainMode::automatic, clock_, null_log()};
  const config::SessionSpec* spec_ = nullptr;
  session::Services services_;
};

}  // namespace yume::test
