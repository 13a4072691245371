// SPDX-License-Identifier: MIT
#include "demo/script.h"

namespace yume::demo {

Script plain_answer(const PlainAnswer& answer) {
  return {.status = answer.status,
          .headers = {{"Content-Type", answer.content_type},
                      {"Content-Length", std::to_string(answer.body.size())}},
          .steps = {SendBytes{answer.body}}};
}

Script event_stream(const std::vector<std::string>& events) {
  Script script{.headers = {{"Content-Type", "text/event-stream"}}};
  for (const std::string& event : events) {
    script.steps.emplace_back(SendBytes{"data: " + event + "\r\n\r\n"});
  }
  return script;
}

}  // namespace yume::demo
