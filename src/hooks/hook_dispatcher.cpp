// SPDX-License-Identifier: MIT
#include "hooks/hook_dispatcher.h"

#include "platform/command_system.h"
#include "util/overloaded.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::hooks {
namespace {

// Nobody reads more than this of what a hook prints, least of all the model.
constexpr std::size_t k_longest_output = 100'000;

// Claude Code tells a host of these afterwards, or in tools that yume-cli does not have.
constexpr std::array<std::string_view, 14> k_mere_reports = {
    "PostToolBatch",  "StopFailure",   "PostCompact",        "PostModelSwitch", "PermissionDenied",
    "TaskCreated",    "TaskCompleted", "ElicitationResult",  "ConfigChange",    "WorktreeCreate",
    "WorktreeRemove", "CwdChanged",    "InstructionsLoaded", "FileChanged",
};

class BoundedOutput final : public platform::ProcessOutput {
 public:
  void on_output(std::string_view bytes) override { keep(bytes, output_); }
  void on_error_output(std::string_view bytes) override { keep(bytes, error_output_); }

  [[nodiscard]] std::string& output() { return output_; }
  [[nodiscard]] std::string& error_output() { return error_output_; }

 private:
  static void keep(std::string_view bytes, std::string& where) {
    where.append(bytes.substr(0, k_longest_output - std::min(where.size(), k_longest_output)));
  }

  std::string output_;
  std::string error_output_;
};

core::HookOutcome outcome_of(const Result<HookReply>& reply) {
  if (reply.ok()) return reply->veto ? core::HookOutcome::error : core::HookOutcome::success;
  return reply.error().code == ErrorCode::cancelled ? core::HookOutcome::cancelled
                                                    : core::HookOutcome::error;
}

// What is left of a hook's word when it gave none.
HookReply reply_after_failure(const std::string& name, const Error& failure,
                              core::OnHookFailure on_failure) {
  if (failure.code == ErrorCode::cancelled) return {};  // the step is given up anyway
  const std::string what = "The " + name + " hook failed: " + failure.message;
  if (on_failure == core::OnHookFailure::block) return {.veto = what};
  return {.message = what + ". Went on without it."};
}

bool is_served(const core::HostHookGroup& group) {
  return core::hook_event_from(group.event) && Matcher::parse(group.matcher).ok();
}

bool is_asked(const Matcher& matcher, const Occasion& occasion) {
  return !occasion.subject || matcher.matches(*occasion.subject);
}

std::chrono::milliseconds time_for(std::chrono::milliseconds own, const Occasion& occasion) {
  return std::min(own, occasion.time_limit.value_or(own));
}

}  // namespace

std::string Occasion::name() const {
  return std::string(core::name_of(event)) + (subject ? ":" + *subject : "");
}

HookDispatcher::HookDispatcher(HookSettings settings, HookDeps deps)
    : settings_(std::move(settings)), deps_(std::move(deps)) {}

std::vector<std::string> events_not_served(const std::vector<core::HostHookGroup>& groups,
                                           bool host_can_be_asked) {
  std::vector<std::string> events;
  for (const core::HostHookGroup& group : groups) {
    if (!host_can_be_asked || !is_served(group)) events.push_back(group.event);
  }
  return events;
}

std::vector<std::string> without_mere_reports(std::vector<std::string> events) {
  std::erase_if(events, [](const std::string& event) {
    return std::find(k_mere_reports.begin(), k_mere_reports.end(), event) != k_mere_reports.end();
  });
  return events;
}

std::string not_run_notice(std::string_view owner, const std::vector<std::string>& which) {
  std::string text(owner);
  text += " has hooks that yume-cli does not run: ";
  for (const std::string& one : which) text += (&one == &which.front() ? "" : ", ") + one;
  return text +
         ". It runs commands, and functions of hosts in Claude's dialect, of the events that "
         "docs/hooks.md lists.";
}

void HookDispatcher::register_host_hooks(const std::vector<core::HostHookGroup>& groups) {
  host_hooks_.clear();
  for (const core::HostHookGroup& group : groups) {
    if (!is_served(group)) continue;
    const Matcher matcher = Matcher::parse(group.matcher).value();
    for (const std::string& id : group.callback_ids) {
      host_hooks_[*core::hook_event_from(group.event)].push_back(
          {.matcher = matcher,
           .callback_id = id,
           .timeout = group.timeout.value_or(k_default_timeout),
           .on_failure = group.on_failure});
    }
  }
}

bool HookDispatcher::has(core::HookEvent event) const {
  return settings_.commands.contains(event) || host_hooks_.contains(event);
}

// bash would take backslashes outside of quotes for its own.
std::string HookDispatcher::project_folder() const {
  const bool is_bash = deps_.line_shell.kind == platform::ShellKind::git_bash;
  return is_bash ? to_generic_utf8(deps_.cwd) : to_utf8(deps_.cwd);
}

