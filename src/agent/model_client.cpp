// SPDX-License-Identifier: MIT
#include "agent/model_client.h"

#include "agent/reply_stream.h"

#include <algorithm>
#include <map>
#include <utility>

namespace yume::agent {
namespace {

using gemini::FinishReason;
using gemini::Remedy;

constexpr int k_max_cuts = 1;             // a stream is repeated once after it broke
constexpr int k_max_malformed_calls = 2;  // the model gets two more tries at a readable call
constexpr int k_max_empty_hops = 3;       // of a long reply, without anything new
constexpr int k_max_hops = 64;            // more than any window holds

constexpr std::string_view k_go_on =
    "Your last reply was cut off by a connection fault. Go on exactly where it stopped; do not "
    "repeat anything of it.";
constexpr std::string_view k_call_again =
    "Your last reply ended in a tool call that could not be read. Make the call again, with JSON "
    "arguments that fit its schema.";

gemini::ApiError cut_error(const Result<net::HttpHead>& exchanged) {
  gemini::ApiError problem;
  problem.kind = core::FailureKind::server_error;
  problem.retryable = true;
  problem.error = {.code = ErrorCode::network,
                   .message = "API Error: the connection broke before the reply was complete"};
  // A deadline of ours ended it; the connection was as good as ever.
  if (!exchanged.ok() && exchanged.error().code == ErrorCode::timeout) {
    problem.error = {
        .code = ErrorCode::timeout,
        .message = "API Error: " + exchanged.error().message + "; the reply is not complete"};
  }
  return problem;
}

gemini::ApiError malformed_error(const std::string& reason, const std::string& detail) {
  gemini::ApiError problem;
  problem.kind = core::FailureKind::server_error;
  problem.error = {
      .code = ErrorCode::protocol,
      .message = "API Error: the model failed to produce a readable tool call (" + reason + ")",
      .retry_after = std::chrono::milliseconds(0)};
  if (!detail.empty()) problem.error.message += ": " + detail;
  return problem;
}

gemini::ApiError signature_error(const gemini::Finish& finish) {
  gemini::ApiError problem;
  problem.kind = core::FailureKind::invalid_request;
  problem.remedy = Remedy::plain_signatures;
  problem.error = {
      .code = ErrorCode::protocol,
      .message = "API Error: the server misses a thought signature (" + finish.name + ")"};
  return problem;
}

gemini::ApiError access_error(Error error) {
  if (error.code == ErrorCode::network || error.code == ErrorCode::timeout) {
    return gemini::from_transport(std::move(error));
  }
  gemini::ApiError problem;
  problem.kind = error.code == ErrorCode::auth ? core::FailureKind::authentication
                                               : core::FailureKind::invalid_request;
  // Hosts show a text as an error only when it says so.
  if (!error.message.starts_with("API Error")) error.message = "API Error: " + error.message;
  problem.error = std::move(error);
  return problem;
}

}  // namespace

// Everything that belongs to one reply over all its tries.
struct ModelClient::PendingReply {
  const gemini::RequestEncoder& encoder;
  gemini::History& history;
  core::EventSink& sink;
  const CancelToken& cancel;
  gemini::RequestVariant variant;
  TurnAssembler assembler;
  int retries = 0;
  int cuts = 0;
  int malformed = 0;
  int hops = 0;
  int empty_hops = 0;
  std::map<ErrorCode, int> failures = {};
  bool signatures_replaced = false;
  std::vector<core::RawContent> pieces = {};  // of the reply that are in the history

  AskResult end(std::optional<gemini::ApiError> failure, bool cancelled = false) {
    if (failure || cancelled) assembler.keep_text_only();
    if (!assembler.reply().calls.empty()) assembler.announce_calls();
    assembler.finish_parts();
    return {.reply = assembler.take(),
            .before = std::move(pieces),
            .failure = std::move(failure),
            .cancelled = cancelled};
  }

  // CONTINUATION: the same request with the token of this hop brings the rest.
  bool goes_on() {
    const ModelReply& reply = assembler.reply();
    const bool hop = reply.finish && reply.finish->reason == FinishReason::continuation;
    if (!hop || !reply.continuation) return false;
    // A hop may be all thinking, which only the bill shows.
    const bool progress = !assembler.untouched() || reply.usage.billed_output() > 0;
    empty_hops = progress ? 0 : empty_hops + 1;
    if (++hops > k_max_hops || empty_hops > k_max_empty_hops) return false;
    variant.continuation = *reply.continuation;
    assembler.next_hop();
    return true;
  }

