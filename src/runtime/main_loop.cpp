// SPDX-License-Identifier: MIT
#include "runtime/main_loop.h"

#include "util/overloaded.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace yume::runtime {
namespace {

using QueuedPrompts = session::Session::QueuedPrompts;

// A cancelled turn that has not ended by then is left behind: everything ends inside 4 s.
constexpr std::chrono::milliseconds k_patience{3'500};
constexpr std::chrono::milliseconds k_patience_when_terminated{1'000};

core::TurnDone interrupted_turn() {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::interrupted;
  done.stop = core::StopReason::aborted;
  done.num_turns = 2;
  done.duration = std::chrono::milliseconds(1);
  return done;
}

protocol::InitializeDone initialize(session::Session& session, const core::Initialize& settings) {
  const core::SessionStarted info = session.info();
  return {.models = session.models(),
          .commands = session.commands(),
          .mode = info.mode,
          .credential_source = info.credential_source,
          .hooks_registered = !settings.hooks.empty(),
          .all_hooks_served = session.initialize(settings)};
}

protocol::CommandResult answer(core::Query query, const session::Session& session) {
  switch (query) {
    case core::Query::models:
      return protocol::ModelsListed{session.models()};
    case core::Query::context:
      return session.context_report();
    case core::Query::settings:
      return session.settings_report();
    case core::Query::version:
      return protocol::VersionTold{};
    case core::Query::cost:
      break;
  }
  return protocol::CostTold{session.cost_text()};
}

// "90 s", "0.5 s"
std::string seconds_text(std::chrono::milliseconds time) {
  const auto tenths = time.count() / 100;
  const std::string whole = std::to_string(tenths / 10);
  return (tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10)) + " s";
}

core::TurnDone as_timed_out(core::TurnDone done, std::chrono::milliseconds limit) {
  done.outcome = core::TurnOutcome::timed_out;
  done.text = "The turn took longer than " + seconds_text(limit) + " (--timeout) and was ended";
  return done;
}

}  // namespace

MainLoop::MainLoop(MainLoopParts parts, const std::vector<session::Session*>& sessions)
    : parts_(std::move(parts)) {
  for (session::Session* session : sessions) {
    if (first_session_.empty()) first_session_ = session->id();
    sessions_.emplace(session->id(), Live{.session = session});
  }
}

MainLoop::~MainLoop() {
  parts_.mailbox.close();
  parts_.pending.close();
}

MainLoop::Live* MainLoop::find(const std::string& session_id) {
  const auto found = sessions_.find(session_id.empty() ? first_session_ : session_id);
  return found == sessions_.end() ? nullptr : &found->second;
}

bool MainLoop::any_active() const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [](const auto& entry) { return entry.second.active; });
}

void MainLoop::write(const core::Envelope& envelope) {
  if (ending_ == Ending::at_once) return;
  const auto write_now = [&] { protocol::write_when_due(parts_.host, envelope, parts_.clock); };
  const bool is_result = std::holds_alternative<core::TurnDone>(envelope.event) &&
                         envelope.address.parent_call_id.empty();
  if (is_result) {
    parts_.last_resort.pay_result(code_if_broken(), write_now);
  } else {
    write_now();
  }
}

void MainLoop::reply(const std::string& reply_to, const protocol::CommandResult& result) {
  if (!reply_to.empty()) parts_.host.reply(reply_to, result);
}

ExitCode MainLoop::run(std::optional<std::string> prompt) {
  try {
    return serve(std::move(prompt));
  } catch (const std::exception& failure) {
    break_off(failure);
  }
}

// This thread cannot go on, and without it no other can. Whoever waits for a result gets it, and
// the process ends around what still runs.
void MainLoop::break_off(const std::exception& failure) noexcept {
  bool all_have_results = true;
  for (const auto& [id, live] : sessions_) {
    const bool waits = live.active ? !live.result_written : stdin_open_;
    all_have_results &= !waits;
    if (waits) write({.address = {id}, .event = session::broken_turn(failure)});
  }
  std::_Exit(static_cast<int>(all_have_results ? code_if_broken() : ExitCode::failure));
}