Result<HookSaid> HookDispatcher::run_command(const CommandHook& hook, const Occasion& occasion,
                                             const CancelToken& cancel) {
  const core::HookStarted started{.hook_id = make_uuid(),
                                  .name = occasion.name(),
                                  .event = std::string(core::name_of(occasion.event))};
  // Hosts expect to see what runs before a session begins, whether they asked for it or not.
  const bool reported = deps_.reports_events || occasion.event == core::HookEvent::session_start;
  if (reported) occasion.sink.post(started);
  auto shell = platform::line_command(deps_.line_shell, hook.command, occasion.input.text + "\n");
  platform::ProcessSpec spec{.argv = std::move(shell.argv),
                             .cwd = deps_.cwd,
                             .environment = deps_.environment,
                             .timeout = time_for(hook.timeout, occasion),
                             .stderr_mode = platform::StderrMode::apart,
                             .input = std::move(shell.input)};
  spec.environment.push_back("CLAUDE_PROJECT_DIR=" + project_folder());
  if (hook.is_of_folder && deps_.put_behind_wall) deps_.put_behind_wall(spec);
  BoundedOutput output;
  const auto end = deps_.processes.run(spec, output, cancel);
  deps_.redactor.clean(output.output());
  deps_.redactor.clean(output.error_output());
  const bool exited = end.ok() && end->kind == platform::ProcessEndKind::exited;
  auto reply = read_command_end(end, output.output(), output.error_output());
  if (reported) {
    occasion.sink.post(
        core::HookEnded{.hook = started,
                        .output = std::move(output.output()),
                        .error_output = std::move(output.error_output()),
                        .exit_code = exited ? std::optional(end->exit_code) : std::nullopt,
                        .outcome = outcome_of(reply)});
  }
  if (!reply.ok()) return reply.error();
  const bool vetoed = exited && end->exit_code != 0;
  return HookSaid{.label = vetoed ? "[" + hook.command + "]: " : "",
                  .reply = std::move(reply).value()};
}

Result<HookSaid> HookDispatcher::call_host(const HostHook& hook, const Occasion& occasion,
                                           const CancelToken& cancel) {
  const auto answer = deps_.host.ask(
      core::CallHook{.callback_id = hook.callback_id,
                     .input = occasion.input,
                     .subject_id = occasion.call_id.empty() ? make_uuid() : occasion.call_id},
      time_for(hook.timeout, occasion), cancel);
  if (!answer.ok()) return answer.error();
  const auto no_output = [](std::string why) -> Result<HookReply> {
    return Error{.code = ErrorCode::protocol, .message = std::move(why)};
  };
  auto reply = std::visit(
      Overloaded{
          [](const core::HookReturned& returned) { return read_hook_json(returned.output.text); },
          [&](const core::HostFailed& failed) {
            return no_output(failed.why.empty() ? "the host could not call it" : failed.why);
          },
          [&](const core::HostAllows&) { return no_output("its answer is no hook's output"); },
          [&](const core::HostDenies&) { return no_output("its answer is no hook's output"); },
          [&](const core::McpAnswered&) { return no_output("its answer is no hook's output"); },
          [&](const core::Elicited&) { return no_output("its answer is no hook's output"); },
          [&](const core::HostFileText&) { return no_output("its answer is no hook's output"); },
          [&](const core::HostFileWritten&) { return no_output("its answer is no hook's output"); },
          [&](const core::HostTerminal&) { return no_output("its answer is no hook's output"); },
      },
      *answer);
  if (!reply.ok()) return reply.error();
  return HookSaid{.reply = std::move(reply).value()};
}

void HookDispatcher::take(Result<HookSaid> said, const std::string& what,
                          core::OnHookFailure on_failure, const Occasion& occasion,
                          std::vector<HookSaid>& all) {
  all.push_back(said.ok() ? std::move(said).value()
                          : HookSaid{.reply = reply_after_failure(what, said.error(), on_failure)});
  // Again, because JSON may have had it in another spelling.
  HookReply& latest = all.back().reply;
  if (latest.veto) deps_.redactor.clean(*latest.veto);
  if (latest.stop) deps_.redactor.clean(*latest.stop);
  deps_.redactor.clean(latest.text);
  deps_.redactor.clean(latest.message);
  deps_.redactor.clean(latest.permission_reason);
  if (!latest.message.empty()) occasion.sink.post(core::Notice{latest.message});
}

std::vector<HookSaid> HookDispatcher::ask_all(const Occasion& occasion, const CancelToken& cancel) {
  std::vector<HookSaid> all;
  if (const auto own = settings_.commands.find(occasion.event); own != settings_.commands.end()) {
    for (const CommandHook& hook : own->second) {
      if (cancel.stop_requested() || !is_asked(hook.matcher, occasion)) continue;
      take(run_command(hook, occasion, cancel), occasion.name() + " [" + hook.command + "]",
           hook.on_failure, occasion, all);
    }
  }
  const auto of_host = host_hooks_.find(occasion.event);
  if (of_host == host_hooks_.end() || occasion.asked == Occasion::Asked::commands) return all;
  for (const HostHook& hook : of_host->second) {
    if (cancel.stop_requested() || !is_asked(hook.matcher, occasion)) continue;
    take(call_host(hook, occasion, cancel), occasion.name(), hook.on_failure, occasion, all);
  }
  return all;
}

}  // namespace yume::hooks
