// SPDX-License-Identifier: MIT
// One question to the model, with everything that can go wrong on the way: retries with their
// waits, cut streams, error answers. Straight-line code on the turn's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/retry_policy.h"
#include "agent/turn_assembler.h"
#include "core/event.h"
#include "gemini/api_error.h"
#include "gemini/history.h"
#include "gemini/request.h"
#include "net/transport.h"
#include "platform/clock.h"
#include "util/cancel.h"
#include "util/log.h"

namespace yume::agent {

struct AskResult {
  ModelReply reply;                         // what arrived, complete or not
  std::optional<gemini::ApiError> failure;  // final: retries are used up or pointless
  bool cancelled = false;
};

struct ModelAccess {
  std::string url;
  std::vector<net::SecretHeader> credentials;
  std::string model;
};

class ModelClient {
 public:
  ModelClient(ModelAccess access, net::Transport& transport, const platform::Clock& clock,
              RetryPolicy retries, Log& log);

  // Adds nothing to the history on success; after a cut with visible text the partial reply and a
  // request to go on are added, because the host already has that text.
  AskResult ask(const gemini::RequestEncoder& encoder, gemini::History& history,
                core::EventSink& sink, const CancelToken& cancel);

 private:
  struct Attempt {
    std::optional<gemini::ApiError> failure;
    bool cut = false;  // the stream began and did not end
    bool cancelled = false;
  };

  Attempt attempt(const gemini::RequestEncoder& encoder, const gemini::History& history,
                  TurnAssembler& assembler, const CancelToken& cancel);

  ModelAccess access_;
  net::Transport& transport_;
  const platform::Clock& clock_;
  RetryPolicy retries_;
  Log& log_;
};

}  // namespace yume::agent
