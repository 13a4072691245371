// SPDX-License-Identifier: MIT
#include "gemini/api_error.h"

#include "util/json_io.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace yume::gemini {
namespace {

using core::FailureKind;
using std::chrono::milliseconds;

std::string body(int code, const std::string& status, const std::string& message,
                 const std::string& details = "") {
  std::string text = R"({"error":{"code":)" + std::to_string(code) + R"(,"message":)";
  append_json_string(text, message);
  text += R"(,"status":")" + status + R"(")";
  if (!details.empty()) text += R"(,"details":[)" + details + "]";
  return text + "}}";
}

std::string type(const std::string& name, const std::string& fields) {
  return R"({"@type":"type.googleapis.com/google.rpc.)" + name + R"(",)" + fields + "}";
}

std::string quota(const std::string& id) {
  return type("QuotaFailure", R"("violations":[{"quotaMetric":"m","quotaId":")" + id + R"("}])");
}

std::string retry(const std::string& delay) {
  return type("RetryInfo", R"("retryDelay":")" + delay + R"(")");
}

std::string reason(const std::string& name) {
  return type("ErrorInfo", R"("reason":")" + name + R"(","domain":"googleapis.com")");
}

struct Row {
  int http;
  std::string status;
  std::string message;
  std::string details;
  FailureKind kind;
  bool retryable;
  std::optional<long> retry_after_ms;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const std::string plain = body(row.http, row.status, row.message, row.details);
    // Some servers wrap the object into an array.
    for (const std::string& answer : {plain, "[" + plain + "\r\n]"}) {
      const ApiError read = read_api_error(row.http, answer);
      EXPECT_EQ(read.kind, row.kind) << answer;
      EXPECT_EQ(read.retryable, row.retryable) << answer;
      EXPECT_EQ(read.error.http_status, row.http) << answer;
      EXPECT_EQ(read.error.code, ErrorCode::http) << answer;
      EXPECT_NE(read.error.message.find(row.message), std::string::npos) << read.error.message;
      EXPECT_NE(read.error.message.find("API Error: "), std::string::npos) << read.error.message;
      std::optional<long> after;
      if (read.error.retry_after) after = read.error.retry_after->count();
      EXPECT_EQ(after, row.retry_after_ms) << answer;
    }
  }
}

