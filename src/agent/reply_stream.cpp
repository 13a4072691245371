// SPDX-License-Identifier: MIT
#include "agent/reply_stream.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace yume::agent {
namespace {

constexpr std::size_t k_error_body_limit = 256U << 10U;
constexpr std::size_t k_reply_limit = 256U << 20U;  // far above any model's output

gemini::ApiError bad_answer(std::string message, bool retryable) {
  gemini::ApiError problem;
  problem.kind = core::FailureKind::server_error;
  problem.retryable = retryable;
  problem.error = {.code = ErrorCode::protocol, .message = "API Error: " + std::move(message)};
  return problem;
}

// Seconds or `retry-after-ms`; dates are not worth a parser, our own back-off serves.
std::optional<std::chrono::milliseconds> retry_after(const net::HttpHead& head) {
  const auto number = [](std::string_view text) -> std::optional<long long> {
    long long value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = failure == std::errc() && end == text.data() + text.size();
    if (!whole || value < 0 || value > 1'000'000'000) return std::nullopt;
    return value;
  };
  if (const auto exact = number(head.header("retry-after-ms"))) {
    return std::chrono::milliseconds(*exact);
  }
  if (const auto seconds = number(head.header("retry-after"))) {
    return std::chrono::milliseconds(*seconds * 1000);
  }
  return std::nullopt;
}

}  // namespace

ReplyStream::ReplyStream(TurnAssembler& assembler, core::EventSink& sink)
    : assembler_(assembler),
      sink_(sink),
      parser_([this](std::string_view data) { return on_event(data); },
              [this](std::string_view line) { on_stray(line); }) {}

bool ReplyStream::on_head(const net::HttpHead& head) {
  status_ = head.status;
  retry_after_ = retry_after(head);
  content_type_ = std::string(head.header("content-type"));
  content_encoding_ = std::string(head.header("content-encoding"));
  // We ask for no compression: inflating what a stranger sends has no bound.
  const bool plain = content_encoding_.empty() || content_encoding_ == "identity";
  streaming_ = status_ == 200 && plain && content_type_.starts_with("text/event-stream");
  return true;
}

bool ReplyStream::on_body(std::string_view bytes) {
  received_ += bytes.size();
  if (!streaming_) {
    body_.append(bytes.substr(0, k_error_body_limit - std::min(body_.size(), k_error_body_limit)));
    return body_.size() < k_error_body_limit;
  }
  const std::size_t content_before = parser_.content_bytes();
  note(parser_.feed(bytes));
  said_something_ = parser_.content_bytes() > content_before;
  if (received_ > k_reply_limit && !problem_) {
    problem_ = bad_answer(
        "the reply does not end: it has more than " + std::to_string(k_reply_limit >> 20U) + " MB",
        /*retryable=*/false);
  }
  return !problem_ && !host_gone_;
}

void ReplyStream::on_silence(std::chrono::milliseconds so_far) {
  sink_.post(core::Notice{"no answer from the model for " + std::to_string(so_far.count() / 1000) +
                          " s; still waiting"});
}

// Some servers drop an error object into the stream without the framing of an event.
void ReplyStream::on_stray(std::string_view line) {
  if (body_.size() + line.size() < k_error_body_limit) body_.append(line).push_back('\n');
}

bool ReplyStream::on_event(std::string_view data) {
  auto chunk = decoder_.decode(data);
  if (!chunk.ok()) {
    problem_ = gemini::find_error_object(data);  // it may be wrapped in an array
    if (problem_) return false;
    problem_ = bad_answer(chunk.error().message, /*retryable=*/true);
    return false;
  }
  if (chunk->error) {
    problem_ = std::move(chunk->error);
    return false;
  }
  host_gone_ = !assembler_.add(std::move(chunk).value());
  return !host_gone_;
}

void ReplyStream::note(const Result<void>& fed) {
  if (fed.ok() || problem_ || host_gone_) return;
  problem_ = bad_answer(fed.error().message, /*retryable=*/false);
}

std::optional<gemini::ApiError> ReplyStream::finish() {
  if (streaming_) {
    if (problem_ || host_gone_) return problem_;
    (void)parser_.finish();
    // An event that cannot be read here was cut off with its stream.
    if (problem_ && problem_->error.code == ErrorCode::protocol) problem_.reset();
    if (!problem_ && !assembler_.reply().finish) problem_ = gemini::find_error_object(body_);
    return problem_;
  }
  if (status_ >= 300 && status_ < 400) {
    return bad_answer("unexpected redirect (" + std::to_string(status_) +
                          ") from the API endpoint; check --api-base",
                      /*retryable=*/false);
  }
  if (status_ == 200) {
    if (auto error = gemini::find_error_object(body_)) return error;
    if (content_type_.starts_with("text/event-stream")) {
      return bad_answer("the answer is compressed (" + content_encoding_ +
                            ") although nothing asked for that; check --api-base and proxies",
                        /*retryable=*/false);
    }
    return bad_answer("the answer is not from Gemini (content type '" + content_type_ +
                          "'); a proxy or login page may be in between",
                      /*retryable=*/false);
  }
  return gemini::read_api_error(status_, body_, retry_after_);
}

}  // namespace yume::agent
