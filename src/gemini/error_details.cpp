// SPDX-License-Identifier: MIT
#include "gemini/error_details.h"

#include "util/decimal.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::gemini {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr int k_deepest_wrapping = 8;

const json* child(const json& object, const char* key, json::value_t type) {
  const auto found = object.find(key);
  return found != object.end() && found->type() == type ? &*found : nullptr;
}

// "34.4s", "900ms", "51820.638305887s"
std::optional<milliseconds> parse_delay(std::string_view text) {
  const auto number = leading_decimal(text);
  if (!number || number->value < 0) return std::nullopt;
  // More would not fit; nobody waits that long anyway.
  const double value = std::min(number->value, 1e9);
  const std::string_view unit = text.substr(number->length);
  if (unit.starts_with("ms")) return milliseconds(static_cast<long long>(value));
  if (unit.starts_with("s")) return milliseconds(static_cast<long long>(value * 1000));
  return std::nullopt;
}

// Some answers name the delay in the message alone: "Please retry in 34.4s."
std::optional<milliseconds> delay_in_prose(std::string_view message) {
  constexpr std::string_view k_phrase = "retry in ";
  const std::size_t at = message.find(k_phrase);
  if (at == std::string_view::npos) return std::nullopt;
  return parse_delay(message.substr(at + k_phrase.size()));
}

void note_quota(std::string_view quota, ErrorDetails& details) {
  if (quota.find("PerDay") != quota.npos || quota.find("Daily") != quota.npos) {
    details.per_day = true;
  }
  if (quota.find("PerMinute") != quota.npos) details.per_minute = true;
}

void read_quota_failure(const json& detail, ErrorDetails& details) {
  const json* violations = child(detail, "violations", json::value_t::array);
  if (violations == nullptr) return;
  for (const json& violation : *violations) {
    if (violation.is_object()) note_quota(text_at(violation, "quotaId"), details);
  }
}

void read_error_info(const json& detail, ErrorDetails& details) {
  details.reason = text_at(detail, "reason");
  if (const json* metadata = child(detail, "metadata", json::value_t::object)) {
    note_quota(text_at(*metadata, "quota_limit"), details);
    details.activation_url = text_at(*metadata, "activationUrl");
  }
}

void read_help(const json& detail, ErrorDetails& details) {
  const json* links = child(detail, "links", json::value_t::array);
  if (links == nullptr || links->empty() || !links->front().is_object()) return;
  if (details.activation_url.empty()) details.activation_url = text_at(links->front(), "url");
}

void read_bad_request(const json& detail, ErrorDetails& details) {
  const json* violations = child(detail, "fieldViolations", json::value_t::array);
  if (violations == nullptr) return;
  for (const json& violation : *violations) {
    if (!violation.is_object()) continue;
    details.fields.push_back(text_at(violation, "field") + " " + text_at(violation, "description"));
  }
}

void read_list(const json& list, ErrorDetails& details) {
  for (const json& detail : list) {
    if (!detail.is_object()) continue;
    const std::string type = text_at(detail, "@type");
    if (type.ends_with("RetryInfo")) {
      details.retry_delay = parse_delay(text_at(detail, "retryDelay"));
    }
    if (type.ends_with("ErrorInfo")) read_error_info(detail, details);
    if (type.ends_with("QuotaFailure")) read_quota_failure(detail, details);
    if (type.ends_with("Help")) read_help(detail, details);
    if (type.ends_with("BadRequest")) read_bad_request(detail, details);
  }
}

const json* error_object(const json& body) {
  const json& object = body.is_array() && !body.empty() ? body.front() : body;
  return object.is_object() ? child(object, "error", json::value_t::object) : nullptr;
}

ErrorDetails read_object(const json& error) {
  ErrorDetails details;
  details.status = text_at(error, "status");
  details.message = text_at(error, "message");
  if (const auto code = error.find("code"); code != error.end() && code->is_number_integer()) {
    details.code = code->get<int>();
  }
  if (const json* list = child(error, "details", json::value_t::array)) read_list(*list, details);
  if (!details.retry_delay) details.retry_delay = delay_in_prose(details.message);
  return details;
}

std::optional<ErrorDetails> read_wrapped(std::string_view body, int depth) {
  const json parsed = read_json(body);
  const json* error = parsed.is_discarded() ? nullptr : error_object(parsed);
  if (error == nullptr) return std::nullopt;
  ErrorDetails details = read_object(*error);
  if (depth < k_deepest_wrapping && details.message.find('{') != std::string::npos) {
    const std::string_view inner = std::string_view(details.message);
    if (auto found = read_wrapped(inner.substr(inner.find_first_of("[{")), depth + 1)) {
      if (found->code == 0) found->code = details.code;
      if (found->status.empty()) found->status = details.status;
      return found;
    }
  }
  return details;
}

}  // namespace

std::optional<ErrorDetails> read_error_details(std::string_view body) {
  return read_wrapped(body, 0);
}

int code_of_status(std::string_view status) {
  constexpr std::array<std::pair<std::string_view, int>, 12> k_codes = {{
      {"INVALID_ARGUMENT", 400},
      {"FAILED_PRECONDITION", 400},
      {"OUT_OF_RANGE", 400},
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

}  // namespace yume::gemini
