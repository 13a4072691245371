// SPDX-License-Identifier: MIT
// What hosts want beside their sessions: to begin, to open and close them, and to know which there
// are.
#include "runtime/main_loop.h"

#include "util/overloaded.h"

#include <utility>

namespace yume::runtime {
namespace {

using QueuedPrompts = session::Session::QueuedPrompts;

constexpr std::string_view k_unknown_session = "there is no such session; open it first";

}  // namespace

// No session is meant, or none that there is.
void MainLoop::on_host_command(core::Command command, const std::string& reply_to) {
  using OfSession =
      Constant<true, core::Prompt, core::Interrupt, core::Initialize, core::SetMode, core::StopTask,
               core::SetModel, core::SetThinking, core::RewindFiles, core::Query,
               core::CancelPrompt, core::SeedReadState, core::RenameSession, core::ReadFile,
               core::GetTaskOutput, core::ApplySettings, core::McpQueryStatus, core::McpSetServers,
               core::McpReconnect, core::McpToggle, core::McpFromHost, core::McpCallTool,
               core::McpReadResource, core::BeginSession, core::CloseSession>;
  const auto served = [&](const auto& serve) {
    if (parts_.hosting == nullptr) return true;
    serve(*parts_.hosting);
    return false;
  };
  const bool homeless = std::visit(
      Overloaded{
          OfSession{},
          [&](core::Greet& said) {
            abilities_ = said.abilities;
            reply(reply_to, protocol::Greeted{std::move(said)});
            return false;
          },
          [&](core::Authenticate& wanted) {
            return served(
                [&](Hosting& hosting) { hosting.authenticate(std::move(wanted), reply_to); });
          },
          [&](core::OpenSession& wanted) {
            return served([&](Hosting& hosting) {
              if (Live* live = find(wanted.id); live != nullptr) close(*live, {});
              hosting.open(std::move(wanted), abilities_, reply_to);
            });
          },
          [&](core::DeleteSession& wanted) {
            return served([&](Hosting& hosting) {
              if (Live* live = find(wanted.id); live != nullptr) close(*live, {});
              hosting.remove(std::move(wanted), reply_to);
            });
          },
          [&](core::ListSessions& wanted) {
            return served([&](Hosting& hosting) { hosting.list(std::move(wanted), reply_to); });
          },
          [&](const core::EndSession&) {
            stdin_open_ = false;
            return false;
          },
          [&](const core::Unsupported& request) {
            reply(reply_to, protocol::NotSupported{request.what});
            return false;
          },
          [&](const core::Refused& refused) {
            reply(reply_to, protocol::RequestRefused{refused.why, refused.code});
            return false;
          },
          [](const core::Ignored&) { return false; },
          [&](const core::Malformed& line) {
            (void)parts_.stderr_stream.write(line.reason + "\n");
            end(Ending::after_turn, ExitCode::failure);
            return false;
          },
      },
      command);
  if (homeless) {
    reply(reply_to, protocol::RequestRefused{std::string(k_unknown_session), "session_not_found"});
  }
}

// It is let go of by the thread that closes it, and known until then: what it still has to say
// belongs to it.
void MainLoop::close(Live& live, const std::string& reply_to) {
  if (live.hosted == nullptr) {
    reply(reply_to, protocol::RequestRefused{std::string(k_unknown_session), "session_not_found"});
    return;
  }
  const std::vector<std::string> queued = live.session->queued_uuids();
  interrupt(live, QueuedPrompts::forget);
  tell_cancelled(live, queued);
  live.session = nullptr;
  parts_.hosting->close(std::move(live.hosted), reply_to);
}

void MainLoop::on_opened(SessionOpened& opened) {
  if (ending_ != Ending::none) return;
  if (!opened.opening.ok()) {
    const Error& error = opened.opening.error();
    const bool unknown = error.code == ErrorCode::not_found;
    reply(opened.reply_to,
          protocol::RequestRefused{error.message, unknown ? "not_found" : "invalid_request"});
    return;
  }
  Opening opening = std::move(opened.opening).value();
  session::Session& session = opening.hosted->session();
  const std::string id = session.id();
  sessions_[id] = Live{.hosted = std::move(opening.hosted), .session = &session, .id = id};
  reply(opened.reply_to,
        protocol::SessionShown{.info = session.info(),
                               .may_bypass = opening.may_bypass,
                               .max_thinking_tokens = session.settings_report().max_thinking_tokens,
                               .models = session.models(),
                               .commands = session.commands(),
                               .past = std::move(opening.past)});
}

void MainLoop::on_closed(const SessionClosed& closed) {
  const auto found = sessions_.find(closed.session_id);
  if (found != sessions_.end() && found->second.session == nullptr) sessions_.erase(found);
  reply(closed.reply_to, protocol::SessionGone{});
}

}  // namespace yume::runtime