TEST(ApiError, ReadsTheCatalogueOfClientErrors) {
  const auto auth = FailureKind::authentication;
  const auto invalid = FailureKind::invalid_request;
  expect_rows({
      {400,
       "INVALID_ARGUMENT",
       "API key not valid. Please pass a valid API key.",
       reason("API_KEY_INVALID"),
       auth,
       false,
       {}},
      {400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", "", auth, false, {}},
      {400,
       "INVALID_ARGUMENT",
       "The input token count (1200000) exceeds the maximum",
       "",
       invalid,
       false,
       {}},
      {400,
       "INVALID_ARGUMENT",
       "Function call is missing a thought_signature",
       "",
       invalid,
       false,
       {}},
      {400,
       "INVALID_ARGUMENT",
       "Invalid JSON payload received. Unknown name \"x\"",
       "",
       invalid,
       false,
       {}},
      {400,
       "FAILED_PRECONDITION",
       "User location is not supported for the API use.",
       "",
       invalid,
       false,
       {}},
      {401,
       "UNAUTHENTICATED",
       "Request had invalid authentication credentials",
       "",
       auth,
       false,
       {}},
      {403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers", "", auth, false, {}},
      {403, "PERMISSION_DENIED", "Your API key was reported as leaked.", "", auth, false, {}},
      {403,
       "PERMISSION_DENIED",
       "Generative Language API has not been used in project 1 before",
       reason("SERVICE_DISABLED"),
       auth,
       false,
       {}},
      {404,
       "NOT_FOUND",
       "models/x is not found for API version v1beta",
       "",
       FailureKind::model_not_found,
       false,
       {}},
      {413, "INVALID_ARGUMENT", "payload too large", "", invalid, false, {}},
  });
}

TEST(ApiError, RetriesWhatTheServerMayGetOver) {
  const auto server = FailureKind::server_error;
  expect_rows({
      {408, "", "timeout", "", server, true, {}},
      {409, "ABORTED", "conflict", "", server, true, {}},
      {499, "CANCELLED", "The operation was cancelled.", "", server, true, {}},
      {500, "INTERNAL", "An internal error has occurred.", "", server, true, {}},
      {502, "", "bad gateway", "", server, true, {}},
      {503, "UNAVAILABLE", "The model is overloaded.", "", server, true, {}},
      {503, "UNAVAILABLE", "The model is overloaded.", retry("2s"), server, true, 2000},
      {504, "DEADLINE_EXCEEDED", "deadline", "", server, true, {}},
      {529, "", "overloaded", "", server, true, {}},
  });
}

TEST(ApiError, TakesTheHeadersDelayWhenTheBodySaysNothing) {
  const milliseconds header(7000);
  EXPECT_EQ(read_api_error(429, "{}", header).error.retry_after, header);
  EXPECT_EQ(read_api_error(503, "", header).error.retry_after, header);
  EXPECT_EQ(
      read_api_error(503, body(503, "UNAVAILABLE", "m", retry("2s")), header).error.retry_after,
      milliseconds(2000));
  EXPECT_FALSE(read_api_error(503, "", milliseconds(300'001)).retryable) << "nobody waits for that";
}

TEST(ApiError, FindsAnErrorThatCameWithStatus200) {
  EXPECT_EQ(find_error_object(R"([{"error":{"code":503,"message":"m"}}])")->error.message,
            "API Error: 503 m");
  for (const char* other : {"", "<html>", "{}", "[]", R"({"error":"x"})", R"({"candidates":[]})"}) {
    EXPECT_FALSE(find_error_object(other).has_value()) << other;
  }
}

TEST(ApiError, ReadsA429AsTheServerMeansIt) {
  const auto limit = FailureKind::rate_limit;
  const std::string status = "RESOURCE_EXHAUSTED";
  expect_rows({
      {429, status, "Resource exhausted.", "", limit, true, {}},
      {429, status, "You exceeded your current quota",
       quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier") + "," + retry("34.4s"), limit,
       true, 34'400},
      {429, status, "slow down", retry("900ms"), limit, true, 900},
      {429, status, "slow down", retry("300s"), limit, true, 300'000},
      {429, status, "slow down", retry("300.001s"), limit, false, 300'001},
      {429, status, "slow down", retry("51820.638305887s"), limit, false, 51'820'638},
      {429, status, "per minute", quota("GenerateContentInputTokensPerModelPerMinute"), limit, true,
       60'000},
      {429,
       status,
       "per day",
       quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
       limit,
       false,
       {}},
      {429,
       status,
       "per day wins over its small delay",
       quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier") + "," + retry("38s"),
       limit,
       false,
       {}},
      {429, status, "daily", quota("DailyLimitPerUser"), limit, false, {}},
      {429, status, "quota exceeded, limit: 0, model: gemini-x", retry("5s"), limit, false, 5'000},
      {429, status, "endless delay", retry("1e300s"), limit, false, 1'000'000'000'000},
      {429, status, "no delay", retry("nans"), limit, true, {}},
      {429, status, "odd delay", retry("soon"), limit, true, {}},
      {429, status, "odd delay", retry("-5s"), limit, true, {}},
      {429, status, "odd delay", type("RetryInfo", R"("retryDelay":5)"), limit, true, {}},
      {429,
       status,
       "odd details",
       R"(1,null,"x",[],{"@type":7},{"violations":3})",
       limit,
       true,
       {}},
  });
}

TEST(ApiError, TellsWhenADailyQuotaComesBack) {
  const ApiError read =
      read_api_error(429, body(429, "RESOURCE_EXHAUSTED", "gone", quota("XPerDay")));
  EXPECT_EQ(read.error.message,
            "API Error: Request rejected (429) \xC2\xB7 gone (daily quota used up; it resets at "
            "midnight Pacific time)");
}

TEST(ApiError, UsesTheHostsWordsForEachKind) {
  EXPECT_EQ(read_api_error(401, body(401, "UNAUTHENTICATED", "no")).error.message,
            "API Error: 401 no \xC2\xB7 Set GEMINI_API_KEY to a valid key, or log in again with "
            "gcloud auth login");
  EXPECT_EQ(read_api_error(403, body(403, "PERMISSION_DENIED", "no")).error.message,
            "Failed to authenticate. API Error: 403 no");
  EXPECT_EQ(read_api_error(404, body(404, "NOT_FOUND", "no")).error.message,
            "API Error: 404 no \xC2\xB7 Choose another model with --model (see yume-cli models)");
  EXPECT_EQ(read_api_error(400, body(400, "INVALID_ARGUMENT", "no")).error.message,
            "API Error: 400 no");
}

TEST(ApiError, FindsTheNumberWhenOnlyTheNameIsThere) {
  struct Case {
    const char* status;
    int code;
    bool retryable;
  };
  const std::vector<Case> cases = {
      {"INVALID_ARGUMENT", 400, false}, {"FAILED_PRECONDITION", 400, false},
      {"UNAUTHENTICATED", 401, false},  {"PERMISSION_DENIED", 403, false},
      {"NOT_FOUND", 404, false},        {"RESOURCE_EXHAUSTED", 429, true},
      {"CANCELLED", 499, true},         {"INTERNAL", 500, true},
      {"UNKNOWN", 500, true},           {"UNAVAILABLE", 503, true},
      {"DEADLINE_EXCEEDED", 504, true}, {"A_NEW_NAME", 500, true},
  };
  for (const Case& one : cases) {
    const ApiError read = read_api_error(
        0, R"({"error":{"message":"m","status":")" + std::string(one.status) + R"("}})");
    EXPECT_EQ(read.error.http_status, one.code) << one.status;
    EXPECT_EQ(read.retryable, one.retryable) << one.status;
  }
}

TEST(ApiError, ShowsTheBeginningOfAnAnswerThatIsNotJson) {
  const std::string html = "<html><title>502 Bad Gateway</title>" + std::string(5000, 'x');
  const ApiError read = read_api_error(502, html);
  EXPECT_EQ(read.kind, FailureKind::server_error);
  EXPECT_TRUE(read.retryable);
  EXPECT_EQ(read.error.message,
            "API Error: 502 Bad Gateway (a web page, not an answer of the API)");
  EXPECT_EQ(read_api_error(404, "<html>").kind, FailureKind::invalid_request);
  const std::string cut = std::string(499, 'x') + "\xC3\xA9";
  EXPECT_EQ(read_api_error(502, cut).error.message, "API Error: 502 " + std::string(499, 'x'));
  EXPECT_EQ(read_api_error(502, "\xFF").error.message, "API Error: 502 \xEF\xBF\xBD");
}

TEST(ApiError, SaysInWordsThatAWebPageCame) {
  const auto message = [](int status, std::string_view body) {
    return read_api_error(status, body).error.message;
  };
  EXPECT_EQ(message(503, "<html><h1>Service Unavailable</h1>"),
            "API Error: 503 Service Unavailable (a web page, not an answer of the API)");
  EXPECT_EQ(message(502, "<html>"), "API Error: 502 (a web page, not an answer of the API)");
  EXPECT_EQ(message(403, "<html><title>403 - Forbidden</title>"),
            "Failed to authenticate. API Error: 403 Forbidden (a web page, not an answer of the "
            "API) \u00b7 A proxy or firewall may be in between; check --api-base");
}

TEST(ApiError, BlamesTheAddressForA404ThatIsNotOfTheApi) {
  const std::string advice =
      " \u00b7 Nothing of the API is at this address; check --api-base and GOOGLE_GEMINI_BASE_URL";
  for (const auto& [body, shown] :
       {std::pair{"<html><title>404 Not Found</title>",
                  "Not Found (a web page, not an answer of the API)"},
        std::pair{"404 page not found", "404 page not found"},
        std::pair{R"({"detail":"Not Found"})", R"({"detail":"Not Found"})"}}) {
    const ApiError read = read_api_error(404, body);
    EXPECT_EQ(read.error.message, std::string("API Error: 404 ") + shown + advice);
    EXPECT_EQ(read.kind, FailureKind::invalid_request);
  }
  const ApiError of_api = read_api_error(404, R"({"error":{"code":404,"message":"models/x"}})");
  EXPECT_EQ(of_api.kind, FailureKind::model_not_found);
  EXPECT_NE(of_api.error.message.find("--model"), std::string::npos);
}

TEST(ApiError, SaysSoWhenThereIsNoReason) {
  EXPECT_EQ(read_api_error(500, "").error.message, "API Error: 500 the server gave no reason");
}

TEST(ApiError, SurvivesEveryShape) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& answer :
       {std::string("[]"), std::string("[[]]"), std::string("null"), std::string("7"),
        std::string(R"({"error":"text"})"), std::string(R"({"error":[]})"), std::string(R"({})"),
        std::string(R"({"error":{}})"), std::string(R"({"error":{"code":"x","message":1}})"),
        std::string(R"({"error":{"code":99999999999999999999,"details":{}}})"), deep}) {
    const ApiError read = read_api_error(503, answer);
    EXPECT_EQ(read.error.http_status, 503) << answer.substr(0, 40);
    EXPECT_TRUE(read.retryable) << answer.substr(0, 40);
  }
}

TEST(FromTransport, RetriesOnlyWhatMayPass) {
  struct Case {
    ErrorCode code;
    bool retryable;
  };
  for (const Case& one : {Case{ErrorCode::network, true}, Case{ErrorCode::timeout, true},
                          Case{ErrorCode::tls, false}, Case{ErrorCode::too_large, false}}) {
    const ApiError read = from_transport({.code = one.code, .message = "cannot reach host"});
    EXPECT_EQ(read.retryable, one.retryable);
    EXPECT_EQ(read.kind, FailureKind::server_error);
    EXPECT_EQ(read.error.message, "API Error: cannot reach host");
    EXPECT_EQ(read.error.http_status, 0);
  }
}

TEST(ApiError, KnowsWhatToChangeBeforeAskingAgain) {
  struct Cure {
    int http;
    std::string message;
    std::string details;
    Remedy remedy;
  };
  const std::string unknown_field =
      "Invalid JSON payload received. Unknown name \"safetySettings\": Cannot find field.";
  const std::vector<Cure> rows = {
      {401, "Request had invalid authentication credentials.", reason("ACCESS_TOKEN_EXPIRED"),
       Remedy::new_credential},
      {403, "Request had insufficient authentication scopes.",
       reason("ACCESS_TOKEN_SCOPE_INSUFFICIENT"), Remedy::next_source},
      {403, "Generative Language API has not been used in project 1 before or it is disabled.",
       reason("SERVICE_DISABLED"), Remedy::next_source},
      {403, "The API requires a quota project, which is not set by default.", "",
       Remedy::next_source},
      {403, "Permission 'aiplatform.endpoints.predict' denied", reason("IAM_PERMISSION_DENIED"),
       Remedy::none},
      {403, "Your API key was reported as leaked.", "", Remedy::none},
      {400, "Function call is missing a thought_signature in functionCall parts.", "",
       Remedy::plain_signatures},
      {400, "Corrupted thought signature.", "", Remedy::plain_signatures},
      {400, "Thinking level MINIMAL is not supported for this model.", "", Remedy::no_thinking},
      {400, "You can only set only one of thinking budget and thinking level.", "",
       Remedy::no_thinking},
      {400, "Budget 0 is invalid. This model only works in thinking mode.", "",
       Remedy::no_thinking},
      {400, unknown_field, "", Remedy::fewer_options},
      {400, "Invalid JSON payload received.",
       type("BadRequest", R"("fieldViolations":[{"field":"tool_config","description":)"
                          R"("Unknown name \"streamFunctionCallArguments\""}])"),
       Remedy::none},
      {400, "Invalid JSON payload received. Unknown name \"contents\"", "", Remedy::none},
      {400, "The input token count (2000) exceeds the maximum number of tokens allowed (1000).", "",
       Remedy::shorter_context},
      {400, "API key not valid. Please pass a valid API key.", reason("API_KEY_INVALID"),
       Remedy::none},
      {400, "Unable to process input image. Please retry or report in x.", "", Remedy::no_media},
      {400, "Provided image is not valid.", "", Remedy::no_media},
      {400, "The document has no pages.", "", Remedy::no_media},
      {400, "Unsupported MIME type: image/gif", "", Remedy::no_media},
      {400, "Invalid value at 'contents[0].parts[1].inline_data.data' (TYPE_BYTES)", "",
       Remedy::no_media},
      {400, "Request payload size exceeds the limit: 20971520 bytes.", "", Remedy::no_media},
      {413, "Too large", "", Remedy::no_media},
      {400, "Request contains an invalid argument.", "", Remedy::no_new_media},
      {400, "See the documentation.", "", Remedy::none},
      {400, "tools[0].function_declarations[1].parameters.properties[image]: bad", "",
       Remedy::none},
      {404, "models/x is not found", "", Remedy::none},
      {500, "thought signature", "", Remedy::none},
  };
  for (const Cure& row : rows) {
    const ApiError read = read_api_error(row.http, body(row.http, "X", row.message, row.details));
    EXPECT_EQ(read.remedy, row.remedy) << row.message;
    EXPECT_EQ(read.retryable, row.http == 500) << row.message;
  }
  EXPECT_EQ(read_api_error(400, body(400, "X", rows[14].message)).token_limit, 1000);
}

TEST(ApiError, GivesAdvice) {
  struct Advice {
    int http;
    std::string message;
    std::string details;
    std::string words;
  };
  const std::vector<Advice> rows = {
      {400, "User location is not supported for the API use.", "", "Use a paid key, or Vertex"},
      {400, "maximum schema depth exceeded", "", "A tool's input schema is too deep"},
      {400, "Request payload size exceeds the limit: 20971520 bytes.", "",
       "fewer or smaller files"},
      {403, "disabled",
       type("ErrorInfo",
            R"("reason":"SERVICE_DISABLED","metadata":{"activationUrl":"https://on"})"),
       "Enable the API in the project, or set GOOGLE_CLOUD_PROJECT: https://on"},
      {403, "scopes", reason("ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
       "set GEMINI_API_KEY, or use Vertex"},
      {403, "denied", reason("IAM_PERMISSION_DENIED"), "roles/aiplatform.user"},
      {403, "denied", reason("USER_PROJECT_DENIED"), "serviceUsageConsumer"},
      {403, "billing", reason("BILLING_DISABLED"), "Enable billing"},
      {403, "Your API key was reported as leaked.", "", "Make a new key"},
      {403, "blocked", reason("API_KEY_SERVICE_BLOCKED"), "(API_KEY_SERVICE_BLOCKED)"},
      {403, "Method doesn't allow unregistered callers", "", "Set GEMINI_API_KEY"},
      {404, "Publisher Model x was not found", "", "another --location such as global"},
      {407, "authentication", "", "http://user:password@host"},
      {413, "large", "", "fewer or smaller files"},
      {429, "limit: 0", "", "no quota for the model"},
  };
  for (const Advice& row : rows) {
    const ApiError read = read_api_error(row.http, body(row.http, "X", row.message, row.details));
    EXPECT_NE(read.error.message.find(row.words), std::string::npos) << read.error.message;
    EXPECT_FALSE(read.retryable) << row.message;
  }
}

TEST(ApiError, UnwrapsWhatProxiesWrapIntoAMessage) {
  std::string wrapped = body(429, "RESOURCE_EXHAUSTED", "slow down", retry("7s"));
  for (int depth = 0; depth < 3; ++depth) {
    wrapped = body(500, "INTERNAL", "upstream said: " + wrapped);
    const ApiError read = read_api_error(0, wrapped);
    EXPECT_EQ(read.error.http_status, 429) << depth;
    EXPECT_EQ(read.error.retry_after, milliseconds(7000)) << depth;
  }
  EXPECT_EQ(read_api_error(429, body(429, "X", "Please retry in 34.4s.")).error.retry_after,
            milliseconds(34'400));
}

TEST(ApiError, KnowsALimitOfZeroFromASmallOne) {
  for (const char* message : {"limit: 0", "limit: 0, model: x", "limit: 0.", "limit: 0."}) {
    EXPECT_FALSE(read_api_error(429, body(429, "X", message)).retryable) << message;
  }
  for (const char* message : {"limit: 0.5M", "limit: 05", "limit: 20"}) {
    EXPECT_TRUE(read_api_error(429, body(429, "X", message)).retryable) << message;
  }
}

TEST(ApiError, LimitsRetriesThatEachTakeLong) {
  const auto of = [](ErrorCode code) { return from_transport({.code = code, .message = "m"}); };
  EXPECT_EQ(of(ErrorCode::timeout).most_retries, 1);
  EXPECT_EQ(of(ErrorCode::not_found).most_retries, 3);
  EXPECT_GT(of(ErrorCode::network).most_retries, 1000);
  for (const ErrorCode final : {ErrorCode::tls, ErrorCode::auth, ErrorCode::too_large}) {
    EXPECT_FALSE(of(final).retryable);
  }
}

}  // namespace
}  // namespace yume::gemini
