// SPDX-License-Identifier: MIT
#include "strategies/wrapped_strategy.h"

#include "agent/guarded_work.h"
#include "agent/turn_notes.h"
#include "util/overloaded.h"
#include "util/utf8.h"
#include "util/uuid.h"

#include <algorithm>
#include <utility>

namespace yume::strategies {
namespace {

constexpr std::size_t k_most_said = 400'000;  // of the conversation, for an agent that forgot
constexpr std::size_t k_longest_words = 500;

void add_said(std::string_view who, const std::string& text, std::string& said) {
  if (text.empty()) return;
  said.append(who).append(": ").append(text).append("\n\n");
  if (said.size() > 2 * k_most_said) said = std::string(utf8_suffix(said, k_most_said));
}

std::string text_of(const core::Conversation& past) {
  std::string said;
  for (const core::PastEntry& entry : past.entries) {
    std::visit(
        Overloaded{
            [&](const core::PastPrompt& prompt) { add_said("User", prompt.message.text(), said); },
            [&](const core::PastReply& reply) { add_said("Assistant", reply.text, said); },
            [](const core::PastResults&) {},
        },
        entry);
  }
  return said;
}

}  // namespace

core::TurnDone failed_turn(std::string why, core::FailureKind kind) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.failure = kind;
  done.text = std::move(why);
  return done;
}

std::string last_words(std::string_view error_output) {
  std::string_view last;
  std::string_view about_an_error;
  for (std::string_view rest = error_output; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const std::size_t from = line.find_first_not_of(" \t\r");
    if (from == std::string_view::npos) continue;
    line = line.substr(from, line.find_last_not_of(" \t\r") + 1 - from);
    if (line.starts_with("at ") || line.starts_with("}") || line.starts_with("Node.js")) continue;
    last = line;
    if (line.find("rror") != std::string_view::npos) about_an_error = line;
  }
  const std::string_view words = about_an_error.empty() ? last : about_an_error;
  return to_valid_utf8(utf8_prefix(words, k_longest_words));
}

WrappedStrategy::WrappedStrategy(core::Conversation past, StrategyDeps deps)
    : deps_(std::move(deps)), call_ids_(std::move(past.call_ids)), said_(text_of(past)) {}

foreign::DecoderOptions WrappedStrategy::decoder_options() const {
  return {.words = foreign::CallWords::ours,
          .make_message_id = [] { return "msg_" + make_uuid(); }};
}

// What the session's owner has to say beside the prompt, in the form of our own loop.
std::string WrappedStrategy::question_text(const TurnInput& input) const {
  std::string notes;
  const auto add = [&notes](const std::string& text) {
    if (!text.empty()) notes.append(notes.empty() ? "" : "\n\n").append(text);
  };
  if (!asked_) {
    add(deps_.spec.prompt.replacement.value_or(""));
    add(deps_.spec.prompt.agent.value_or(""));
    add(deps_.spec.prompt.appended);
  }
  for (const std::string& news : input.news) add(news);
  const std::string text = input.message.text();
  return notes.empty() ? text : agent::as_reminder(notes) + "\n\n" + text;
}

core::TurnDone WrappedStrategy::run(TurnInput input, core::TurnPort& port,
                                    const CancelToken& cancel) {
  const config::WrapSpec& wrap = deps_.spec.wrap;
  const platform::SteadyTime start = deps_.clock.steady_now();
  core::TurnDone done;
  if (wrap.argv.empty()) {
    done = failed_turn(wrap.problem, core::FailureKind::invalid_request);
  } else {
    std::string earlier;
    if (!said_.empty()) {
      earlier = agent::as_reminder("What was said in this conversation before:\n\n" +
                                   std::string(utf8_suffix(said_, k_most_said))) +
                "\n\n";
    }
    done =
        ask({.earlier = std::move(earlier), .text = question_text(input), .message = input.message},
            port, cancel);
    asked_ = true;
  }
  add_said("User", input.message.text(), said_);
  if (done.outcome == core::TurnOutcome::success) add_said("Assistant", done.text, said_);
  done.duration = std::max(
      std::chrono::duration_cast<std::chrono::milliseconds>(deps_.clock.steady_now() - start),
      std::chrono::milliseconds(1));  // hosts test for > 0
  done.api_duration = done.duration;
  bill(done);
  return done;
}

void WrappedStrategy::bill(core::TurnDone& done) {
  const gemini::ModelInfo& known = deps_.spec.model.info;
  for (auto& [name, model] : done.by_model) {
    if (name == known.id) {
      model.cost_usd = gemini::cost_usd(known, model.usage);
      model.context_window = known.context_window;
      model.max_output_tokens = known.max_output_tokens;
    }
    if (deps_.spec.limits.meter) deps_.spec.limits.meter->add(model.cost_usd);
  }
  core::add_usage(done.by_model, usage_);
  done.by_model = usage_;
  if (!done.last_request.empty()) last_request_ = done.last_request;
}

void WrappedStrategy::forward(core::Event event, core::TurnPort& port,
                              std::optional<core::TurnDone>& done) const {
  using AsItIs =
      Constant<true, core::PromptMoved, core::TextDelta, core::ThoughtDelta, core::BlockDone,
               core::UsageUpdated, core::ToolCallStarted, core::ToolArgsDelta, core::ToolCallReady,
               core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded,
               core::AgentStarted, core::AgentProgress, core::AgentEnded, core::PermissionRefused,
               core::HookStarted, core::HookEnded, core::ConversationReset, core::StateChanged,
               core::ModeChanged, core::ModelChanged, core::MessageDone, core::RetryScheduled,
               core::CompactionStarted, core::Compacted, core::CompactionFailed, core::Notice>;
  // The session has said these itself.
  using Dropped = Constant<false, core::SessionStarted, core::PromptTaken>;
  const bool goes_on = std::visit(Overloaded{AsItIs{}, Dropped{},
                                             [&](core::MessageStarted& message) {
                                               if (message.model.empty())
                                                 message.model = deps_.spec.model.info.id;
                                               return true;
                                             },
                                             [&](core::ToolFinished& finished) {
                                               agent::clean(finished.outcome, deps_.redactor);
                                               return true;
                                             },
                                             [&](core::TurnDone& end) {
                                               done = std::move(end);
                                               return false;
                                             }},
                                  event);
  if (goes_on) port.post(std::move(event));
}

core::TurnDone WrappedStrategy::compact(const std::string& /*focus*/, core::TurnPort& /*port*/,
                                        const CancelToken& /*cancel*/) {
  core::TurnDone done;
  done.is_local_command = true;
  done.num_turns = 0;
  done.duration = std::chrono::milliseconds(1);
  done.text = "The agent that this session wraps keeps the conversation and compacts it by itself.";
  done.by_model = usage_;
  return done;
}

ContextUse WrappedStrategy::measure_context(core::TurnPort& /*port*/,
                                            const CancelToken& /*cancel*/) {
  return {.tokens = last_request_.prompt_tokens + last_request_.output_tokens,
          .window = deps_.spec.model.info.context_window};
}

}  // namespace yume::strategies
