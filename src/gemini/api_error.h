// SPDX-License-Identifier: MIT
// The API's error answers, read once: what kind it is, whether asking again can help, what to
// change before that, and what to tell a person. Fields decide; the server's prose only where no
// field says the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/event.h"
#include "util/result.h"

namespace yume::gemini {

// What must change before the same request is worth another try. Each is tried once.
enum class Remedy {
  none,
  new_credential,    // 401: the token may have expired
  next_source,       // 403: this login lacks the scope or its project the API
  plain_signatures,  // thought signatures of another model or backend
  no_thinking,       // a thinking setting the model does not know
  fewer_options,     // an optional field this server does not know
  shorter_context,   // over the model's window
  no_media,          // a picture or document that the server cannot read, or does not take
  no_new_media,      // the same, perhaps: it does not say what is wrong
};

struct ApiError {
  Error error;  // message is ready to be shown
  core::FailureKind kind = core::FailureKind::unknown;
  bool retryable = false;
  int most_retries = std::numeric_limits<int>::max();  // where fewer than the policy's are sensible
  Remedy remedy = Remedy::none;
  std::optional<std::int64_t> token_limit = std::nullopt;  // shorter_context: what the server takes
};

// `body` is whatever came with a status that is not 200: an object, an array with one object, HTML,
// nothing at all. `retry_after` is the header's word, used when the body says nothing.
ApiError read_api_error(int http_status, std::string_view body,
                        std::optional<std::chrono::milliseconds> retry_after = std::nullopt);

// The error that a body of status 200 turns out to be; nothing when it is none.
std::optional<ApiError> find_error_object(std::string_view body);

// A failure below HTTP (connection, deadline, certificate) in the same form.
ApiError from_transport(Error error);

}  // namespace yume::gemini
