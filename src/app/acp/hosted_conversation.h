// SPDX-License-Identifier: MIT
// Puts together a session that a host opens while the program runs, and has it. What the command
// line says holds for each; the directory, its settings and its servers are the session's own.
#pragma once

#include "app/conversation.h"
#include "app/options.h"
#include "core/host_port.h"
#include "core/session_commands.h"
#include "runtime/hosting.h"
#include "runtime/mailbox.h"
#include "util/log.h"
#include "util/result.h"

namespace yume::app {

// Borrowed for the session's life.
struct HostingDeps {
  const Options& options;
  Surroundings& around;
  const platform::Environment& environment;  // with what the host has brought since the start
  core::HostPort& port;
  runtime::Mailbox& mailbox;
  Log& log;
};

// Reads files, and for a session that goes on all of it. Errors: not_found when there is no such
// session; the message is for people.
Result<runtime::Opening> open_conversation_for(const core::OpenSession& wanted,
                                               const core::HostAbilities& abilities,
                                               const HostingDeps& deps);

}  // namespace yume::app
