// SPDX-License-Identifier: MIT
#include "gemini/api_error.h"

#include "util/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace yume::gemini {
namespace {

using core::FailureKind;
using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::size_t k_shown_bytes = 500;  // of an answer that is not JSON
constexpr milliseconds k_longest_wait{300'000};

struct Details {
  int code = 0;
  std::string status;
  std::string message;
  std::string reason;  // ErrorInfo
  bool per_day = false;
  bool per_minute = false;
  std::optional<milliseconds> retry_delay;
};

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// "34.4s", "900ms", "51820.638305887s"
std::optional<milliseconds> parse_delay(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || !(value >= 0)) return std::nullopt;
  value = std::min(value, 1e9);  // more would not fit; nobody waits that long anyway
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit == "ms") return milliseconds(static_cast<long long>(value));
  if (unit == "s") return milliseconds(static_cast<long long>(value * 1000));
  return std::nullopt;
}

void read_quota(const json& detail, Details& details) {
  const auto violations = detail.find("violations");
  if (violations == detail.end() || !violations->is_array()) return;
  for (const json& violation : *violations) {
    if (!violation.is_object()) continue;
    const std::string quota = text_of(violation, "quotaId");
    if (quota.find("PerDay") != quota.npos || quota.find("Daily") != quota.npos) {
      details.per_day = true;
    }
    if (quota.find("PerMinute") != quota.npos) details.per_minute = true;
  }
}

Details read_details(const json& error) {
  Details details;
  details.status = text_of(error, "status");
  details.message = text_of(error, "message");
  if (const auto code = error.find("code"); code != error.end() && code->is_number_integer()) {
    details.code = code->get<int>();
  }
  const auto list = error.find("details");
  if (list == error.end() || !list->is_array()) return details;
  for (const json& detail : *list) {
    if (!detail.is_object()) continue;
    const std::string type = text_of(detail, "@type");
    if (type.ends_with("RetryInfo"))
      details.retry_delay = parse_delay(text_of(detail, "retryDelay"));
    if (type.ends_with("ErrorInfo")) details.reason = text_of(detail, "reason");
    if (type.ends_with("QuotaFailure")) read_quota(detail, details);
  }
  return details;
}

int code_of_status(std::string_view status) {
  constexpr std::array<std::pair<std::string_view, int>, 11> k_codes = {{
      {"INVALID_ARGUMENT", 400},
      {"FAILED_PRECONDITION", 400},
      {"UNAUTHENTICATED", 401},
      {"PERMISSION_DENIED", 403},
      {"NOT_FOUND", 404},
      {"RESOURCE_EXHAUSTED", 429},
      {"CANCELLED", 499},
      {"INTERNAL", 500},
      {"UNKNOWN", 500},
      {"UNAVAILABLE", 503},
      {"DEADLINE_EXCEEDED", 504},
  }};
  for (const auto& [name, code] : k_codes) {
    if (name == status) return code;
  }
  return 0;
}

ApiError rate_limited(Details details) {
  ApiError result;
  result.kind = FailureKind::rate_limit;
  result.error = {.code = ErrorCode::http,
                  .message = "API Error: Request rejected (429) \xC2\xB7 " + details.message,
                  .http_status = 429,
                  .retry_after = details.retry_delay};
  const bool no_quota = details.message.find("limit: 0") != std::string::npos;
  const bool too_long = details.retry_delay && *details.retry_delay > k_longest_wait;
  if (details.per_day) {
    result.error.message += " (daily quota used up; it resets at midnight Pacific time)";
  }
  result.retryable = !details.per_day && !no_quota && !too_long;
  if (result.retryable && !details.retry_delay && details.per_minute) {
    result.error.retry_after = milliseconds(60'000);
  }
  return result;
}

bool names_bad_key(const Details& details) {
  return details.reason == "API_KEY_INVALID" ||
         details.message.find("API key not valid") != std::string::npos ||
         details.message.find("API key expired") != std::string::npos;
}

ApiError classify(Details details) {
  const int code = details.code;
  if (code == 429) return rate_limited(std::move(details));
  ApiError result;
  result.error = {.code = ErrorCode::http, .message = {}, .http_status = code};
  std::string& message = result.error.message;
  const std::string plain = "API Error: " + std::to_string(code) + " " + details.message;
  if (code == 401 || (code == 400 && names_bad_key(details))) {
    result.kind = FailureKind::authentication;
    message = plain + " \xC2\xB7 Set GEMINI_API_KEY to a valid key";
  } else if (code == 403) {
    result.kind = FailureKind::authentication;
    message = "Failed to authenticate. " + plain;
  } else if (code == 404) {
    result.kind = FailureKind::model_not_found;
    message = plain + " \xC2\xB7 Choose another model with --model";
  } else if (code >= 500 || code == 408 || code == 409 || code == 499) {
    result.kind = FailureKind::server_error;
    result.retryable = !(details.retry_delay && *details.retry_delay > k_longest_wait);
    result.error.retry_after = details.retry_delay;
    message = plain;
  } else {
    result.kind = FailureKind::invalid_request;
    message = plain;
  }
  return result;
}

const json* error_object(const json& body) {
  const json& object = body.is_array() && !body.empty() ? body.front() : body;
  if (!object.is_object()) return nullptr;
  const auto found = object.find("error");
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

}  // namespace

ApiError read_api_error(int http_status, std::string_view body,
                        std::optional<milliseconds> retry_after) {
  const json parsed = json::parse(body, nullptr, /*allow_exceptions=*/false);
  Details details;
  if (const json* error = parsed.is_discarded() ? nullptr : error_object(parsed)) {
    details = read_details(*error);
  } else {
    details.message = to_valid_utf8(utf8_prefix(body, k_shown_bytes));
    if (details.message.empty()) details.message = "the server gave no reason";
  }
  if (http_status >= 300) details.code = http_status;
  if (!details.retry_delay) details.retry_delay = retry_after;
  if (details.code == 0) details.code = code_of_status(details.status);
  if (details.code == 0) details.code = 500;
  return classify(std::move(details));
}

std::optional<ApiError> find_error_object(std::string_view body) {
  const json parsed = json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded() || error_object(parsed) == nullptr) return std::nullopt;
  return read_api_error(/*http_status=*/0, body);
}

ApiError from_transport(Error error) {
  ApiError result;
  result.kind = FailureKind::server_error;
  result.retryable = error.code == ErrorCode::network || error.code == ErrorCode::timeout;
  result.error = std::move(error);
  if (result.error.code != ErrorCode::cancelled) {
    result.error.message = "API Error: " + result.error.message;
  }
  return result;
}

}  // namespace yume::gemini