// A host that has the last result it can get may go by that; any other must see that something
// broke.
ExitCode MainLoop::code_if_broken() const {
  return stdin_open_ ? ExitCode::failure : last_code_;
}

ExitCode MainLoop::serve(std::optional<std::string> prompt) {
  stdin_open_ = !prompt || parts_.stdin_adds_to_prompt;
  if (stdin_open_ && parts_.stdin_patience) {
    stdin_deadline_ = parts_.clock.steady_now() + *parts_.stdin_patience;
  }
  if (prompt && stdin_open_) {
    given_prompt_ = std::move(prompt);
  } else if (prompt) {
    accept(core::UserMessage(*std::move(prompt)));
  }
  parts_.on_begun();
  for (;;) {
    if (!any_active()) {
      if (ending_ != Ending::none) break;
      report_refusals();
      if (!stdin_open_) break;
    }
    auto item = parts_.mailbox.take(next_deadline());
    if (item) {
      std::visit(Overloaded{
                     [this](Control& control) { handle(std::move(control)); },
                     [this](const Data& data) { handle(data); },
                 },
                 *item);
    } else {
      on_time();
    }
    if (parts_.writer.broken() && ending_ != Ending::at_once) {
      end(Ending::at_once, ExitCode::failure);
    }
  }
  return forced_code_.value_or(last_code_);
}

std::optional<platform::SteadyTime> MainLoop::next_deadline() const {
  std::optional<platform::SteadyTime> next;
  const auto consider = [&next](const std::optional<platform::SteadyTime>& deadline) {
    if (deadline && (!next || *deadline < *next)) next = deadline;
  };
  consider(parts_.host.wake_at());
  consider(stdin_deadline_);
  for (const auto& [id, live] : sessions_) {
    consider(live.give_up_at);
    consider(live.times_out_at);
  }
  return next;
}

void MainLoop::on_time() {
  const platform::SteadyTime now = parts_.clock.steady_now();
  parts_.host.on_time(now);
  for (auto& [id, live] : sessions_) {
    if (live.give_up_at && now >= *live.give_up_at) give_up(live);
    if (live.times_out_at && now >= *live.times_out_at) time_out(live);
  }
  if (stdin_deadline_ && now >= *stdin_deadline_) stop_waiting_for_stdin();
}

void MainLoop::stop_waiting_for_stdin() {
  stdin_deadline_.reset();
  stdin_open_ = false;
  if (given_prompt_) parts_.on_silent_stdin();
  accept_text("");
}

// What comes by stdin stands below the prompt, as Claude has it, or above it, as Gemini CLI has it.
void MainLoop::accept_text(std::string from_stdin) {
  core::UserMessage message(std::move(from_stdin));
  if (given_prompt_) {
    core::UserMessage given(*std::exchange(given_prompt_, std::nullopt));
    if (message.blank()) {
      message = std::move(given);
    } else if (parts_.stdin_place == StdinPlace::below_prompt) {
      message = core::UserMessage(given.text() + "\n" + message.text());
    } else if (!given.blank()) {
      message = core::UserMessage(message.text() + "\n\n" + given.text());
    }
  }
  accept(std::move(message));
}

void MainLoop::accept(core::UserMessage prompt) {
  if (prompt.blank()) {
    reject(parts_.reject_empty_prompt);
  } else if (Live* live = find("")) {
    submit(*live, {.message = std::move(prompt)}, {});
  }
}

void MainLoop::submit(Live& live, core::Prompt prompt, ByteBudget::Share share) {
  any_turn_ = true;
  if (!live.active) {
    live.result_written = false;
    set_timeout(live);
  }
  parts_.last_resort.owe_result();
  live.active = true;
  ++live.prompts;
  live.session->submit(std::move(prompt), std::move(share), [&](core::Event event) {
    write({.address = {live.session->id()}, .event = std::move(event)});
  });
}

void MainLoop::reject(const std::function<ExitCode()>& report) {
  parts_.last_resort.pay_result(ExitCode::failure, [&] { last_code_ = report(); });
}

