// SPDX-License-Identifier: MIT
#include "app/conversation.h"

#include "app/gemini_face/gemini_exit_code.h"
#include "app/rejection.h"
#include "app/session_setup.h"
#include "app/signal_watch.h"
#include "app/stdin_messages.h"
#include "app/stdin_use.h"
#include "net/curl_transport.h"
#include "platform/parent_process.h"
#include "runtime/main_loop.h"
#include "runtime/port.h"
#include "runtime/stdin_pump.h"
#include "session/services.h"
#include "session/session.h"
#include "util/escape_codes.h"
#include "util/thread.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace yume::app {
namespace {

// Of messages that wait for their turn.
constexpr std::size_t k_most_waiting = 16U << 20U;
constexpr std::string_view k_silent_stdin =
    "Warning: nothing came by stdin within 3 s, so the prompt is sent without it. Close stdin "
    "(< /dev/null) if nothing is meant to come, or put what is slow into a file first.";

runtime::Port::Questions questions_to(const protocol::Host& host) {
  using Questions = runtime::Port::Questions;
  if (!host.can_be_asked()) return Questions::cannot_be_asked;
  return host.wants_changes() ? Questions::with_changes : Questions::can_be_asked;
}

core::UserMessage read_text(std::string text, session::Session& live) {
  auto messages = read_stdin_messages(text);
  if (!messages) return core::UserMessage(std::move(text));
  if (!messages->before.entries.empty()) live.begin_with(std::move(messages->before));
  if (messages->system_prompt) {
    core::Initialize settings{.system_prompt = std::move(messages->system_prompt),
                              .append_system_prompt = {}};
    live.initialize(std::move(settings));
  }
  return std::move(messages->last);
}

// The tab learns the session's id and size, and that nothing is under way.
ExitCode reconnect(const session::Session& live, protocol::Host& host,
                   const platform::Clock& clock) {
  const core::SessionStarted info = live.info();
  core::TurnDone done;
  done.num_turns = 0;
  done.context = info.context;
  done.duration = std::chrono::milliseconds(1);
  protocol::write_when_due(host, {.address = {live.id()}, .event = info}, clock);
  protocol::write_when_due(host, {.address = {live.id()}, .event = done}, clock);
  return ExitCode::success;
}

// A conversation's keyboard is read as long as there is somebody to read it for.
class Typing {
 public:
  Typing(runtime::TypedConversation& conversation, runtime::Mailbox& mailbox)
      : conversation_(conversation) {
    conversation_.start(mailbox);
  }
  ~Typing() { conversation_.end(); }
  Typing(const Typing&) = delete;
  Typing& operator=(const Typing&) = delete;

 private:
  runtime::TypedConversation& conversation_;
};

void greet(const core::SessionStarted& session, protocol::Output& output) {
  output.bytes(safe_for_terminal("yume-cli, " + session.model + " in " + session.cwd +
                                 "\n/help lists the commands, Ctrl-J begins a new line, Ctrl-D "
                                 "leaves.\n\n"));
}

}  // namespace

