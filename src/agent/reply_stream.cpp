// SPDX-License-Identifier: MIT
#include "agent/reply_stream.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace yume::agent {
namespace {

constexpr std::size_t k_error_body_limit = 256U << 10U;

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

ReplyStream::ReplyStream(TurnAssembler& assembler)
    : assembler_(assembler), parser_([this](std::string_view data) { return on_event(data); }) {}

bool ReplyStream::on_head(const net::HttpHead& head) {
  status_ = head.status;
  retry_after_ = retry_after(head);
  content_type_ = std::string(head.header("content-type"));
  streaming_ = status_ == 200 && content_type_.starts_with("text/event-stream");
  return true;
}

bool ReplyStream::on_body(std::string_view bytes) {
  if (!streaming_ || !event_seen_) {
    body_.append(bytes.substr(0, k_error_body_limit - std::min(body_.size(), k_error_body_limit)));
  }
  if (!streaming_) return body_.size() < k_error_body_limit;
  note(parser_.feed(bytes));
  return !problem_ && !host_gone_;
}

bool ReplyStream::on_event(std::string_view data) {
  if (!std::exchange(event_seen_, true)) body_.clear();
  auto chunk = decoder_.decode(data);
  if (!chunk.ok()) {
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
    problem_.reset();
    // Some servers drop an error object into the stream without the framing of an event.
    return event_seen_ ? std::nullopt : gemini::find_error_object(body_);
  }
  if (status_ >= 300 && status_ < 400) {
    return bad_answer("unexpected redirect (" + std::to_string(status_) +
                          ") from the API endpoint; check --api-base",
                      /*retryable=*/false);
  }
  if (status_ == 200) {
    if (auto error = gemini::find_error_object(body_)) return error;
    return bad_answer("the answer is not from Gemini (content type '" + content_type_ +
                          "'); a proxy or login page may be in between",
                      /*retryable=*/false);
  }
  return gemini::read_api_error(status_, body_, retry_after_);
}

}  // namespace yume::agent