void MainLoop::refuse(std::function<ExitCode()> report) {
  refusals_.push_back(std::move(report));
  if (!any_active()) report_refusals();
}

// Each is a turn that ends at once: its result must not be taken for that of another.
void MainLoop::report_refusals() {
  for (const auto& report : std::exchange(refusals_, {})) {
    if (Live* live = find("")) {
      write({.address = {live->session->id()}, .event = live->session->info()});
    }
    reject(report);
  }
}

void MainLoop::handle(Control control) {
  std::visit(Overloaded{
                 [this](FromHost& line) { on_message(std::move(line)); },
                 [this](const LineTyped& typed) { on_typed(typed.line); },
                 [this](MessageRefused& refused) {
                   refuse([this, why = std::move(refused.why)] { return parts_.reject(why); });
                 },
                 [](const StdinBegan&) {},
                 [this](TextFromStdin& text) {
                   if (stdin_open_) accept_text(std::move(text.text));  // else it came too late
                 },
                 [this](const TextRefused& refused) {
                   given_prompt_.reset();  // half of a message is not asked
                   reject([&] { return parts_.reject(refused.why); });
                 },
                 [](const OutOfMemory&) { throw std::bad_alloc(); },
                 [this](const StdinClosed&) {
                   stdin_open_ = false;
                   parts_.pending.close();
                 },
                 [this](const ReaderLost&) {
                   // A host that has its result may go at any time.
                   const bool done =
                       std::all_of(sessions_.begin(), sessions_.end(), [](const auto& entry) {
                         return !entry.second.active || entry.second.result_written;
                       });
                   end(Ending::at_once, done ? last_code_ : ExitCode::failure);
                 },
                 [this](const SignalReceived& received) { on_signal(received.signal); },
                 [this](const ReplyReady& ready) {
                   if (ending_ != Ending::at_once) reply(ready.reply_to, ready.result);
                 },
             },
             control);
  stdin_deadline_.reset();
}

void MainLoop::on_message(FromHost from_host) {
  protocol::HostMessage& message = from_host.message;
  std::visit(Overloaded{
                 [this](const protocol::RawAnswer& answer) { on_answer(answer); },
                 [&](core::Command& command) {
                   Live* live = find(message.session_id);
                   if (live == nullptr) return;
                   on_command(*live, std::move(command), message.reply_to,
                              std::move(from_host.share));
                 },
             },
             message.content);
}

void MainLoop::on_command(Live& live, core::Command command, const std::string& reply_to,
                          ByteBudget::Share share) {
  std::visit(
      Overloaded{
          [&](core::Prompt& prompt) {
            if (prompt.message.blank()) {
              refuse(parts_.reject_empty_prompt);
            } else {
              submit(live, std::move(prompt), std::move(share));
            }
          },
          [&](const core::Interrupt& wanted) {
            std::vector<std::string> queued = live.session->queued_uuids();
            if (wanted.cancel_queued) {
              reply(reply_to, protocol::InterruptDone{.cancelled = std::move(queued)});
              interrupt(live, QueuedPrompts::forget);
            } else {
              reply(reply_to, protocol::InterruptDone{.still_queued = std::move(queued)});
              interrupt(live, QueuedPrompts::keep);
            }
          },
          [&](const core::Initialize& settings) {
            reply(reply_to, initialize(*live.session, settings));
          },
          [&](const core::StopTask& task) { stop_task(live, task.task_id, reply_to); },
          [&](const core::SetMode& wanted) { set_mode(live, wanted.mode, reply_to); },
          [&](const core::SetModel& wanted) { set_model(live, wanted.name, reply_to); },
          [&](const core::SetThinking& wanted) {
            live.session->limit_thinking(wanted.max_tokens);
            reply(reply_to, protocol::CommandDone{});
          },
          [&](core::RewindFiles& wanted) {
            live.session->rewind(std::move(wanted), [this, reply_to](core::RewindReport report) {
              reply_later(reply_to, std::move(report));
            });
          },
          [&](const core::Query& query) { reply(reply_to, answer(query, *live.session)); },
          [&](const core::McpQueryStatus&) {
            reply(reply_to, protocol::McpStatusReport{live.session->mcp().reports()});
          },
          [&](const core::McpSetServers& wanted) {
            live.session->mcp().set(wanted.servers, [this, reply_to](const auto& outcome) {
              reply_later(reply_to, protocol::McpServersWereSet{outcome});
            });
          },
          [&](const core::McpReconnect& wanted) {
            live.session->mcp().reconnect(wanted.server, reply_when_done(reply_to));
          },
          [&](const core::McpToggle& wanted) {
            live.session->mcp().toggle(wanted.server, wanted.enabled, reply_when_done(reply_to));
          },
          [&](const core::McpFromHost& said) {
            live.session->mcp().take_from_host(said.server, said.message);
            reply(reply_to, protocol::CommandDone{});
          },
          [&](const core::EndSession&) {
            reply(reply_to, protocol::CommandDone{});
            stdin_open_ = false;
          },
          [&](const core::Unsupported& request) {
            reply(reply_to, protocol::NotSupported{request.what});
          },
          [&](core::Refused& refused) {
            if (!reply_to.empty()) {
              reply(reply_to, protocol::RequestRefused{refused.why, refused.code});
            } else {
              refuse([this, why = std::move(refused.why)] { return parts_.reject(why); });
            }
          },
          [](const core::Ignored&) {},
          [&](const core::Malformed& line) {
            (void)parts_.stderr_stream.write(line.reason + "\n");
            end(Ending::after_turn, ExitCode::failure);
          },
      },
      command);
}

