// SPDX-License-Identifier: MIT
#include "agent/context_keeper.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::agent {
namespace {

constexpr double k_kept_share = 0.3;  // of what may be there before a compaction
constexpr double k_growth_before_retry = 1.1;
// A conversation shorter than this loses more by a summary than it gains.
constexpr std::int64_t k_short = 2'000;
constexpr std::int64_t k_bytes_per_token = 4;
// No text takes so much less than its estimate.
constexpr std::int64_t k_most_overestimated = 8;

std::int64_t share_of(std::int64_t whole, double share) {
  return static_cast<std::int64_t>(static_cast<double>(whole) * share);
}

}  // namespace

ContextKeeper::ContextKeeper(Compactor& compactor, const gemini::RequestEncoder& encoder,
                             CompactionSettings settings)
    : compactor_(compactor),
      encoder_(encoder),
      settings_(std::move(settings)),
      window_(encoder.model().context_window) {}

std::int64_t ContextKeeper::estimate() const {
  return prefix_tokens() + kept_.contents.tokens();
}

std::int64_t ContextKeeper::prefix_tokens() const {
  return static_cast<std::int64_t>(encoder_.prefix_bytes()) / k_bytes_per_token;
}

std::int64_t ContextKeeper::tokens() const {
  return gauge_.tokens(estimate());
}

std::int64_t ContextKeeper::threshold() const {
  return share_of(window_, settings_.share.value_or(compaction_share(encoder_.model())));
}

void ContextKeeper::on_other_model() {
  window_ = encoder_.model().context_window;
  gauge_.forget();
  not_before_ = 0;
}

void ContextKeeper::resume(const core::Usage& last_request) {
  core::Usage sent = last_request;
  sent.prompt_tokens += sent.output_tokens;  // the reply is part of the conversation now
  // A session's file may say anything, and what is believed to be small is sent however large it
  // is.
  const bool credible =
      estimate() <= window_ || sent.prompt_tokens >= estimate() / k_most_overestimated;
  if (!credible) return;
  gauge_.measured(sent, estimate());
}

void ContextKeeper::measured(const core::Usage& usage) {
  gauge_.measured(usage, estimate());
}

CompactionEnd ContextKeeper::compact(core::CompactionTrigger trigger, const std::string& focus,
                                     std::int64_t keep_tokens, core::TurnPort& port,
                                     const CancelToken& cancel) {
  // The server may count differently than we estimate, and contents are chosen by estimate.
  const double scale =
      static_cast<double>(tokens()) / static_cast<double>(std::max<std::int64_t>(estimate(), 1));
  const auto keep = scale > 1 ? share_of(keep_tokens, 1 / scale) : keep_tokens;
  CompactionResult result = compactor_.run({.trigger = trigger,
                                            .focus = focus,
                                            .tokens = tokens(),
                                            .estimate = estimate(),
                                            .window = window_,
                                            .keep_tokens = keep,
                                            .carried_over = settings_.carry_over(),
                                            .user_request = user_request_},
                                           kept_, port, cancel);
  std::move(result.billed.begin(), result.billed.end(), std::back_inserter(billed_));
  reason_ = std::move(result.reason);
  switch (result.end) {
    case CompactionEnd::done:
      gauge_.forget();
      not_before_ = 0;
      ++compactions_;
      break;
    case CompactionEnd::failed:
      not_before_ = share_of(tokens(), k_growth_before_retry);
      port.post(core::CompactionFailed{trigger, reason_});
      break;
    case CompactionEnd::cancelled:
      port.post(core::CompactionFailed{trigger, "it was interrupted"});
      break;
    case CompactionEnd::nothing_to_do:
      break;
  }
  return result.end;
}

// Cuts old outputs shorter and shorter, the last round's only when nothing else is left.
bool ContextKeeper::trim(std::int64_t most_tokens) {
  constexpr std::array<std::size_t, 3> k_lengths{8'000, 2'000, 400};
  gemini::History& contents = kept_.contents;
  const std::int64_t before = estimate();
  const auto fits = [&] { return tokens() <= most_tokens; };
  const std::size_t last_round = choose_cut(contents, 0);
  for (const std::size_t length : k_lengths) {
    if (!fits()) contents.shorten_responses(last_round, length);
  }
  if (!fits()) contents.shorten_responses(contents.size(), k_lengths.front());
  return estimate() < before;
}

Room ContextKeeper::make_room(std::int64_t more_tokens, core::TurnPort& port,
                              const CancelToken& cancel) {
  const auto needed = [&] { return tokens() + more_tokens; };
  if (prefix_tokens() + more_tokens > window_) return Room::none;  // whatever else is there
  if (needed() >= threshold() && needed() >= not_before_) {
    const auto keep = share_of(threshold(), k_kept_share);
    const CompactionEnd end = compact(core::CompactionTrigger::automatic, {}, keep, port, cancel);
    if (end == CompactionEnd::cancelled) return Room::cancelled;
  }
  if (needed() > window_) trim(window_ - more_tokens);
  return needed() > window_ ? Room::none : Room::enough;
}

Room ContextKeeper::make_room_after_refusal(std::optional<std::int64_t> limit, core::TurnPort& port,
                                            const CancelToken& cancel) {
  // The server's word beats the catalog's, for the rest of the session.
  if (limit && *limit > 0) window_ = std::min(window_, *limit);
  const std::int64_t before = estimate();
  const auto keep = std::min(share_of(threshold(), k_kept_share), share_of(before, k_kept_share));
  const CompactionEnd end = compact(core::CompactionTrigger::automatic, {}, keep, port, cancel);
  if (end == CompactionEnd::cancelled) return Room::cancelled;
  if (end != CompactionEnd::done) trim(before / 2);
  return estimate() < before ? Room::enough : Room::none;
}

CompactionResult ContextKeeper::compact_now(const std::string& focus, core::TurnPort& port,
                                            const CancelToken& cancel) {
  const std::int64_t here = kept_.contents.tokens();
  if (here < k_short) return {.end = CompactionEnd::nothing_to_do};
  const auto keep = std::min(share_of(threshold(), k_kept_share), share_of(here, k_kept_share));
  const CompactionEnd end = compact(core::CompactionTrigger::manual, focus, keep, port, cancel);
  return {.end = end, .reason = reason_};
}

}  // namespace yume::agent