  // Ready for another try. What came of this one is dropped but for the text that the host has;
  // then the model is told to go on with `why`, and the reply begins anew.
  void begin_again(std::string_view why) {
    if (assembler.untouched()) {
      assembler.try_again();
      return;
    }
    variant.continuation.clear();
    assembler.keep_text_only();
    if (assembler.reply().parts.empty()) return;
    history.add_model_parts(assembler.reply().parts);
    pieces.push_back({.from_model = true, .parts = assembler.reply().parts});
    pieces.push_back({.from_model = false, .parts = {history.add_user_text(why)}});
    assembler.keep_text_only();
  }
};

ModelClient::ModelClient(ModelAccess& access, net::Transport& transport,
                         const platform::Clock& clock, RetryPolicy retries, Log& log)
    : access_(access),
      transport_(transport),
      clock_(clock),
      retries_(std::move(retries)),
      log_(log) {}

void ModelClient::on_other_model() {
  thinking_taken_ = true;
  options_taken_ = true;
  model_notice_reported_ = false;
}

AskResult ModelClient::ask(const gemini::RequestEncoder& encoder, gemini::History& history,
                           core::EventSink& sink, const CancelToken& cancel,
                           gemini::RequestVariant variant) {
  variant.thinking &= thinking_taken_;
  variant.options &= options_taken_;
  PendingReply pending{.encoder = encoder,
                       .history = history,
                       .sink = sink,
                       .cancel = cancel,
                       .variant = std::move(variant),
                       .assembler = TurnAssembler(encoder.model().id, ids_, sink)};
  for (;;) {
    Attempt outcome = attempt(pending);
    if (outcome.cancelled) return pending.end({}, /*cancelled=*/true);
    if (!outcome.failure) {
      access_.accepted();
      if (pending.goes_on()) continue;
      if (!pending.assembler.end_of_reply()) return pending.end({}, /*cancelled=*/true);
      outcome.failure = unusable(pending);
      if (!outcome.failure) {
        tell_about_model(pending);
        return pending.end({});
      }
    }
    if (cure(pending, *outcome.failure)) {
      pending.begin_again(k_go_on);
      continue;
    }
    if (!wait_to_retry(pending, outcome)) return pending.end(std::move(outcome.failure));
    if (outcome.cancelled) return pending.end({}, /*cancelled=*/true);
  }
}

ModelClient::Attempt ModelClient::attempt(PendingReply& pending) {
  auto route = access_.route(pending.sink, pending.cancel);
  auto url = route.ok() ? route->endpoint.stream_url(pending.encoder.model().id)
                        : Result<std::string>(route.error());
  if (!url.ok()) {
    if (pending.cancel.stop_requested()) return {.cancelled = true};
    return {.failure = access_error(std::move(url).error())};
  }
  const bool vertex = route->endpoint.backend() != gemini::Backend::developer;
  pending.variant.stream_arguments = vertex && pending.encoder.model().multimodal_results;
  const std::string tail = pending.encoder.tail(pending.variant);
  net::HttpRequest request;
  request.url = std::move(url).value();
  request.headers = std::move(route->headers);
  request.headers.push_back({"Content-Type", "application/json"});
  request.headers.push_back({"User-Agent", "yume-cli"});
  request.secret_headers = std::move(route->credentials);
  request.deadlines = route->deadlines;
  request.body = pending.encoder.body(pending.history, tail);

  log_.write("gemini", "POST " + request.url);
  ReplyStream stream(pending.assembler, pending.sink);
  const auto exchanged = transport_.perform(request, stream, pending.cancel);
  Attempt outcome = classify(pending, stream, exchanged);
  if (outcome.failure) {
    access_.hide_credentials(outcome.failure->error.message);
    log_.write("gemini", outcome.failure->error.message);
  }
  return outcome;
}

ModelClient::Attempt ModelClient::classify(PendingReply& pending, ReplyStream& stream,
                                           const Result<net::HttpHead>& exchanged) {
  if (!exchanged.ok() && pending.cancel.stop_requested()) return {.cancelled = true};
  const bool stopped_by_us = !exchanged.ok() && exchanged.error().code == ErrorCode::cancelled;
  const bool endless = !exchanged.ok() && exchanged.error().code == ErrorCode::too_large;
  const bool no_answer = !exchanged.ok() && !stopped_by_us && (endless || !stream.began());
  Attempt outcome;
  outcome.failure =
      no_answer ? std::optional(gemini::from_transport(exchanged.error())) : stream.finish();
  if (stream.host_gone()) return {.cancelled = true};
  const ModelReply& reply = pending.assembler.reply();
  // A reply with its finish reason is whole, whatever happened to the connection after that.
  if (reply.finish) return {};
  outcome.cut = stream.began() && !outcome.failure && !reply.prompt_blocked;
  if (outcome.cut) outcome.failure = cut_error(exchanged);
  return outcome;
}

// A reply that ended as it should and still is of no use.
std::optional<gemini::ApiError> ModelClient::unusable(PendingReply& pending) const {
  const ModelReply& reply = pending.assembler.reply();
  if (reply.finish && reply.finish->reason == FinishReason::missing_signature) {
    return signature_error(*reply.finish);
  }
  const bool malformed =
      reply.finish && reply.calls.empty() && reply.finish->reason == FinishReason::malformed_call;
  if (!malformed && !reply.bad_call) return std::nullopt;
  gemini::ApiError problem = reply.bad_call
                                 ? malformed_error("partialArgs", *reply.bad_call)
                                 : malformed_error(reply.finish->name, reply.finish->message);
  problem.retryable = pending.malformed++ < k_max_malformed_calls;
  // The second time the server shall hold the model to the schema.
  pending.variant.validated_calls = pending.malformed > 1;
  return problem;
}

// Changes what the server named as the fault. True: ask again at once.
bool ModelClient::cure(PendingReply& pending, const gemini::ApiError& failure) {
  switch (failure.remedy) {
    case Remedy::new_credential:
    case Remedy::next_source:
      return access_.refused(failure, pending.sink);
    case Remedy::plain_signatures:
      if (std::exchange(pending.signatures_replaced, true)) return false;
      pending.history.replace_signatures();
      break;
    case Remedy::no_thinking:
      if (!std::exchange(thinking_taken_, false)) return false;
      pending.variant.thinking = false;
      break;
    case Remedy::fewer_options:
      if (!std::exchange(options_taken_, false)) return false;
      pending.variant.options = false;
      break;
    case Remedy::shorter_context:
    case Remedy::no_media:
    case Remedy::no_new_media:
    case Remedy::none:
      return false;
  }
  log_.write("gemini", "asking again without what the server refused");
  return true;
}

// False: give up with the failure. True: asked for again, unless cancelled meanwhile.
bool ModelClient::wait_to_retry(PendingReply& pending, Attempt& outcome) {
  gemini::ApiError& failure = *outcome.failure;
  const ModelReply& reply = pending.assembler.reply();
  const bool bad_call = reply.finish || reply.bad_call;
  // An error inside a stream that has begun counts as a cut: the same care for what was shown.
  const bool unreadable = failure.error.code == ErrorCode::protocol && !bad_call;
  const bool broke = !bad_call && failure.retryable &&
                     (outcome.cut || unreadable || !pending.assembler.untouched());
  if (broke && ++pending.cuts > k_max_cuts) failure.retryable = false;
  if (++pending.failures[failure.error.code] > failure.most_retries) failure.retryable = false;
  // A reply that broke or cannot be read is asked for again whatever the number of retries is.
  const bool counts = !broke && !bad_call;
  const auto delay = counts ? retries_.delay_before(pending.retries + 1, failure)
                            : retries_.delay_of_repeat(failure);
  if (!delay) return false;
  ++pending.retries;
  pending.begin_again(bad_call ? k_call_again : k_go_on);
  pending.sink.post(
      core::RetryScheduled{.attempt = pending.retries,
                           .max_retries = std::max(retries_.max_retries(), pending.retries),
                           .delay = *delay,
                           .http_status = failure.error.http_status,
                           .kind = failure.kind,
                           .reason = failure.error.message});
  outcome.cancelled = !clock_.sleep_for(*delay, pending.cancel);
  return true;
}

void ModelClient::tell_about_model(PendingReply& pending) {
  const auto& notice = pending.assembler.reply().model_notice;
  if (!notice || std::exchange(model_notice_reported_, true)) return;
  pending.sink.post(core::Notice{pending.encoder.model().id + ": " + *notice});
}

}  // namespace yume::agent
