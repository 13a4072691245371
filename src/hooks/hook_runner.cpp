// SPDX-License-Identifier: MIT
#include "hooks/hook_runner.h"

#include "platform/command_system.h"
#include "util/overloaded.h"
#include "util/path_text.h"
#include "util/utf8.h"
#include "util/uuid.h"

#include <algorithm>
#include <utility>

namespace yume::hooks {
namespace {

// Nobody reads more than this of what a hook prints, least of all the model.
constexpr std::size_t k_longest_output = 100'000;
// They are sent with a conversation that hardly fits.
constexpr std::size_t k_longest_instructions = 10'000;

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

std::string joined(std::vector<std::string> parts) {
  std::string all;
  for (std::string& part : parts) {
    if (part.empty()) continue;
    if (!all.empty()) all += "\n\n";
    all += part;
  }
  return all;
}

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
  return group.event == k_pre_compact && Matcher::parse(group.matcher).ok();
}

}  // namespace

struct HookRunner::Occasion {
  std::string_view event;
  std::string_view subject;  // what matchers look at
  RawJson input;
  core::EventSink& sink;

  [[nodiscard]] std::string name() const { return std::string(event) + ":" + std::string(subject); }
};

HookRunner::HookRunner(HookSettings settings, SessionFacts facts, HookDeps deps)
    : settings_(std::move(settings)), facts_(std::move(facts)), deps_(std::move(deps)) {}

std::vector<std::string> events_not_served(const std::vector<core::HostHookGroup>& groups,
                                           bool host_can_be_asked) {
  std::vector<std::string> events;
  for (const core::HostHookGroup& group : groups) {
    if (!host_can_be_asked || !is_served(group)) events.push_back(group.event);
  }
  return events;
}

std::string not_run_notice(std::string_view owner, const std::vector<std::string>& which) {
  std::string text(owner);
  text += " has hooks that yume-cli does not run: ";
  for (const std::string& one : which) text += (&one == &which.front() ? "" : ", ") + one;
  return text +
         ". It runs those of PreCompact: commands, and functions of hosts in Claude's dialect.";
}

void HookRunner::register_host_hooks(const std::vector<core::HostHookGroup>& groups) {
  host_hooks_.clear();
  for (const core::HostHookGroup& group : groups) {
    if (!is_served(group)) continue;
    const Matcher matcher = Matcher::parse(group.matcher).value();
    for (const std::string& id : group.callback_ids) {
      host_hooks_.push_back({.matcher = matcher,
                             .callback_id = id,
                             .timeout = group.timeout.value_or(k_default_timeout),
                             .on_failure = group.on_failure});
    }
  }
}

Result<HookReply> HookRunner::run_command(const CommandHook& hook, const Occasion& occasion,
                                          const CancelToken& cancel) {
  const core::HookStarted started{
      .hook_id = make_uuid(), .name = occasion.name(), .event = std::string(occasion.event)};
  if (deps_.reports_events) occasion.sink.post(started);
  platform::ProcessSpec spec{.argv = platform::plain_command(hook.command),
                             .cwd = facts_.cwd,
                             .environment = deps_.environment,
                             .timeout = hook.timeout,
                             .stderr_mode = platform::StderrMode::apart,
                             .input = occasion.input.text + "\n"};
  spec.environment.push_back("CLAUDE_PROJECT_DIR=" + to_utf8(facts_.cwd));
  BoundedOutput output;
  const auto end = deps_.processes.run(spec, output, cancel);
  deps_.redactor.clean(output.output());
  deps_.redactor.clean(output.error_output());
  auto reply = read_command_end(end, output.output(), output.error_output());
  if (deps_.reports_events) {
    const bool exited = end.ok() && end->kind == platform::ProcessEndKind::exited;
    occasion.sink.post(
        core::HookEnded{.hook = started,
                        .output = std::move(output.output()),
                        .error_output = std::move(output.error_output()),
                        .exit_code = exited ? std::optional(end->exit_code) : std::nullopt,
                        .outcome = outcome_of(reply)});
  }
  return reply;
}

