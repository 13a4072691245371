// SPDX-License-Identifier: MIT
// One reply of the model, with everything that can go wrong on the way: refused credentials,
// retries with their waits, cut streams, error answers with a known cure. Straight-line code on the
// turn's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/call_ids.h"
#include "agent/model_access.h"
#include "agent/retry_policy.h"
#include "agent/turn_assembler.h"
#include "core/conversation.h"
#include "core/event.h"
#include "gemini/api_error.h"
#include "gemini/history.h"
#include "gemini/request.h"
#include "net/transport.h"
#include "platform/clock.h"
#include "util/cancel.h"
#include "util/log.h"

namespace yume::agent {

class ReplyStream;

struct AskResult {
  ModelReply reply;                         // what arrived, complete or not
  std::vector<core::RawContent> before;     // earlier pieces of it, already in the history
  std::optional<gemini::ApiError> failure;  // final: retries are used up or pointless
  bool cancelled = false;
};

class ModelClient {
 public:
  ModelClient(ModelAccess& access, net::Transport& transport, const platform::Clock& clock,
              RetryPolicy retries, Log& log);

  // Adds nothing to the history on success; after a cut with visible text the partial reply and a
  // request to go on are added, because the host already has that text. `variant` is what this
  // request needs to be like from the start.
  AskResult ask(const gemini::RequestEncoder& encoder, gemini::History& history,
                core::EventSink& sink, const CancelToken& cancel,
                gemini::RequestVariant variant = {});

  // Whether another model can be asked instead.
  void set_fallback(bool there) { retries_.set_fallback(there); }
  // What was learnt about a model does not hold for another.
  void on_other_model();

  // Before the first request.
  void begin_ids_with(const std::string& prefix) { ids_.begin_with(prefix); }
  // Ids of calls that the session has seen before, never given again.
  void reserve_ids(const std::vector<std::string>& ids) { ids_.reserve(ids); }

 private:
  struct PendingReply;
  struct Attempt {
    std::optional<gemini::ApiError> failure = std::nullopt;
    bool cut = false;  // the stream began and did not end
    bool cancelled = false;
  };

  Attempt attempt(PendingReply& pending);
  static Attempt classify(PendingReply& pending, ReplyStream& stream,
                          const Result<net::HttpHead>& exchanged);
  std::optional<gemini::ApiError> unusable(PendingReply& pending) const;
  bool cure(PendingReply& pending, const gemini::ApiError& failure);
  bool wait_to_retry(PendingReply& pending, Attempt& outcome);
  void tell_about_model(PendingReply& pending);

  ModelAccess& access_;
  net::Transport& transport_;
  const platform::Clock& clock_;
  RetryPolicy retries_;
  Log& log_;
  CallIds ids_;
  // What a server did not take once it is not offered again.
  bool thinking_taken_ = true;
  bool options_taken_ = true;
  bool model_notice_reported_ = false;
};

}  // namespace yume::agent
