// SPDX-License-Identifier: MIT
#include "agent/model_client.h"

#include "agent/reply_stream.h"

#include <utility>

namespace yume::agent {
namespace {

constexpr int k_max_cuts = 1;             // a stream is repeated once after it broke
constexpr int k_max_malformed_calls = 2;  // the model gets two more tries at a readable call

constexpr std::string_view k_go_on =
    "Your last reply was cut off by a connection fault. Go on exactly where it stopped; do not "
    "repeat anything of it.";

gemini::ApiError cut_error() {
  gemini::ApiError problem;
  problem.kind = core::FailureKind::server_error;
  problem.retryable = true;
  problem.error = {.code = ErrorCode::network,
                   .message = "API Error: the connection broke before the reply was complete"};
  return problem;
}

gemini::ApiError malformed_error(const gemini::Finish& finish) {
  gemini::ApiError problem;
  problem.kind = core::FailureKind::server_error;
  problem.error = {.code = ErrorCode::protocol,
                   .message = "API Error: the model failed to produce a readable tool call (" +
                              finish.name + ")"};
  if (!finish.message.empty()) problem.error.message += ": " + finish.message;
  return problem;
}

bool is_malformed(const ModelReply& reply) {
  return reply.finish && reply.finish->reason == gemini::FinishReason::malformed_call &&
         reply.calls.empty();
}

}  // namespace

ModelClient::ModelClient(ModelAccess access, net::Transport& transport,
                         const platform::Clock& clock, RetryPolicy retries, Log& log)
    : access_(std::move(access)),
      transport_(transport),
      clock_(clock),
      retries_(std::move(retries)),
      log_(log) {}

ModelClient::Attempt ModelClient::attempt(const gemini::RequestEncoder& encoder,
                                          const gemini::History& history, TurnAssembler& assembler,
                                          const CancelToken& cancel) {
  net::HttpRequest request;
  request.url = access_.url;
  request.headers = {{"Content-Type", "application/json"}, {"User-Agent", "yume-cli"}};
  request.secret_headers = access_.credentials;
  request.body = encoder.body(history);

  log_.write("gemini", "POST " + access_.url);
  ReplyStream stream(assembler);
  const auto exchanged = transport_.perform(request, stream, cancel);
  Attempt outcome;
  if (stream.host_gone() || (!exchanged.ok() && cancel.stop_requested())) {
    outcome.cancelled = true;
    return outcome;
  }
  const bool stopped_by_us = !exchanged.ok() && exchanged.error().code == ErrorCode::cancelled;
  if (!exchanged.ok() && !stopped_by_us && !stream.began()) {
    outcome.failure = gemini::from_transport(exchanged.error());
  } else {
    outcome.failure = stream.finish();
  }
  outcome.cut = stream.began() && !outcome.failure && !assembler.reply().finish &&
                !assembler.reply().prompt_blocked;
  if (outcome.cut) outcome.failure = cut_error();
  if (outcome.failure) log_.write("gemini", outcome.failure->error.message);
  return outcome;
}

AskResult ModelClient::ask(const gemini::RequestEncoder& encoder, gemini::History& history,
                           core::EventSink& sink, const CancelToken& cancel) {
  TurnAssembler assembler(access_.model, sink);
  int cuts = 0;
  int malformed = 0;
  for (int retry = 1;; ++retry) {
    Attempt outcome = attempt(encoder, history, assembler, cancel);
    const bool bad_call = !outcome.failure && !outcome.cancelled && is_malformed(assembler.reply());
    if (bad_call) {
      outcome.failure = malformed_error(*assembler.reply().finish);
      outcome.failure->retryable = malformed++ < k_max_malformed_calls;
      outcome.failure->error.retry_after = std::chrono::milliseconds(0);
    }
    if (outcome.cancelled || !outcome.failure) {
      if (outcome.cancelled) assembler.keep_text_only();
      if (!assembler.reply().calls.empty()) assembler.announce();
      assembler.finish_parts();
      return {.reply = assembler.take(), .failure = {}, .cancelled = outcome.cancelled};
    }
    // An error inside a stream that has begun counts as a cut: the same care for what was shown.
    const bool unreadable = outcome.failure->error.code == ErrorCode::protocol && !bad_call;
    const bool broke =
        outcome.cut || unreadable || (assembler.has_visible_text() && outcome.failure->retryable);
    if (broke && ++cuts > k_max_cuts) outcome.failure->retryable = false;
    const auto delay = retries_.delay_before(retry, *outcome.failure);
    if (!delay) {
      assembler.keep_text_only();
      assembler.finish_parts();
      return {.reply = assembler.take(), .failure = std::move(outcome.failure), .cancelled = false};
    }
    assembler.keep_text_only();
    if (!assembler.reply().parts.empty()) {
      history.add_model_parts(assembler.reply().parts);
      history.add_user_text(k_go_on);
      assembler.keep_text_only();
    }
    sink.post(core::RetryScheduled{.attempt = retry,
                                   .max_retries = retries_.max_retries(),
                                   .delay = *delay,
                                   .http_status = outcome.failure->error.http_status,
                                   .kind = outcome.failure->kind,
                                   .reason = outcome.failure->error.message});
    if (!clock_.sleep_for(*delay, cancel)) {
      assembler.finish_parts();
      return {.reply = assembler.take(), .failure = {}, .cancelled = true};
    }
  }
}

}  // namespace yume::agent