Result<HookReply> HookRunner::call_host(const HostHook& hook, const Occasion& occasion,
                                        const CancelToken& cancel) {
  const auto answer = deps_.host.ask(
      core::CallHook{
          .callback_id = hook.callback_id, .input = occasion.input, .subject_id = make_uuid()},
      hook.timeout, cancel);
  if (!answer.ok()) return answer.error();
  const auto no_output = [](std::string why) -> Result<HookReply> {
    return Error{.code = ErrorCode::protocol, .message = std::move(why)};
  };
  return std::visit(
      Overloaded{
          [](const core::HookReturned& returned) { return read_hook_json(returned.output.text); },
          [&](const core::HostFailed& failed) {
            return no_output(failed.why.empty() ? "the host could not call it" : failed.why);
          },
          [&](const core::HostAllows&) { return no_output("its answer is no hook's output"); },
          [&](const core::HostDenies&) { return no_output("its answer is no hook's output"); },
      },
      *answer);
}

std::vector<HookReply> HookRunner::ask_all(const Occasion& occasion, const CancelToken& cancel) {
  std::vector<HookReply> all;
  const auto take = [&](Result<HookReply> reply, const std::string& what,
                        core::OnHookFailure on_failure) {
    all.push_back(reply.ok() ? std::move(reply).value()
                             : reply_after_failure(what, reply.error(), on_failure));
    // Again, because JSON may have had it in another spelling.
    HookReply& latest = all.back();
    if (latest.veto) deps_.redactor.clean(*latest.veto);
    deps_.redactor.clean(latest.text);
    deps_.redactor.clean(latest.message);
    const std::string& message = latest.message;
    if (!message.empty()) occasion.sink.post(core::Notice{message});
  };
  for (const CommandHook& hook : settings_.pre_compact) {
    if (cancel.stop_requested() || !hook.matcher.matches(occasion.subject)) continue;
    take(run_command(hook, occasion, cancel), occasion.name() + " [" + hook.command + "]",
         hook.on_failure);
  }
  for (const HostHook& hook : host_hooks_) {
    if (cancel.stop_requested() || !hook.matcher.matches(occasion.subject)) continue;
    take(call_host(hook, occasion, cancel), occasion.name(), hook.on_failure);
  }
  return all;
}

core::CompactionAdvice HookRunner::before_compaction(const core::PlannedCompaction& plan,
                                                     core::EventSink& sink,
                                                     const CancelToken& cancel) {
  if (settings_.pre_compact.empty() && host_hooks_.empty()) return {};
  std::string input;
  JsonWriter json(input);
  json.begin_object().field("session_id", facts_.session_id);
  json.field("transcript_path", to_utf8(facts_.transcript)).field("cwd", to_utf8(facts_.cwd));
  json.field("permission_mode", core::to_string(facts_.mode()));
  json.field("hook_event_name", k_pre_compact).field("trigger", core::name_of(plan.trigger));
  json.key("custom_instructions");
  plan.instructions.empty() ? json.null() : json.string(plan.instructions);
  json.end_object();

  const Occasion occasion{.event = k_pre_compact,
                          .subject = core::name_of(plan.trigger),
                          .input = {std::move(input)},
                          .sink = sink};
  core::CompactionAdvice advice;
  std::vector<std::string> texts;
  for (HookReply& reply : ask_all(occasion, cancel)) {
    texts.push_back(std::move(reply.text));
    if (!reply.veto || advice.veto) continue;
    advice.veto = reply.veto->empty() ? std::string("no reason given") : *std::move(reply.veto);
  }
  const std::string all = joined(std::move(texts));
  advice.instructions = utf8_prefix(all, k_longest_instructions);
  return advice;
}

}  // namespace yume::hooks
