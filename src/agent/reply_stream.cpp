// SPDX-License-Identifier: MIT
#include "agent/reply_stream.h"

#include <algorithm>
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

}  // namespace

ReplyStream::ReplyStream(TurnAssembler& assembler)
    : assembler_(assembler), parser_([this](std::string_view data) { return on_event(data); }) {}

bool ReplyStream::on_head(const net::HttpHead& head) {
  status_ = head.status;
  content_type_ = std::string(head.header("content-type"));
  streaming_ = status_ == 200 && content_type_.starts_with("text/event-stream");
  return true;
}

bool ReplyStream::on_body(std::string_view bytes) {
  if (!streaming_) {
    body_.append(bytes.substr(0, k_error_body_limit - std::min(body_.size(), k_error_body_limit)));
    return body_.size() < k_error_body_limit;
  }
  note(parser_.feed(bytes));
  return !problem_ && !host_gone_;
}

bool ReplyStream::on_event(std::string_view data) {
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
    if (!problem_ && !host_gone_) note(parser_.finish());
    return problem_;
  }
  if (status_ >= 300 && status_ < 400) {
    return bad_answer("unexpected redirect (" + std::to_string(status_) +
                          ") from the API endpoint; check --api-base",
                      /*retryable=*/false);
  }
  if (status_ == 200) {
    return bad_answer("the answer is not from Gemini (content type '" + content_type_ +
                          "'); a proxy or login page may be in between",
                      /*retryable=*/false);
  }
  return gemini::read_api_error(status_, body_);
}

}  // namespace yume::agent
