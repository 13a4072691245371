// SPDX-License-Identifier: MIT
// What all sessions of a process share. Everything here is thread-safe and outlives them.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "auth/credential_chain.h"
#include "core/conversation.h"
#include "core/session_commands.h"
#include "net/transport.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "strategies/make_strategy.h"
#include "strategies/strategy.h"
#include "transcript/session_store.h"
#include "util/log.h"
#include "util/redactor.h"

namespace yume::session {

using MakeStrategy = std::function<std::unique_ptr<strategies::Strategy>(core::Conversation past,
                                                                         strategies::StrategyDeps)>;

struct Services {
  platform::FileSystem& files;
  platform::ProcessRunner& processes;
  const platform::Clock& clock;
  // One for each session and each fetch: a transport makes one exchange at a time.
  std::function<std::unique_ptr<net::Transport>()> make_transport;
  auth::CredentialChain& credentials;  // with a transport of its own
  Redactor& redactor;
  Log& log;
  MakeStrategy make_strategy = strategies::make_strategy;
  // What the host does for its sessions beside being asked.
  core::HostAbilities host = {};
  // A new conversation where the others are, for a session that begins anew; empty: it cannot.
  std::function<Result<transcript::OpenedSession>()> open_new = {};
};

}  // namespace yume::session
