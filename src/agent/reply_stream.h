// SPDX-License-Identifier: MIT
// From the bytes of one HTTP answer to chunks in the assembler. An answer that is not a stream of
// events is collected instead, so that its error text can be read.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "agent/turn_assembler.h"
#include "gemini/api_error.h"
#include "gemini/stream_decoder.h"
#include "net/sse_parser.h"
#include "net/transport.h"

namespace yume::agent {

class ReplyStream final : public net::BodySink {
 public:
  ReplyStream(TurnAssembler& assembler, core::EventSink& sink);

  bool on_head(const net::HttpHead& head) override;
  bool on_body(std::string_view bytes) override;
  [[nodiscard]] bool said_something() const override { return said_something_; }
  void on_silence(std::chrono::milliseconds so_far) override;

  // After the exchange: parses what is left and says what was wrong with the answer, if anything.
  std::optional<gemini::ApiError> finish();
  [[nodiscard]] bool began() const { return streaming_; }
  [[nodiscard]] bool host_gone() const { return host_gone_; }

 private:
  bool on_event(std::string_view data);
  void on_stray(std::string_view line);
  void note(const Result<void>& fed);

  TurnAssembler& assembler_;
  core::EventSink& sink_;
  gemini::StreamDecoder decoder_;
  net::SseParser parser_;
  int status_ = 0;
  std::optional<std::chrono::milliseconds> retry_after_;
  bool streaming_ = false;
  bool said_something_ = true;
  bool host_gone_ = false;
  std::string content_type_;
  std::string content_encoding_;
  std::string body_;  // of an answer that is not a stream, or lines of one that are no events
  std::size_t received_ = 0;
  std::optional<gemini::ApiError> problem_;
};

}  // namespace yume::agent
