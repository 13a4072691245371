// SPDX-License-Identifier: MIT
// Which host the options speak of: a dialect of lines, a format for scripts, or a terminal.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/options.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "protocol/conversation_input.h"
#include "protocol/host.h"
#include "protocol/line_writer.h"
#include "protocol/overflow.h"
#include "protocol/typed_input.h"

namespace yume::app {

// The Yume app hears nothing before it has noticed that the program runs.
inline constexpr std::chrono::milliseconds k_app_listens_after{120};
// The least time between two lines that show it a text that still grows.
inline constexpr std::chrono::milliseconds k_live_text_gap{80};

// Where a host is written to, and a person typed at; borrowed.
struct HostStreams {
  protocol::Output& lines;
  protocol::Output& progress;  // beside them, for a person
  protocol::OverflowStore& overflow;
  const platform::Clock& clock;
  platform::SteadyTime listens_at = {};   // lines before that may be lost
  protocol::TypedInput* typed = nullptr;  // of the person who may be asked; null: nobody
  protocol::ConversationInput* conversation = nullptr;  // of one who may say more, too
};

// Yume's Node server, which starts `claude`.
bool is_yume_server(const platform::Environment& environment);

// Somebody sits at a terminal and may be asked.
bool asks_person(const Options& options);

// `session_id`: for what is reported before there is a session.
std::unique_ptr<protocol::Host> make_host(const Options& options, const HostStreams& streams,
                                          const std::string& session_id,
                                          const platform::Environment& environment);

// Writes nothing but the result, as one JSON object in Claude's form.
std::unique_ptr<protocol::Host> make_result_host(const Options& options, protocol::Output& output,
                                                 protocol::OverflowStore& overflow,
                                                 const std::string& session_id,
                                                 const platform::Environment& environment);

}  // namespace yume::app
