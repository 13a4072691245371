// SPDX-License-Identifier: MIT
#include "app/acp/acp_agent.h"

#include "app/acp/session_opener.h"
#include "app/overflow_files.h"
#include "app/signal_watch.h"
#include "config/places.h"
#include "config/settings.h"
#include "platform/parent_process.h"
#include "platform/stdio.h"
#include "protocol/acp/acp_host.h"
#include "runtime/main_loop.h"
#include "runtime/port.h"
#include "runtime/stdin_pump.h"
#include "util/thread.h"

namespace yume::app {
namespace {

// Of messages that wait for their turn.
constexpr std::size_t k_most_waiting = 16U << 20U;

// A turn that fails is told by its reply: the program did what it was started for.
ExitCode well(const core::TurnDone& /*done*/, runtime::AskedToEnd /*asked*/) {
  return ExitCode::success;
}

}  // namespace

ExitCode serve_acp(const Options& options, protocol::LineWriter& writer,
                   runtime::LastResort& last_resort, Log& log, Surroundings& around) {
  OverflowFiles overflow(*around.files, config::overflow_folder(around.environment));
  protocol::AcpHost host(writer, overflow, YUME_CLI_VERSION);
  ByteBudget waiting_messages(k_most_waiting);
  runtime::Mailbox mailbox;
  runtime::PendingRequests pending;
  runtime::Port port(mailbox, pending, runtime::Port::Questions::with_changes);
  const SignalWatch signals(mailbox, around.clock);
  Thread reader_watch;
  SessionOpener opener({.options = options,
                        .around = around,
                        .environment = around.environment,
                        .port = port,
                        .mailbox = mailbox,
                        .log = log});
  const auto input = platform::stdin_stream();
  runtime::StdinPump pump(*input, runtime::StdinContent::stream_json,
                          options.max_message_bytes.value_or(config::k_max_message_bytes), host,
                          mailbox, waiting_messages);
  runtime::MainLoop loop({.mailbox = mailbox,
                          .pending = pending,
                          .host = host,
                          .writer = writer,
                          .stderr_stream = *around.err,
                          .clock = around.clock,
                          .log = log,
                          .last_resort = last_resort,
                          .code_of = well,
                          .turn_timeout = options.timeout,
                          .on_begun =
                              [&] {
                                reader_watch = Thread([&mailbox](const CancelToken& cancel) {
                                  if (!platform::wait_for_lost_reader(cancel)) return;
                                  mailbox.post_control(runtime::ReaderLost{});
                                });
                              },
                          .process_id = platform::own_process(),
                          .hosting = &opener,
                          .reject_empty_prompt = [] { return ExitCode::failure; },
                          .reject = [](const std::string&) { return ExitCode::failure; }},
                         {});
  return loop.run(std::nullopt);
}

}  // namespace yume::app
