// SPDX-License-Identifier: MIT
#include "agent/compactor.h"

#include "agent/prompt_texts.h"
#include "util/overloaded.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::agent {
namespace {

constexpr std::string_view k_sum_up =
    "Write the agent's memory of everything above now, as your instructions say.";
constexpr std::string_view k_preface =
    "[This conversation was too long and has been summed up. What follows is the memory of the "
    "earlier part; nothing else of it is available. Go on from here without mentioning it.]\n\n";
// What a chunk may take of the window: estimates are rough, and the instructions need room too.
constexpr double k_chunk_share = 0.75;
constexpr std::size_t k_longest_old_output = 4'000;
constexpr std::size_t k_longest_focus = 10'000;
constexpr double k_least_gain = 0.95;
constexpr std::int64_t k_least_old_part = 10;  // one tenth of the whole

// The model talks to us, not to the host: the host is only told about waits and notices.
bool concerns_the_host(const core::Event& event) {
  using Shown = Constant<true, core::RetryScheduled, core::Notice>;
  using Hidden =
      Constant<false, core::SessionStarted, core::MessageStarted, core::TextDelta,
               core::ThoughtDelta, core::BlockDone, core::UsageUpdated, core::ToolCallStarted,
               core::ToolArgsDelta, core::ToolCallReady, core::ToolFinished, core::ToolProgress,
               core::BackgroundStarted, core::BackgroundEnded, core::AgentStarted,
               core::AgentProgress, core::AgentEnded, core::PermissionRefused, core::HookStarted,
               core::HookEnded, core::PromptTaken, core::PromptMoved, core::ModeChanged,
               core::ConversationReset, core::StateChanged, core::ModelChanged, core::MessageDone,
               core::CompactionStarted, core::Compacted, core::CompactionFailed, core::TurnDone>;
  return std::visit(Overloaded{Shown{}, Hidden{}}, event);
}

class QuietSink final : public core::EventSink {
 public:
  explicit QuietSink(core::EventSink& host) : host_(host) {}

  bool post(core::Event event) override {
    return !concerns_the_host(event) || host_.post(std::move(event));
  }
  bool flush(const CancelToken& cancel) override { return host_.flush(cancel); }

 private:
  core::EventSink& host_;
};

gemini::RequestSettings summary_settings(gemini::RequestSettings settings) {
  settings.system_instruction = std::string(prompt_text("compaction"));
  settings.functions.clear();
  return settings;
}

std::int64_t tokens_between(const gemini::History& history, std::size_t first, std::size_t last) {
  std::int64_t sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += history.tokens_of(i);
  return sum;
}

// The end of the longest stretch from `first` that fits; at least one round, however large.
std::size_t chunk_end(const gemini::History& history, std::size_t first, std::size_t last,
                      std::int64_t room) {
  std::size_t end = first;
  for (std::size_t next = first + 1; next <= last; ++next) {
    if (next != last && !history.may_cut_before(next)) continue;
    if (end != first && tokens_between(history, first, next) > room) break;
    end = next;
  }
  return end;
}

bool keeps_user_message(const gemini::History& history, std::size_t cut) {
  for (std::size_t i = cut; i < history.size(); ++i) {
    if (history.is_user_message(i)) return true;
  }
  return false;
}

std::string join_texts(std::string_view preface, const std::string& summary,
                       const std::string& carried_over) {
  std::string text(preface);
  text += summary;
  if (!carried_over.empty()) text += "\n\n" + carried_over;
  return text;
}

}  // namespace

struct Compactor::Summary {
  std::string text = {};
  CompactionResult result = {.end = CompactionEnd::done};
};

std::size_t choose_cut(const gemini::History& history, std::int64_t keep_tokens) {
  std::size_t cut = 0;
  std::int64_t kept = 0;
  for (std::size_t i = history.size(); i-- > 1;) {
    kept += history.tokens_of(i);
    if (!history.may_cut_before(i)) continue;
    if (kept > keep_tokens && cut != 0) break;
    cut = i;
    if (kept > keep_tokens) break;  // the last round is larger than that, and stays all the same
  }
  // Whole turns where there are any: half of one makes little sense without its prompt.
  for (std::size_t i = cut; cut != 0 && i < history.size(); ++i) {
    if (history.is_user_message(i)) return i;
  }
  return cut;
}

Compactor::Compactor(ModelClient& client, gemini::ModelInfo model, gemini::RequestSettings settings,
                     core::Hooks& hooks)
    : client_(client),
      encoder_(std::move(model), summary_settings(std::move(settings))),
      hooks_(hooks) {}

void Compactor::use(gemini::ModelInfo model, gemini::RequestSettings settings) {
  encoder_ = gemini::RequestEncoder(std::move(model), summary_settings(std::move(settings)));
}

std::optional<CompactionResult> Compactor::ask_hooks(CompactionRequest& request,
                                                     core::EventSink& sink,
                                                     const CancelToken& cancel) {
  core::CompactionAdvice advice = hooks_.before_compaction(
      {.trigger = request.trigger, .instructions = request.focus}, sink, cancel);
  if (cancel.stop_requested()) return CompactionResult{.end = CompactionEnd::cancelled};
  if (advice.veto) {
    return CompactionResult{.end = CompactionEnd::failed,
                            .reason = "a PreCompact hook stopped it: " + *advice.veto};
  }
  request.instructions = std::move(advice.instructions);
  return std::nullopt;
}