ExitCode converse(const Options& options, Beginning beginning, const HostSide& side,
                  Surroundings& around) {
  protocol::Host& host = side.host;
  const auto make_transport = [&around] {
    return std::make_unique<net::CurlTransport>(around.clock, curl_options(around.environment));
  };
  net::CurlTransport credential_transport(around.clock, curl_options(around.environment));
  auth::CredentialChain credentials =
      make_credential_chain(beginning.credentials, beginning.spec.permissions.roots,
                            {.environment = around.environment,
                             .files = *around.files,
                             .processes = *around.processes,
                             .clock = around.clock,
                             .transport = credential_transport,
                             .log = side.log});
  beginning.spec.credential_source = credential_source_label(credentials, around.environment);
  const bool answers =
      options.host_answers || side.typed != nullptr || side.conversation != nullptr;
  beginning.spec.tools.host_answers = answers && host.can_be_asked();
  beginning.spec.tools.shows_output = host.shows_output();
  beginning.spec.mcp.host_carries =
      host.carries_mcp() && options.input_format == InputFormat::stream_json;
  std::vector<std::string> servers;
  for (const auto& server : beginning.spec.mcp.servers) servers.push_back(server.name);
  host.expect_servers(servers);
  session::Services services{.files = *around.files,
                             .processes = *around.processes,
                             .clock = around.clock,
                             .make_transport = make_transport,
                             .credentials = credentials,
                             .redactor = around.redactor,
                             .log = side.log,
                             .open_new = std::move(beginning.open_new)};
  ByteBudget waiting_messages(k_most_waiting);
  runtime::Mailbox mailbox;
  runtime::PendingRequests pending;
  runtime::Port port(mailbox, pending, questions_to(host));
  const std::string id = beginning.opened.id;
  const std::string model = beginning.spec.model.info.id;
  const SignalWatch signals(mailbox, around.clock,
                            options.converses ? SignalWatch::Interrupts::never_end
                                              : SignalWatch::Interrupts::second_ends);
  Thread reader_watch;
  const auto input = platform::stdin_stream();
  const bool streams_in = options.input_format == InputFormat::stream_json;
  const StdinText text = stdin_text(options);
  std::optional<runtime::StdinPump> pump;
  if (streams_in || text != StdinText::not_read) {
    pump.emplace(
        *input,
        streams_in ? runtime::StdinContent::stream_json : runtime::StdinContent::text_prompt,
        beginning.max_message_bytes, host, mailbox, waiting_messages);
  }
  std::optional<runtime::TypedPump> typed;
  if (side.typed != nullptr) typed.emplace(*side.typed, mailbox);
  std::optional<Typing> typing;
  if (side.conversation != nullptr) typing.emplace(*side.conversation, mailbox);
  session::Session live(std::move(beginning.spec), std::move(beginning.opened), services, port,
                        [&mailbox, id](std::uint64_t prompts) {
                          mailbox.post_idle({id, prompts});
                        });
  if (side.commands) {
    for (const core::SlashCommandInfo& command : live.commands()) {
      side.commands->push_back(command.name);
    }
  }
  if (options.converses) greet(live.info(), side.writer);
  if (options.reconnects) return reconnect(live, host, around.clock);
  const Rejection rejection(options, host, *around.err, around.clock);
  const bool gemini = options.face == Face::gemini;
  runtime::MainLoop loop(
      {.mailbox = mailbox,
       .pending = pending,
       .host = host,
       .writer = side.writer,
       .stderr_stream = *around.err,
       .clock = around.clock,
       .log = side.log,
       .last_resort = side.last_resort,
       .code_of = gemini ? gemini_exit_code : runtime::claude_exit_code,
       .turn_timeout = options.timeout,
       .stdin_adds_to_prompt = text == StdinText::adds_to_the_prompt,
       .stdin_place =
           gemini ? runtime::StdinPlace::above_prompt : runtime::StdinPlace::below_prompt,
       .stdin_patience = stdin_patience(options, text),
       .on_silent_stdin =
           [&] {
             // Hosts that read lines show every byte of stderr as an error.
             if (gemini || options.output_format == OutputFormat::stream_json) return;
             (void)around.err->write(std::string(k_silent_stdin) + "\n");
           },
       .on_begun =
           [&] {
             reader_watch = Thread([&mailbox](const CancelToken& cancel) {
               if (!platform::wait_for_lost_reader(cancel)) return;
               mailbox.post_control(runtime::ReaderLost{});
             });
             side.last_words.prepare(id, model);
           },
       .is_conversation = options.converses,
       .read_text =
           [&live](std::string from_stdin) { return read_text(std::move(from_stdin), live); },
       .process_id = platform::own_process(),
       .reject_empty_prompt = [&] { return rejection.report_empty_prompt(live.info().session_id); },
       .reject =
           [&](const std::string& why) { return rejection.report(live.info().session_id, why); }},
      {&live});
  if (options.prompt) host.show_start();
  return loop.run(streams_in ? std::nullopt : options.prompt);
}

}  // namespace yume::app