// Any thread.
void MainLoop::reply_later(const std::string& reply_to, protocol::CommandResult result) {
  if (reply_to.empty()) return;
  parts_.mailbox.post_control(ReplyReady{reply_to, std::move(result)});
}

std::function<void(const Result<void>&)> MainLoop::reply_when_done(const std::string& reply_to) {
  return [this, reply_to](const Result<void>& outcome) {
    if (outcome.ok()) {
      reply_later(reply_to, protocol::CommandDone{});
    } else {
      reply_later(reply_to, protocol::RequestRefused{outcome.error().message, "mcp_error"});
    }
  };
}

void MainLoop::stop_task(Live& live, const std::string& task_id, const std::string& reply_to) {
  if (live.session->stop_task(task_id)) return reply(reply_to, protocol::CommandDone{});
  reply(reply_to, protocol::RequestRefused{"No such task is running.", "task_not_found"});
}

void MainLoop::set_mode(Live& live, core::PermissionMode mode, const std::string& reply_to) {
  if (auto problem = live.session->set_mode(mode)) {
    reply(reply_to, protocol::RequestRefused{*std::move(problem), "bypass_not_launched"});
    return;
  }
  reply(reply_to, protocol::ModeSet{mode});
  write({.address = {live.session->id()}, .event = core::ModeChanged{mode}});
  // What waits for an answer may be allowed or denied now.
  parts_.pending.look_again();
}

void MainLoop::set_model(Live& live, const std::string& name, const std::string& reply_to) {
  const auto model = live.session->set_model(name);
  if (!model.ok()) {
    reply(reply_to, protocol::RequestRefused{model.error().message, "invalid_model"});
    return;
  }
  write({.address = {live.session->id()}, .event = core::ModelChanged{*model}});
  reply(reply_to, protocol::ModelSet{*model});
}

void MainLoop::on_answer(const protocol::RawAnswer& answer) {
  const bool taken =
      parts_.pending.answer(answer.request_id, [&](const core::HostQuestion& question) {
        return parts_.host.read_answer(question, answer);
      });
  if (!taken) {
    parts_.log.write("host", "an answer to no open question was ignored: " + answer.request_id);
  }
}

void MainLoop::on_typed(const protocol::TypedLine& line) {
  const auto answer = parts_.host.take_typed(line);
  if (!answer) return;
  parts_.pending.answer(line.question_id, [&](const core::HostQuestion&) { return answer; });
}