CompactionResult Compactor::run(CompactionRequest request, KeptHistory& history,
                                core::TurnPort& port, const CancelToken& cancel) {
  const std::size_t cut = choose_cut(history.contents, request.keep_tokens);
  // What is old must be worth a summary: a few words before one huge result are not.
  const bool worth_it = cut != 0 && tokens_between(history.contents, 0, cut) >=
                                        history.contents.tokens() / k_least_old_part;
  if (!worth_it) return {.end = CompactionEnd::nothing_to_do};
  port.post(core::CompactionStarted{request.trigger});
  if (auto ended = ask_hooks(request, port, cancel)) return *std::move(ended);
  Summary summary = sum_up(request, history, cut, port, cancel);
  if (summary.result.end != CompactionEnd::done) return std::move(summary.result);

  std::string text = join_texts(k_preface, summary.text, request.carried_over);
  if (!keeps_user_message(history.contents, cut) && !request.user_request.empty()) {
    text += "\n\nThe user's last request, word for word:\n" + request.user_request;
  }
  gemini::History fresh = history.contents.part(cut, history.contents.size());
  fresh.put_first(text);
  const std::int64_t before = history.contents.tokens();
  const std::int64_t after = fresh.tokens();
  if (static_cast<double>(after) > static_cast<double>(before) * k_least_gain) {
    summary.result.end = CompactionEnd::failed;
    summary.result.reason = "the summary would not be shorter than what it stands for";
    return std::move(summary.result);
  }
  // In the server's tokens, as far as they can be told from ours.
  const auto post_tokens = static_cast<std::int64_t>(
      static_cast<double>(request.tokens) * static_cast<double>(request.estimate - before + after) /
      static_cast<double>(std::max<std::int64_t>(request.estimate, 1)));
  const std::size_t kept_from = history.starts[cut];
  const core::SummaryUuids uuids = port.sum_up({.trigger = request.trigger,
                                                .pre_tokens = request.tokens,
                                                .post_tokens = post_tokens,
                                                .text = core::UserMessage(text),
                                                .kept_from = kept_from});
  std::vector<std::size_t> starts{0};
  // A kept message of the user joins the summary's content.
  for (std::size_t i = cut + (history.contents.is_user_message(cut) ? 1 : 0);
       i < history.starts.size(); ++i) {
    starts.push_back(history.starts[i] - kept_from + 1);
  }
  history.contents = std::move(fresh);
  history.starts = std::move(starts);
  port.post(core::Compacted{.trigger = request.trigger,
                            .pre_tokens = request.tokens,
                            .post_tokens = post_tokens,
                            .boundary_uuid = uuids.boundary,
                            .summary_uuid = uuids.summary,
                            .summary = text});
  return std::move(summary.result);
}

// Usually one request. A conversation that does not fit the window is summed up piece by piece,
// each time together with the summary so far.
Compactor::Summary Compactor::sum_up(const CompactionRequest& request, const KeptHistory& history,
                                     std::size_t cut, core::EventSink& sink,
                                     const CancelToken& cancel) {
  // The server may count more than our estimate does: then so much less fits.
  const double scale = std::max(
      1.0, static_cast<double>(request.tokens) / static_cast<double>(request.estimate + 1));
  const auto room =
      static_cast<std::int64_t>(static_cast<double>(request.window) * k_chunk_share / scale);
  Summary all;
  for (std::size_t first = 0; first < cut;) {
    gemini::History asked;
    if (!all.text.empty()) asked.add_user_text(join_texts(k_preface, all.text, {}));
    const std::size_t end = chunk_end(history.contents, first, cut, room - asked.tokens());
    gemini::History chunk = history.contents.part(first, end);
    if (chunk.tokens() > room) chunk.shorten_responses(chunk.size(), k_longest_old_output);
    asked.append(chunk);
    Summary piece = ask(std::move(asked), request, sink, cancel);
    std::move(piece.result.billed.begin(), piece.result.billed.end(),
              std::back_inserter(all.result.billed));
    if (piece.result.end != CompactionEnd::done) {
      all.result.end = piece.result.end;
      all.result.reason = std::move(piece.result.reason);
      return all;
    }
    all.text = std::move(piece.text);
    first = end;
  }
  return all;
}

Compactor::Summary Compactor::ask(gemini::History asked, const CompactionRequest& request,
                                  core::EventSink& sink, const CancelToken& cancel) {
  std::string instruction(k_sum_up);
  if (!request.focus.empty()) {
    instruction += " The user asks you to pay special attention to: ";
    instruction += utf8_prefix(request.focus, k_longest_focus);
  }
  if (!request.instructions.empty()) {
    instruction += "\n\nThe user's own instructions for it:\n" + request.instructions;
  }
  asked.add_user_text(instruction);
  QuietSink quiet(sink);
  AskResult answer = client_.ask(encoder_, asked, quiet, cancel, {.least_thinking = true});
  Summary summary;
  summary.result.billed = std::move(answer.reply.billed);
  if (answer.cancelled) {
    summary.result.end = CompactionEnd::cancelled;
  } else if (answer.failure) {
    summary.result.end = CompactionEnd::failed;
    summary.result.reason = answer.failure->error.message;
  } else if (answer.reply.last_text.find_first_not_of(" \t\r\n") == std::string::npos) {
    summary.result.end = CompactionEnd::failed;
    summary.result.reason = "the model gave no summary";
  } else {
    summary.text = std::move(answer.reply.last_text);
  }
  return summary;
}

}  // namespace yume::agent
