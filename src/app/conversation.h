// SPDX-License-Identifier: MIT
// Puts together what one conversation needs, and has it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/credentials.h"
#include "app/exit_codes.h"
#include "app/last_words.h"
#include "app/options.h"
#include "config/session_spec.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "platform/stdio.h"
#include "protocol/host.h"
#include "protocol/line_writer.h"
#include "runtime/last_resort.h"
#include "runtime/typed_conversation.h"
#include "runtime/typed_lines.h"
#include "transcript/session_store.h"
#include "util/log.h"
#include "util/redactor.h"

namespace yume::app {

// The outside world of one run, made before anything is decided.
struct Surroundings {
  explicit Surroundings(const platform::Environment& started_with) : environment(started_with) {}

  const platform::Environment& environment;
  std::unique_ptr<platform::OutputStream> err = platform::stderr_stream();
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  std::unique_ptr<platform::ProcessRunner> processes = platform::make_process_runner();
  platform::SystemClock clock;
  Redactor redactor;
};

// What the conversation is had with, and from where.
struct Beginning {
  config::SessionSpec spec;
  transcript::OpenedSession opened;
  CredentialChoice credentials;
  std::size_t max_message_bytes;
  // Another one of the same kind, for a session that begins anew.
  std::function<Result<transcript::OpenedSession>()> open_new = {};
};

// How its host is reached; borrowed.
struct HostSide {
  protocol::LineWriter& writer;
  protocol::Host& host;
  Log& log;
  runtime::LastResort& last_resort;
  const LastWords& last_words;
  runtime::TypedLines* typed = nullptr;  // of the person who may be asked; null: nobody
  // Of the person who has a conversation, and the names that they may complete.
  runtime::TypedConversation* conversation = nullptr;
  std::shared_ptr<std::vector<std::string>> commands = nullptr;
};

// Until the host is done, or the program has to end.
ExitCode converse(const Options& options, Beginning beginning, const HostSide& side,
                  Surroundings& around);

}  // namespace yume::app