void MainLoop::handle(const Data& data) {
  std::visit(Overloaded{
                 [this](const core::Envelope& envelope) { on_envelope(envelope); },
                 [this](const QuestionAsked& asked) {
                   if (ending_ == Ending::at_once) return;
                   parts_.host.ask(asked.request_id, asked.from, asked.question);
                 },
                 [this](const QuestionWithdrawn& withdrawn) {
                   if (ending_ == Ending::at_once) return;
                   parts_.host.withdraw(withdrawn.request_id);
                 },
                 [this](const SessionIdle& idle) { on_idle(idle); },
             },
             data);
}

void MainLoop::on_envelope(const core::Envelope& envelope) {
  const auto* done = std::get_if<core::TurnDone>(&envelope.event);
  Live* live = find(envelope.address.session_id);
  const bool ends_turn = done != nullptr && envelope.address.parent_call_id.empty();
  if (!ends_turn || live == nullptr) return write(envelope);
  const bool late = std::exchange(live->timed_out, false) &&
                    done->outcome == core::TurnOutcome::interrupted && parts_.turn_timeout;
  set_timeout(*live);  // for a turn that follows at once
  if (!late) {
    on_turn_done(*live, *done);
    return write(envelope);
  }
  const core::TurnDone end = as_timed_out(*done, *parts_.turn_timeout);
  on_turn_done(*live, end);
  write({.address = envelope.address, .event = end});
}

void MainLoop::set_timeout(Live& live) {
  if (parts_.turn_timeout) live.times_out_at = parts_.clock.steady_now() + *parts_.turn_timeout;
}

void MainLoop::time_out(Live& live) {
  live.times_out_at.reset();
  if (!live.active) return;
  live.timed_out = true;
  interrupt(live, QueuedPrompts::keep);
}

void MainLoop::on_turn_done(Live& live, const core::TurnDone& done) {
  live.result_written = true;
  last_code_ = parts_.code_of(
      done, ending_ == Ending::after_turn ? AskedToEnd::by_sigint : AskedToEnd::no);
}

void MainLoop::on_idle(const SessionIdle& idle) {
  Live* live = find(idle.session_id);
  if (live == nullptr || idle.prompts != live->prompts) return;
  live->active = false;
  live->give_up_at.reset();
  live->times_out_at.reset();
  if (live->session->ran_out_of_memory()) end(Ending::after_turn, ExitCode::failure);
}

void MainLoop::on_signal(platform::Signal signal) {
  const bool gentle = signal == platform::Signal::interrupt && ending_ == Ending::none;
  if (!gentle) {
    end(Ending::at_once,
        signal == platform::Signal::interrupt ? ExitCode::failure : ExitCode::terminated);
    return;
  }
  ending_ = Ending::after_turn;
  if (!any_turn_) forced_code_ = ExitCode::failure;  // there was nothing to deliver
  for (auto& [id, live] : sessions_) interrupt(live, QueuedPrompts::forget);
}

void MainLoop::interrupt(Live& live, QueuedPrompts queued) {
  if (!live.session->interrupt(queued)) return;
  if (!live.give_up_at) live.give_up_at = parts_.clock.steady_now() + k_patience;
}

void MainLoop::end(Ending ending, ExitCode code) {
  if (ending_ == Ending::at_once) return;  // nothing is more final
  ending_ = ending;
  forced_code_ = code;
  stdin_open_ = false;
  for (auto& [id, live] : sessions_) {
    if (ending == Ending::at_once && live.active) {
      live.give_up_at = parts_.clock.steady_now() + k_patience_when_terminated;
    }
    interrupt(live, QueuedPrompts::forget);
  }
  if (ending == Ending::at_once) parts_.mailbox.close();
}

// The session's thread does not answer. The host gets its result, and the process ends around it;
// what the turn had started dies with the process.
void MainLoop::give_up(Live& live) {
  if (!live.result_written) {
    const bool late = live.timed_out && parts_.turn_timeout;
    const core::TurnDone done =
        late ? as_timed_out(interrupted_turn(), *parts_.turn_timeout) : interrupted_turn();
    on_turn_done(live, done);
    write({.address = {live.session->id()}, .event = done});
  }
  std::_Exit(static_cast<int>(forced_code_.value_or(last_code_)));
}

}  // namespace yume::runtime
