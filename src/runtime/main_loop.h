// SPDX-License-Identifier: MIT
// The main thread's loop: takes what the other threads post, owns the host and the table of live
// sessions, climbs the interrupt ladder, and decides when the program ends and with which code.
// Blocks on nothing but the mailbox.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/envelope.h"
#include "core/message.h"
#include "platform/clock.h"
#include "platform/stdio.h"
#include "protocol/host.h"
#include "protocol/line_writer.h"
#include "runtime/exit_codes.h"
#include "runtime/hosting.h"
#include "runtime/last_resort.h"
#include "runtime/mailbox.h"
#include "runtime/pending_requests.h"
#include "runtime/turn_exit.h"
#include "session/session.h"
#include "util/log.h"

namespace yume::runtime {

// Where what comes by stdin stands in a prompt that has both.
enum class StdinPlace { below_prompt, above_prompt };

// What the loop works with; borrowed.
struct MainLoopParts {
  Mailbox& mailbox;
  PendingRequests& pending;
  protocol::Host& host;
  const protocol::LineWriter& writer;
  platform::OutputStream& stderr_stream;
  const platform::Clock& clock;
  Log& log;
  LastResort& last_resort;
  // With which code the program ends after such a turn.
  std::function<ExitCode(const core::TurnDone&, AskedToEnd)> code_of = claude_exit_code;
  // How long a turn may take; absent: as long as it wants.
  std::optional<std::chrono::milliseconds> turn_timeout = std::nullopt;
  // Text on stdin joins a prompt that was given.
  bool stdin_adds_to_prompt = false;
  StdinPlace stdin_place = StdinPlace::below_prompt;
  // How long to wait for the first byte of a text on stdin; absent: for ever.
  std::optional<std::chrono::milliseconds> stdin_patience = std::nullopt;
  // Nothing came in that time, and the prompt goes without.
  std::function<void()> on_silent_stdin = [] {};
  // A prompt that was there from the start is under way, and the host has its first line: the time
  // for what could wait.
  std::function<void()> on_begun = [] {};
  // A person types prompts, and the end of one turn is not the end.
  bool is_conversation = false;
  // The message that a text on stdin is.
  std::function<core::UserMessage(std::string text)> read_text = [](std::string text) {
    return core::UserMessage(std::move(text));
  };
  std::int64_t process_id = 0;  // ours, for hosts that want to know
  // For a host that opens its sessions itself, and whose end is theirs; null: it has those that
  // there are.
  Hosting* hosting = nullptr;
  // Reports to the host that there was nothing to ask, or why its message is not asked.
  std::function<ExitCode()> reject_empty_prompt;
  std::function<ExitCode(const std::string& why)> reject;
};

class MainLoop {
 public:
  // The first session is the one that messages without an address are for.
  MainLoop(MainLoopParts parts, const std::vector<session::Session*>& sessions);
  ~MainLoop();
  MainLoop(const MainLoop&) = delete;
  MainLoop& operator=(const MainLoop&) = delete;

  // With a prompt: that turn, and stdin's text in it if it is read; then the end. Without: what
  // stdin brings, until it closes.
  ExitCode run(std::optional<std::string> prompt);

 private:
  enum class Ending {
    none,
    after_turn,  // SIGINT, a bad line: deliver the result, then end
    at_once,     // SIGTERM, stdout gone: stop the turns, write nothing more
  };
  struct Live {
    std::unique_ptr<HostedSession> hosted = nullptr;  // of one that the host has opened
    session::Session* session = nullptr;              // null: it is being closed
    std::string id = {};                              // of its conversation, as the host knows it
    std::uint64_t prompts = 0;                        // handed over
    bool active = false;  // the SessionIdle of the last one has not come
    bool result_written = false;
    std::optional<platform::SteadyTime> give_up_at = std::nullopt;
    std::optional<platform::SteadyTime> times_out_at = std::nullopt;
    bool timed_out = false;  // the turn that runs is being ended for that
    core::SessionState state = core::SessionState::idle;  // as the host knows it
    // Questions that a person has to answer: the calls that they are about, by request.
    std::map<std::string, std::string> waits_for = {};
  };

