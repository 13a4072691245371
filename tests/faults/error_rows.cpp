// SPDX-License-Identifier: MIT
// Every kind of error answer (gemini-api.md 4.2, 4.3).
#include "faults/fault_row.h"

namespace yume::faults {
namespace {

std::string detail(const std::string& type, const std::string& fields) {
  return R"({"@type":"type.googleapis.com/google.rpc.)" + type + R"(",)" + fields + "}";
}
std::string reason(const std::string& name) {
  return detail("ErrorInfo", R"("reason":")" + name + R"(","domain":"googleapis.com")");
}
std::string quota(const std::string& id) {
  return detail("QuotaFailure", R"("violations":[{"quotaId":")" + id + R"("}])");
}
std::string wait(const std::string& delay) {
  return detail("RetryInfo", R"("retryDelay":")" + delay + R"(")");
}

// The same answer as often as it is asked for.
Row always(const std::string& id, int code, const std::string& message, const std::string& details,
           const std::string& error, std::size_t requests = 1) {
  return {.id = id,
          .what = message,
          .backend = std::vector<demo::Answer>(
              6, answer(code, error_body(code, "STATUS", message, details), "application/json",
                        {{"retry-after-ms", "1"}})),
          .error = error,
          .requests = requests};
}

// Once, and then a good answer.
Row then_good(const std::string& id, int code, const std::string& message,
              const std::string& details = "") {
  return {.id = id,
          .what = message + ", then good",
          .backend = {answer(code, error_body(code, "STATUS", message, details), "application/json",
                             {{"retry-after-ms", "1"}}),
                      good()},
          .requests = 2};
}

void add_bad_requests(std::vector<Row>& rows) {
  rows.push_back(always("400 API_KEY_INVALID", 400, "API key not valid.", reason("API_KEY_INVALID"),
                        "Set GEMINI_API_KEY to a valid key"));
  rows.push_back(
      always("400 expired key", 400, "API key expired.", "", "Set GEMINI_API_KEY to a valid key"));
  rows.push_back(
      always("400 too long", 400,
             "The input token count (9) exceeds the maximum number of tokens allowed (8).", "",
             "The conversation is too long for this model"));
  rows.push_back(then_good("400 signature", 400, "Corrupted thought signature."));
  rows.push_back(always("400 signature", 400,
                        "Function call is missing a thought_signature in functionCall parts.", "",
                        "thought_signature", 2));
  rows.push_back(
      then_good("400 thinking", 400, "Thinking level X is not supported for this model."));
  rows.push_back(then_good("400 unknown field", 400,
                           "Invalid JSON payload received. Unknown name \"safetySettings\"."));
  rows.push_back(always("400 unknown field", 400,
                        "Invalid JSON payload received. Unknown name \"contents\".", "",
                        "Unknown name"));
  rows.push_back(always("400 pairs", 400,
                        "Please ensure that the number of function response parts is equal", "",
                        "function response parts"));
  rows.push_back(
      always("400 schema", 400, "maximum schema depth exceeded", "", "input schema is too deep"));
  rows.push_back(always("400 image", 400, "Unable to process input image", "", "input image"));
  rows.push_back(always("400 size", 400, "Request payload size exceeds the limit: 20971520 bytes",
                        "", "Send fewer or smaller files"));
  rows.push_back(always("400 FAILED_PRECONDITION", 400,
                        "User location is not supported for the API use.", "", "Use a paid key"));
}

void add_refusals(std::vector<Row>& rows) {
  rows.push_back(always("401 UNAUTHENTICATED", 401, "invalid authentication credentials", "",
                        "API Error: 401"));
  rows.push_back(always("403 no key", 403, "Method doesn't allow unregistered callers", "",
                        "Failed to authenticate"));
  rows.push_back(
      always("403 leaked", 403, "Your API key was reported as leaked.", "", "Make a new key"));
  for (const char* blocked :
       {"API_KEY_SERVICE_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED", "API_KEY_HTTP_REFERRER_BLOCKED"}) {
    rows.push_back(always(std::string("403 ") + blocked, 403, "blocked", reason(blocked),
                          "The key's restrictions"));
  }
  rows.push_back(always("403 SERVICE_DISABLED", 403, "disabled", reason("SERVICE_DISABLED"),
                        "Enable the API in the project"));
  rows.push_back(always("403 scope", 403, "scopes", reason("ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
                        "no Gemini API scope"));
  rows.push_back(always("403 USER_PROJECT_DENIED", 403, "denied", reason("USER_PROJECT_DENIED"),
                        "serviceUsageConsumer"));
  rows.push_back(always("403 IAM_PERMISSION_DENIED", 403, "denied", reason("IAM_PERMISSION_DENIED"),
                        "roles/aiplatform.user"));
  for (const char* other :
       {"CONSUMER_INVALID", "SECURITY_POLICY_VIOLATED", "VALIDATION_REQUIRED"}) {
    rows.push_back(always(std::string("403 ") + other, 403, "denied", reason(other),
                          "Failed to authenticate"));
  }
  rows.push_back(
      always("403 BILLING_DISABLED", 403, "billing", reason("BILLING_DISABLED"), "Enable billing"));
  rows.push_back(always("404 NOT_FOUND", 404, "models/x is not found", "",
                        "Choose another model with --model"));
  rows.push_back(always("413", 413, "payload too large", "", "Send fewer or smaller files"));
}

void add_limits(std::vector<Row>& rows) {
  rows.push_back(
      then_good("429 per minute", 429, "slow down",
                quota("GenerateRequestsPerMinutePerProjectPerModel") + "," + wait("0.001s")));
  rows.push_back(
      always("429 per day", 429, "quota",
             quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier") + "," + wait("38s"),
             "it resets at midnight Pacific time"));
  rows.push_back(always("429 limit: 0", 429, "quota exceeded, limit: 0", "", "no quota"));
  rows.push_back(always("429 too long", 429, "later", wait("301s"), "(429)"));
  rows.push_back(
      always("429 credits", 429, "no credits", reason("INSUFFICIENT_G1_CREDITS_BALANCE"), "(429)"));
  rows.push_back(then_good("429 no details", 429, "Resource exhausted. Please retry in 1ms."));
  rows.push_back(always("429 again and again", 429, "slow", "", "(429)", 3));
}

void add_server_errors(std::vector<Row>& rows) {
  for (const int code : {408, 409, 499, 500, 502, 503, 504}) {
    rows.push_back(then_good(std::to_string(code), code, "The model is overloaded."));
  }
  rows.push_back(always("503 again and again", 503, "The model is overloaded.", "", "503", 3));
  rows.push_back({.id = "array",
                  .what = "the error wrapped in an array",
                  .backend = {answer(403, "[" + error_body(403, "PERMISSION_DENIED", "no") + "]")},
                  .error = "Failed to authenticate. API Error: 403 no"});
  rows.push_back({.id = "nested",
                  .what = "an error as text in a proxy's error",
                  .backend = {answer(400, error_body(400, "X", error_body(400, "X", "inner")))},
                  .error = "API Error: 400 inner"});
  rows.push_back({.id = "HTML",
                  .what = "an error page",
                  .backend = {answer(404, "<html>404</html>", "text/html")},
                  .error =
                      "API Error: 404 (a web page, not an answer of the API) \u00b7 Nothing of "
                      "the API is at this address; check --api-base"});
  rows.push_back(
      {.id = "HTML 502",
       .what = "a load balancer's error page",
       .backend = {answer(502, "<html><title>502 Bad Gateway</title></html>", "text/html"), good()},
       .requests = 2,
       .lines_with = {"API Error: 502 Bad Gateway (a web page, not an answer of the API)"},
       .none_with = {"<html>"}});
  rows.push_back({.id = "empty",
                  .what = "a status and nothing else",
                  .backend = {answer(418, "")},
                  .error = "API Error: 418 the server gave no reason"});
  rows.push_back({.id = "in the stream",
                  .what = "an error event before any text, then good",
                  .backend = {stream({error_body(503, "UNAVAILABLE", "busy")}), good()},
                  .requests = 2});
  rows.push_back({.id = "in the stream",
                  .what = "an error event after text, twice",
                  .backend = {stream({text_event("a"), error_body(503, "UNAVAILABLE", "busy")}),
                              stream({text_event("b"), error_body(503, "UNAVAILABLE", "busy")})},
                  .error = "API Error: 503 busy",
                  .requests = 2});
  rows.push_back(
      {.id = "in the stream",
       .what = "an error without a code",
       .backend = {stream({R"({"error":{"message":"no","status":"PERMISSION_DENIED"}})"})},
       .error = "API Error: 403 no"});
}

}  // namespace

std::vector<Row> error_rows() {
  std::vector<Row> rows;
  add_bad_requests(rows);
  add_refusals(rows);
  add_limits(rows);
  add_server_errors(rows);
  return rows;
}

}  // namespace yume::faults
