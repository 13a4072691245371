// SPDX-License-Identifier: MIT
// The fields of a google.rpc error answer, gathered from wherever servers and the proxies before
// them put them. Reading is total: what is not there stays empty.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::gemini {

struct ErrorDetails {
  int code = 0;
  std::string status;  // "RESOURCE_EXHAUSTED"
  std::string message;
  std::string reason;               // ErrorInfo: "SERVICE_DISABLED"
  std::string activation_url;       // ErrorInfo metadata, or the first link of Help
  std::vector<std::string> fields;  // BadRequest: the fields that were refused
  bool per_day = false;             // QuotaFailure names a daily quota
  bool per_minute = false;
  std::optional<std::chrono::milliseconds> retry_delay;
  bool from_api = true;  // false: not in the form of the API's errors, so not from the API itself
};

// nullopt when `body` holds no error object. Takes an object, an array that begins with one, and
// errors that proxies wrapped as text into another error's message.
std::optional<ErrorDetails> read_error_details(std::string_view body);

// The HTTP code that belongs to a status name; 0 when unknown.
int code_of_status(std::string_view status);

}  // namespace yume::gemini
