// SPDX-License-Identifier: MIT
// The API's error answers, read once: what kind it is, whether asking again can help, and what to
// tell a person. Text of the server is shown, never matched on where a field says the same.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/event.h"
#include "util/result.h"

namespace yume::gemini {

struct ApiError {
  Error error;  // message is ready to be shown
  core::FailureKind kind = core::FailureKind::unknown;
  bool retryable = false;
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
