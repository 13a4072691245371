// SPDX-License-Identifier: MIT
// What hosts want of a session, and what they are answered.
#include "runtime/main_loop.h"

#include "util/overloaded.h"

#include <filesystem>
#include <system_error>
#include <type_traits>
#include <utility>

namespace yume::runtime {
namespace {

using QueuedPrompts = session::Session::QueuedPrompts;

protocol::InitializeDone initialize(session::Session& session, const core::Initialize& settings) {
  const core::SessionStarted info = session.info();
  // First: what the host brings counts for what it is told.
  const bool all_hooks_served = session.initialize(settings);
  return {.models = session.models(),
          .commands = session.commands(),
          .agents = session.agents(),
          .mode = info.mode,
          .credential_source = info.credential_source,
          .hooks_registered = !settings.hooks.empty(),
          .all_hooks_served = all_hooks_served};
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
    case core::Query::rules:
      return session.rules_report();
    case core::Query::hooks:
      return session.hooks_report();
    case core::Query::plan:
      return protocol::NoPlan{};
    case core::Query::cost:
      break;
  }
  return protocol::CostTold{session.cost_text()};
}

std::string_view code_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::permission_denied:
      return "permission_denied";
    default:
      return "invalid_request";
  }
}

protocol::RequestRefused refusal(const Error& error) {
  return {error.message, std::string(code_of(error))};
}

// What came of something, or why nothing did.
template <class T>
protocol::CommandResult outcome(Result<T> result) {
  if (!result.ok()) return refusal(result.error());
  if constexpr (std::is_void_v<T>) {
    return protocol::CommandDone{};
  } else {
    return std::move(result).value();
  }
}

// Whoever only asks has an answer; whoever wanted the files back does not have them.
protocol::CommandResult rewound(core::RewindReport report, bool dry_run) {
  if (report.possible || dry_run) return report;
  return protocol::RequestRefused{std::move(report.problem), "cannot_rewind"};
}

}  // namespace

