// SPDX-License-Identifier: MIT
// A transport that answers from a script, one answer per request, and remembers what was asked.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/transport.h"

namespace yume::test {

struct Answer {
  int status = 200;
  std::string content_type = "text/event-stream";
  std::vector<std::string> body = {};
  std::optional<Error> ends_with = std::nullopt;  // after the body; status 0: before any head
  std::function<void()> before_end = {};          // e.g. cancels the turn
  std::vector<net::Header> headers = {};          // beside the content type
};

// The events of one well-formed stream.
inline Answer stream(const std::vector<std::string>& events) {
  Answer answer;
  for (const std::string& event : events) answer.body.push_back("data: " + event + "\r\n\r\n");
  return answer;
}

inline Answer error_answer(int status, std::string body) {
  return {.status = status, .content_type = "application/json", .body = {std::move(body)}};
}

inline Answer no_connection(Error error) {
  return {.status = 0, .ends_with = std::move(error)};
}

// A chunk with one text part, and one with the end of the reply.
inline std::string text_event(const std::string& text) {
  return R"({"candidates":[{"content":{"role":"model","parts":[{"text":")" + text + R"("}]}}]})";
}
inline std::string finish_event(const std::string& reason = "STOP") {
  return R"({"candidates":[{"finishReason":")" + reason + R"("}]})";
}
inline std::string call_event(const std::string& name, const std::string& args,
                              const std::string& id = "") {
  const std::string id_field = id.empty() ? "" : R"("id":")" + id + R"(",)";
  return R"({"candidates":[{"content":{"parts":[{"functionCall":{)" + id_field + R"("name":")" +
         name + R"(","args":)" + args + R"(}}]}}]})";
}

class ScriptedTransport final : public net::Transport {
 public:
  explicit ScriptedTransport(std::vector<Answer> answers)
      : answers_(answers.begin(), answers.end()) {}

  Result<net::HttpHead> perform(const net::HttpRequest& request, net::BodySink& sink,
                                const CancelToken& cancel) override {
    std::string body;
    for (const std::string_view segment : request.body) body += segment;
    bodies.push_back(std::move(body));
    urls.push_back(request.url);
    std::string sent;
    for (const auto& [name, value] : request.headers) sent += name + ": " + value + "\n";
    for (const auto& [name, value] : request.secret_headers) {
      sent += name + ": " + std::string(value.reveal()) + "\n";
    }
    headers.push_back(std::move(sent));
    if (cancel.stop_requested()) return stopped();
    if (answers_.empty()) {
      return Error{.code = ErrorCode::internal, .message = "the script has no further answer"};
    }
    const Answer answer = std::move(answers_.front());
    answers_.pop_front();
    net::HttpHead head{.status = answer.status, .headers = answer.headers};
    head.headers.push_back({"Content-Type", answer.content_type});
    if (answer.status != 0 && !sink.on_head(head)) return stopped();
    for (const std::string& piece : answer.body) {
      if (!sink.on_body(piece)) return stopped();
    }
    if (answer.before_end) answer.before_end();
    if (cancel.stop_requested()) return stopped();
    if (answer.ends_with) return *answer.ends_with;
    return head;
  }

  std::vector<std::string> bodies;
  std::vector<std::string> urls;
  std::vector<std::string> headers;  // of each request, a line each

 private:
  static Error stopped() { return {.code = ErrorCode::cancelled, .message = "stopped"}; }

  std::deque<Answer> answers_;
};

}  // namespace yume::test