  ExitCode serve(std::optional<std::string> prompt);
  [[noreturn]] void break_off(const std::exception& failure) noexcept;
  [[nodiscard]] ExitCode code_if_broken() const;
  void reject(const std::function<ExitCode()>& report);
  void accept(core::UserMessage prompt);
  void accept_text(std::string from_stdin);
  void stop_waiting_for_stdin();
  void submit(Live& live, core::Prompt prompt, ByteBudget::Share share);
  void append(Live& live, core::Prompt prompt, ByteBudget::Share share);
  void refuse(std::function<ExitCode()> report);
  void report_refusals();

  void handle(Control control);
  void handle(const Data& data);
  void on_message(FromHost from_host);
  void on_command(Live& live, core::Command command, const std::string& reply_to,
                  ByteBudget::Share share);
  void begin(Live& live, core::BeginSession wanted, ByteBudget::Share share);
  void on_host_command(core::Command command, const std::string& reply_to);
  void close(Live& live, const std::string& reply_to);
  void on_opened(SessionOpened& opened);
  void on_closed(const SessionClosed& closed);
  void stop_task(Live& live, const std::string& task_id, const std::string& reply_to);
  void set_mode(Live& live, core::PermissionMode mode, const std::string& reply_to);
  void set_model(Live& live, const std::string& name, const std::string& reply_to);
  void tell_cancelled(Live& live, const std::vector<std::string>& uuids);
  void run_errand(Live& live, session::Session::Errand errand);
  void rename(Live& live, core::RenameSession wanted, const std::string& reply_to);
  void call_tool(Live& live, core::McpCallTool wanted, const std::string& reply_to);
  void read_resource(Live& live, core::McpReadResource wanted, const std::string& reply_to);
  void apply(Live& live, const core::ApplySettings& settings, const std::string& reply_to);
  void reply_later(const std::string& reply_to, protocol::CommandResult result);
  [[nodiscard]] std::function<void(const Result<void>&)> reply_when_done(
      const std::string& reply_to);
  void on_answer(const protocol::RawAnswer& answer);
  [[nodiscard]] std::string question_about(const std::string& call_id) const;
  void on_asked(const QuestionAsked& asked);
  void on_settled(const std::string& request_id);
  void forget_questions(Live& live);
  void tell_state(Live& live, core::SessionState state);
  void on_typed(const protocol::TypedLine& line);
  void on_prompt(protocol::TypedPrompt prompt);
  void interrupt_conversation();
  void on_envelope(const core::Envelope& envelope);
  void set_timeout(Live& live);
  void time_out(Live& live);
  void on_idle(const SessionIdle& idle);
  static void follow_reset(Live& live, const core::Event& event);
  void on_turn_begun(Live& live);
  void on_turn_done(Live& live, const core::TurnDone& done);
  void on_signal(platform::Signal signal);
  void on_time();

  void interrupt(Live& live, session::Session::QueuedPrompts queued);
  void end(Ending ending, ExitCode code);
  void give_up(Live& live);
  void write(const core::Envelope& envelope);
  void reply(const std::string& reply_to, const protocol::CommandResult& result);
  [[nodiscard]] Live* find(const std::string& session_id);
  [[nodiscard]] bool any_active() const;
  [[nodiscard]] std::optional<platform::SteadyTime> next_deadline() const;

  MainLoopParts parts_;
  std::map<std::string, Live> sessions_;
  core::HostAbilities abilities_;
  std::string first_session_;
  std::optional<std::string> given_prompt_;          // waits for what stdin adds to it
  std::vector<std::function<ExitCode()>> refusals_;  // of messages; reported between turns
  bool stdin_open_ = false;
  bool any_turn_ = false;
  std::optional<platform::SteadyTime> stdin_deadline_;
  Ending ending_ = Ending::none;
  std::optional<ExitCode> forced_code_;
  ExitCode last_code_ = ExitCode::success;
};

}  // namespace yume::runtime