void MainLoop::on_command(Live& live, core::Command command, const std::string& reply_to,
                          ByteBudget::Share share) {
  std::visit(
      Overloaded{
          [&](core::Prompt& prompt) {
            if (prompt.message.blank() && !reply_to.empty()) {
              reply(reply_to, protocol::RequestRefused{"the prompt is empty", "invalid_params"});
            } else if (prompt.message.blank()) {
              refuse(parts_.reject_empty_prompt);
            } else if (!prompt.wants_reply) {
              append(live, std::move(prompt), std::move(share));
            } else {
              reply(reply_to, protocol::PromptQueued{prompt.uuid});
              submit(live, std::move(prompt), std::move(share));
            }
          },
          [&](const core::Interrupt& wanted) {
            std::vector<std::string> queued = live.session->queued_uuids();
            if (wanted.cancel_queued) {
              reply(reply_to, protocol::InterruptDone{.cancelled = queued});
              interrupt(live, QueuedPrompts::forget);
              tell_cancelled(live, queued);
            } else {
              reply(reply_to, protocol::InterruptDone{.still_queued = std::move(queued)});
              interrupt(live, QueuedPrompts::keep);
            }
          },
          [&](const core::Initialize& settings) {
            protocol::InitializeDone done = initialize(*live.session, settings);
            done.busy = live.active;
            done.process_id = parts_.process_id;
            reply(reply_to, done);
          },
          [&](const core::StopTask& task) { stop_task(live, task.task_id, reply_to); },
          [&](const core::SetMode& wanted) { set_mode(live, wanted.mode, reply_to); },
          [&](const core::SetModel& wanted) { set_model(live, wanted.name, reply_to); },
          [&](const core::SetThinking& wanted) {
            live.session->limit_thinking(wanted.max_tokens);
            reply(reply_to, protocol::CommandDone{});
          },
          [&](core::RewindFiles& wanted) {
            const bool dry_run = wanted.dry_run;
            live.session->rewind(std::move(wanted),
                                 [this, reply_to, dry_run](core::RewindReport report) {
                                   reply_later(reply_to, rewound(std::move(report), dry_run));
                                 });
          },
          [&](const core::Query& query) { reply(reply_to, answer(query, *live.session)); },
          [&](const core::CancelPrompt& wanted) {
            const bool cancelled = live.session->cancel_prompt(wanted.uuid);
            reply(reply_to, protocol::PromptCancelled{cancelled});
            if (cancelled) tell_cancelled(live, {wanted.uuid});
          },
          [&](const core::SeedReadState& seen) {
            // What has changed since then, or is gone, must be read before it is edited, as ever.
            (void)live.session->seed_read_state(seen);
            reply(reply_to, protocol::CommandDone{});
          },
          [&](core::RenameSession& wanted) { rename(live, std::move(wanted), reply_to); },
          [&](const core::ReadFile& wanted) {
            reply(reply_to, outcome(live.session->read_file(wanted)));
          },
          [&](const core::GetTaskOutput& wanted) {
            reply(reply_to, outcome(live.session->task_output(wanted.task_id)));
          },
          [&](const core::ApplySettings& wanted) { apply(live, wanted, reply_to); },
          [&](core::McpCallTool& wanted) { call_tool(live, std::move(wanted), reply_to); },
          [&](core::McpReadResource& wanted) { read_resource(live, std::move(wanted), reply_to); },
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
          [&](core::BeginSession& wanted) { begin(live, std::move(wanted), std::move(share)); },
          [&](core::Greet& said) { on_host_command(std::move(said), reply_to); },
          [&](core::Authenticate& wanted) { on_host_command(std::move(wanted), reply_to); },
          [&](core::OpenSession& wanted) { on_host_command(std::move(wanted), reply_to); },
          [&](core::DeleteSession& wanted) { on_host_command(std::move(wanted), reply_to); },
          [&](core::ListSessions& wanted) { on_host_command(std::move(wanted), reply_to); },
          [&](const core::CloseSession&) { close(live, reply_to); },
          [&](const core::EndSession& wanted) {
            if (wanted.when == core::EndSession::When::now) {
              interrupt(live, QueuedPrompts::forget);
            }
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

// One that has ended by itself meanwhile is what the host wanted.
void MainLoop::stop_task(Live& live, const std::string& task_id, const std::string& reply_to) {
  (void)live.session->stop_task(task_id);
  reply(reply_to, protocol::CommandDone{});
}

void MainLoop::set_mode(Live& live, core::PermissionMode mode, const std::string& reply_to) {
  if (auto problem = live.session->set_mode(mode)) {
    reply(reply_to, protocol::RequestRefused{*std::move(problem), "bypass_not_launched"});
    return;
  }
  reply(reply_to, protocol::ModeSet{mode});
  write({.address = {live.id}, .event = core::ModeChanged{mode}});
  // What waits for an answer may be allowed or denied now.
  parts_.pending.look_again();
}

void MainLoop::set_model(Live& live, const std::string& name, const std::string& reply_to) {
  const auto model = live.session->set_model(name);
  if (!model.ok()) {
    reply(reply_to, protocol::RequestRefused{model.error().message, "invalid_model"});
    return;
  }
  write({.address = {live.id}, .event = core::ModelChanged{*model}});
  reply(reply_to, protocol::ModelSet{*model});
}

void MainLoop::tell_cancelled(Live& live, const std::vector<std::string>& uuids) {
  for (const std::string& uuid : uuids) {
    write({.address = {live.id},
           .event = core::PromptMoved{.uuid = uuid, .state = core::PromptMoved::State::cancelled}});
  }
}

// The program does not end before it is done.
void MainLoop::run_errand(Live& live, session::Session::Errand errand) {
  live.active = true;
  ++live.prompts;
  live.session->run_errand(std::move(errand));
}

void MainLoop::rename(Live& live, core::RenameSession wanted, const std::string& reply_to) {
  run_errand(live, [this, reply_to, wanted = std::move(wanted)](session::TurnRunner& turns,
                                                                const CancelToken&) {
    reply_later(reply_to, outcome(turns.rename(wanted)));
  });
}

void MainLoop::call_tool(Live& live, core::McpCallTool wanted, const std::string& reply_to) {
  run_errand(live, [this, reply_to, wanted = std::move(wanted)](session::TurnRunner& turns,
                                                                const CancelToken& cancel) {
    turns.meet_servers(cancel);
    auto result = turns.mcp().call_tool(wanted.tool, wanted.arguments, reply_to, cancel);
    if (!result.ok()) return reply_later(reply_to, refusal(result.error()));
    reply_later(reply_to, protocol::McpReturned{std::move(result).value()});
  });
}

void MainLoop::read_resource(Live& live, core::McpReadResource wanted,
                             const std::string& reply_to) {
  run_errand(live, [this, reply_to, wanted = std::move(wanted)](session::TurnRunner& turns,
                                                                const CancelToken& cancel) {
    turns.meet_servers(cancel);
    auto result = turns.mcp().read_resource(wanted.server, wanted.uri, cancel);
    if (!result.ok()) return reply_later(reply_to, refusal(result.error()));
    reply_later(reply_to, protocol::McpReturned{std::move(result).value()});
  });
}

// A session cannot move: one that is meant to be elsewhere is another process.
void MainLoop::begin(Live& live, core::BeginSession wanted, ByteBudget::Share share) {
  const auto give_up = [this](std::string why) {
    refuse([this, why = std::move(why)] { return parts_.reject(why); });
  };
  const std::string cwd = live.session->info().cwd;
  std::error_code unknown;
  if (!wanted.cwd.empty() && wanted.cwd != cwd &&
      !std::filesystem::equivalent(wanted.cwd, cwd, unknown)) {
    return give_up("Error: this process works in " + cwd + ". For a session in " + wanted.cwd +
                   " start another one with --cwd.");
  }
  if (wanted.settings.model) {
    const auto known = live.session->check_model(*wanted.settings.model);
    if (!known.ok()) return give_up("Error: " + known.error().message);
  }
  if (auto problem = live.session->apply(wanted.settings)) return give_up("Error: " + *problem);
  if (wanted.settings.model) (void)live.session->set_model(*wanted.settings.model);
  if (wanted.prompt.message.blank()) return;
  submit(live, std::move(wanted.prompt), std::move(share));
}

// The model last: it alone can be checked without being changed.
void MainLoop::apply(Live& live, const core::ApplySettings& settings, const std::string& reply_to) {
  if (settings.model) {
    if (const auto known = live.session->check_model(*settings.model); !known.ok()) {
      return reply(reply_to, protocol::RequestRefused{known.error().message, "invalid_model"});
    }
  }
  if (auto problem = live.session->apply(settings)) {
    return reply(reply_to, protocol::RequestRefused{*std::move(problem), "invalid_settings"});
  }
  if (settings.model) (void)live.session->set_model(*settings.model);
  if (settings.thinking) live.session->limit_thinking(settings.thinking->max_tokens);
  reply(reply_to, protocol::CommandDone{});
  if (settings.mode) {
    write({.address = {live.id}, .event = core::ModeChanged{*settings.mode}});
  }
  parts_.pending.look_again();
}

}  // namespace yume::runtime
