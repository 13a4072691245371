// SPDX-License-Identifier: MIT
#include "gemini/api_error.h"

#include "gemini/error_details.h"
#include "gemini/error_page.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace yume::gemini {
namespace {

using core::FailureKind;
using std::chrono::milliseconds;

constexpr std::size_t k_shown_bytes = 500;  // of an answer that is not JSON
constexpr milliseconds k_longest_wait{300'000};
constexpr std::string_view k_dot = " \xC2\xB7 ";
constexpr int k_retries_of_a_silent_server = 1;  // each waits for the whole deadline
constexpr int k_retries_of_a_name = 3;

bool says(const ErrorDetails& details, std::string_view text) {
  return details.message.find(text) != std::string::npos;
}

bool waits_too_long(const ErrorDetails& details) {
  return details.retry_delay && *details.retry_delay > k_longest_wait;
}

std::string plain_text(const ErrorDetails& details) {
  return "API Error: " + std::to_string(details.code) + " " + details.message;
}

// "limit: 0", and not "limit: 0.5" or "limit: 05".
bool names_zero_limit(std::string_view message) {
  constexpr std::string_view k_zero = "limit: 0";
  const std::size_t at = message.find(k_zero);
  if (at == std::string_view::npos) return false;
  const std::string_view rest = message.substr(at + k_zero.size());
  if (rest.starts_with('.')) return rest.size() == 1 || rest[1] < '0' || rest[1] > '9';
  return rest.empty() || rest.front() < '0' || rest.front() > '9';
}

ApiError rate_limited(const ErrorDetails& details) {
  ApiError result;
  result.kind = FailureKind::rate_limit;
  result.error = {
      .code = ErrorCode::http,
      .message = "API Error: Request rejected (429)" + std::string(k_dot) + details.message,
      .http_status = 429,
      .retry_after = details.retry_delay};
  const bool no_quota = names_zero_limit(details.message);
  const bool no_money = details.reason == "INSUFFICIENT_G1_CREDITS_BALANCE" ||
                        says(details, "spending cap") || says(details, "spend cap");
  // A daily quota comes with a small delay all the same; it is gone until tomorrow.
  if (details.per_day) {
    result.error.message += " (daily quota used up; it resets at midnight Pacific time)";
    result.error.retry_after.reset();
  } else if (no_quota) {
    result.error.message += " (this key has no quota for the model; choose another with --model)";
  }
  result.retryable = !details.per_day && !no_quota && !no_money && !waits_too_long(details);
  if (result.retryable && !details.retry_delay && details.per_minute) {
    result.error.retry_after = milliseconds(60'000);
  }
  return result;
}

// "The input token count (N) exceeds the maximum number of tokens allowed (M)."
std::optional<std::int64_t> token_limit(std::string_view message) {
  const std::size_t at = message.find("tokens allowed (");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = message.substr(at + 16);
  std::int64_t limit = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), limit);
  return failure == std::errc() && limit > 0 ? std::optional(limit) : std::nullopt;
}

bool names_bad_key(const ErrorDetails& details) {
  return details.reason == "API_KEY_INVALID" || says(details, "API key not valid") ||
         says(details, "API key expired");
}

bool names_field(const ErrorDetails& details, std::string_view field) {
  const auto names = [field](std::string_view text) { return text.find(field) != text.npos; };
  return names(details.message) || std::any_of(details.fields.begin(), details.fields.end(), names);
}

// The word with nothing but other characters around it: "document", and not "documentation".
bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    if (begins && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

// "Unable to process input image.", "Provided image is not valid.", "The document has no pages.",
// "Unsupported MIME type: image/gif", "Base64 decoding failed", "Request payload size exceeds the
// limit": the server has no field for it.
bool names_media(const ErrorDetails& details) {
  // A tool may have a parameter of such a name.
  if (says(details, "function_declarations")) return false;
  constexpr std::array k_words = {"image", "Image", "images", "document", "Document", "PDF", "pdf"};
  constexpr std::array k_texts = {"inline_data",         "inlineData", "inline data",
                                  "MIME type",           "mimeType",   "Base64 decoding failed",
                                  "payload size exceeds"};
  return std::any_of(k_words.begin(), k_words.end(),
                     [&](const char* word) { return has_word(details.message, word); }) ||
         std::any_of(k_texts.begin(), k_texts.end(),
                     [&](const char* text) { return names_field(details, text); });
}

Remedy remedy_of_bad_request(const ErrorDetails& details) {
  if (says(details, "thought signature") || says(details, "thought_signature") ||
      says(details, "thoughtSignature")) {
    return Remedy::plain_signatures;
  }
  if (says(details, "exceeds the maximum number of tokens")) return Remedy::shorter_context;
  if (says(details, "hinking level") || says(details, "hinking budget") ||
      says(details, "hinking_config") || says(details, "hinkingConfig") ||
      says(details, "hinking is not") || says(details, "thinking mode") ||
      (says(details, "Budget ") && says(details, "is invalid"))) {
    return Remedy::no_thinking;
  }
  if (says(details, "Unknown name") || says(details, "Invalid value")) {
    constexpr std::array k_optional = {"safety", "treamFunctionCallArguments",
                                       "tream_function_call_arguments", "VALIDATED"};
    for (const char* field : k_optional) {
      if (names_field(details, field)) return Remedy::fewer_options;
    }
  }
  if (names_media(details)) return Remedy::no_media;
  if (says(details, "contains an invalid argument")) return Remedy::no_new_media;
  return Remedy::none;
}

void bad_request(const ErrorDetails& details, ApiError& result) {
  result.kind = FailureKind::invalid_request;
  std::string& message = result.error.message;
  message = plain_text(details);
  if (names_bad_key(details)) {
    result.kind = FailureKind::authentication;
    message.append(k_dot).append("Set GEMINI_API_KEY to a valid key");
    return;
  }
  result.remedy = remedy_of_bad_request(details);
  if (result.remedy == Remedy::shorter_context) {
    result.token_limit = token_limit(details.message);
    message.append(k_dot).append("The conversation is too long for this model");
  } else if (says(details, "User location is not supported")) {
    message.append(k_dot).append("Use a paid key, or Vertex (GOOGLE_GENAI_USE_VERTEXAI=true)");
  } else if (says(details, "schema depth")) {
    message.append(k_dot).append("A tool's input schema is too deep; leave the tool out");
  } else if (says(details, "payload size exceeds")) {
    message.append(k_dot).append("Send fewer or smaller files");
  }
}

void forbidden(const ErrorDetails& details, ApiError& result) {
  result.kind = FailureKind::authentication;
  std::string& message = result.error.message;
  message = "Failed to authenticate. " + plain_text(details);
  if (!details.from_api) {
    message.append(k_dot).append("A proxy or firewall may be in between; check --api-base");
    return;
  }
  if (details.reason == "ACCESS_TOKEN_SCOPE_INSUFFICIENT" ||
      says(details, "insufficient authentication scopes")) {
    result.remedy = Remedy::next_source;
    message.append(k_dot).append(
        "This Google login has no Gemini API scope; set GEMINI_API_KEY, or use Vertex "
        "(GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT)");
  } else if (details.reason == "SERVICE_DISABLED" || says(details, "requires a quota project") ||
             says(details, "has not been used in project")) {
    result.remedy = Remedy::next_source;
    message.append(k_dot).append("Enable the API in the project, or set GOOGLE_CLOUD_PROJECT");
    if (!details.activation_url.empty()) message.append(": ").append(details.activation_url);
  } else if (details.reason == "IAM_PERMISSION_DENIED" || says(details, "aiplatform.endpoints")) {
    message.append(k_dot).append("The account needs the role roles/aiplatform.user");
  } else if (details.reason == "USER_PROJECT_DENIED") {
    message.append(k_dot).append(
        "The account needs the role roles/serviceusage.serviceUsageConsumer on the quota project");
  } else if (details.reason == "BILLING_DISABLED") {
    message.append(k_dot).append("Enable billing for the project");
  } else if (says(details, "reported as leaked")) {
    message.append(k_dot).append("Make a new key and set GEMINI_API_KEY to it");
  } else if (details.reason.starts_with("API_KEY_")) {
    message.append(k_dot).append("The key's restrictions do not allow this use (" + details.reason +
                                 ")");
  } else if (says(details, "unregistered callers")) {
    message.append(k_dot).append("Set GEMINI_API_KEY to a valid key");
  }
}

// "502 Bad Gateway" becomes "Bad Gateway": the code is told anyway.
std::string without_code(std::string title, int code) {
  const std::string number = std::to_string(code);
  if (!title.starts_with(number)) return title;
  title.erase(0, std::min(title.find_first_not_of(" -:|", number.size()), title.size()));
  return title;
}

// An answer without an error object: a page for people, a line of text, or nothing.
ErrorDetails foreign_answer(int http_status, std::string_view body) {
  ErrorDetails details;
  details.from_api = false;
  if (const auto title = title_of_page(body)) {
    const std::string words = without_code(*title, http_status);
    details.message = words + (words.empty() ? "" : " ") + "(a web page, not an answer of the API)";
    return details;
  }
  details.message = to_valid_utf8(utf8_prefix(body, k_shown_bytes));
  if (details.message.empty()) details.message = "the server gave no reason";
  return details;
}

// A server that does not know the address says nothing about the model.
void not_found(const ErrorDetails& details, ApiError& result) {
  std::string& message = result.error.message;
  if (!details.from_api) {
    result.kind = FailureKind::invalid_request;
    message.append(k_dot).append(
        "Nothing of the API is at this address; check --api-base and GOOGLE_GEMINI_BASE_URL");
    return;
  }
  result.kind = FailureKind::model_not_found;
  message.append(k_dot).append("Choose another model with --model (see yume-cli models)");
  if (says(details, "Publisher Model")) message.append(", or another --location such as global");
}

ApiError classify(const ErrorDetails& details) {
  const int code = details.code;
  if (code == 429) return rate_limited(details);
  ApiError result;
  result.error = {.code = ErrorCode::http, .message = plain_text(details), .http_status = code};
  std::string& message = result.error.message;
  if (code == 401) {
    result.kind = FailureKind::authentication;
    result.remedy = Remedy::new_credential;
    message.append(k_dot).append(
        "Set GEMINI_API_KEY to a valid key, or log in again with gcloud auth login");
  } else if (code == 403) {
    forbidden(details, result);
  } else if (code == 404) {
    not_found(details, result);
  } else if (code == 407) {
    result.kind = FailureKind::server_error;
    message.append(k_dot).append("The proxy wants a user and password: http://user:password@host");
  } else if (code == 413) {
    result.kind = FailureKind::invalid_request;
    result.remedy = Remedy::no_media;
    message.append(k_dot).append("Send fewer or smaller files");
  } else if (code >= 500 || code == 408 || code == 409 || code == 499) {
    result.kind = FailureKind::server_error;
    result.retryable = !waits_too_long(details);
    result.error.retry_after = details.retry_delay;
  } else if (code == 400) {
    bad_request(details, result);
  } else {
    result.kind = FailureKind::invalid_request;
  }
  return result;
}

}  // namespace

ApiError read_api_error(int http_status, std::string_view body,
                        std::optional<milliseconds> retry_after) {
  ErrorDetails details;
  if (auto found = read_error_details(body)) {
    details = *std::move(found);
  } else {
    details = foreign_answer(http_status, body);
  }
  if (http_status >= 300) details.code = http_status;
  if (!details.retry_delay) details.retry_delay = retry_after;
  if (details.code == 0) details.code = code_of_status(details.status);
  if (details.code == 0) details.code = 500;
  return classify(details);
}

std::optional<ApiError> find_error_object(std::string_view body) {
  if (!read_error_details(body)) return std::nullopt;
  return read_api_error(/*http_status=*/0, body);
}

ApiError from_transport(Error error) {
  ApiError result;
  result.kind = FailureKind::server_error;
  result.error = std::move(error);
  switch (result.error.code) {
    case ErrorCode::network:
      result.retryable = true;
      break;
    case ErrorCode::timeout:
      result.retryable = true;
      result.most_retries = k_retries_of_a_silent_server;
      break;
    case ErrorCode::not_found:
      result.retryable = true;
      result.most_retries = k_retries_of_a_name;
      break;
    default:
      break;
  }
  if (result.error.code != ErrorCode::cancelled) {
    result.error.message = "API Error: " + result.error.message;
  }
  return result;
}

}  // namespace yume::gemini
