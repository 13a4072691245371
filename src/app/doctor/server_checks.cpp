// SPDX-License-Identifier: MIT
#include "app/doctor/server_checks.h"

#include "agent/model_access.h"
#include "app/doctor/time_limit.h"
#include "gemini/api_error.h"
#include "net/curl_url.h"

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace yume::app::doctor {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds k_patience{5'000};
constexpr std::size_t k_most_bytes = 64U << 10U;
constexpr std::string_view k_question = R"({"contents":[{"role":"user","parts":[{"text":"hi"}]}]})";

class Answer final : public net::BodySink {
 public:
  bool on_head(const net::HttpHead& /*head*/) override { return true; }
  bool on_body(std::string_view bytes) override {
    body.append(bytes.substr(0, k_most_bytes - std::min(body.size(), k_most_bytes)));
    return true;
  }

  std::string body;
};

// What was passed over has its own line here.
class NoEvents final : public core::EventSink {
 public:
  bool post(core::Event /*event*/) override { return true; }
  bool flush(const CancelToken& /*cancel*/) override { return true; }
};

Result<agent::Route> route_to(const ServerOptions& server,
                              std::unique_ptr<auth::CredentialSource> login, Redactor& redactor,
                              const ServerDeps& deps, const CancelToken& cancel) {
  if (!login) {
    YUME_TRY(gemini::Endpoint endpoint, gemini::Endpoint::choose(server.endpoint, {}));
    return agent::Route{
        .endpoint = std::move(endpoint), .headers = server.extra_headers, .credentials = {}};
  }
  std::vector<std::unique_ptr<auth::CredentialSource>> sources;
  sources.push_back(std::move(login));
  auth::CredentialChain chain(std::move(sources), auth::ChainMode::pinned, deps.clock, null_log());
  agent::ModelAccess access(chain,
                            {.endpoint = server.endpoint,
                             .extra_headers = server.extra_headers,
                             .key_as_bearer = server.key_as_bearer},
                            redactor);
  NoEvents sink;
  return access.route(sink, cancel);
}

// Free of charge on either server: the model's description, or on Vertex the size of two letters.
Result<net::HttpRequest> make_request(const agent::Route& route, const std::string& model_id) {
  net::HttpRequest request;
  if (const auto url = route.endpoint.model_url(model_id)) {
    request.method = "GET";
    request.url = *url;
  } else {
    YUME_TRY(request.url, route.endpoint.count_url(model_id));
    request.body = {k_question};
    request.headers.push_back({"Content-Type", "application/json"});
  }
  request.headers.insert(request.headers.end(), route.headers.begin(), route.headers.end());
  request.secret_headers = route.credentials;
  request.deadlines = {
      .connect = k_patience, .first_byte = k_patience, .idle = k_patience, .total = k_patience};
  return request;
}

Finding check_proxy(const net::UrlParts& url, const net::ProxySettings& settings) {
  const net::Proxy* proxy = net::choose_proxy(settings, url.scheme, url.host);
  if (proxy == nullptr) return {.check = "proxy", .detail = "none"};
  const auto place = net::parse_proxy(*proxy);
  if (place.ok()) {
    return {.check = "proxy",
            .detail = place->place + " (" + proxy->variable + ")" +
                      (place->has_user ? ", with a user" : "")};
  }
  return {.check = "proxy",
          .verdict = Verdict::fail,
          .detail = place.error().message,
          .advice = "correct or unset " + proxy->variable};
}

// Messages about proxies, certificates and wrong addresses tell themselves what to do.
std::string advice_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found:
      return "is this machine offline? Else check the address and the name server";
    case ErrorCode::network:
    case ErrorCode::timeout:
    case ErrorCode::cancelled:
      return "is this machine offline? Else check the address and the firewall";
    default:
      return {};
  }
}

// "API Error: what · what to do".
Finding refused(int status, std::string_view body, const Redactor& redactor) {
  constexpr std::string_view k_prefix = "API Error: ";
  constexpr std::string_view k_dot = " \xC2\xB7 ";
  const gemini::ApiError error = gemini::read_api_error(status, body);
  std::string text = error.error.message;
  redactor.clean(text);
  if (const std::size_t at = text.find(k_prefix); at != text.npos) text.erase(at, k_prefix.size());
  Finding finding{.check = "access", .verdict = Verdict::fail, .detail = text};
  // Busy today is not broken.
  if (error.retryable || status == 429) finding.verdict = Verdict::warn;
  if (const std::size_t dot = text.rfind(k_dot); dot != std::string::npos) {
    finding.detail = text.substr(0, dot);
    finding.advice = text.substr(dot + k_dot.size());
  }
  return finding;
}

}  // namespace

Findings check_server(const ServerOptions& server, const std::string& model_id,
                      std::unique_ptr<auth::CredentialSource> login, const ServerDeps& deps,
                      const CancelToken& cancel) {
  const TimeLimit limit(deps.clock, k_patience, cancel);
  const bool has_login = login != nullptr;
  Redactor redactor;
  const auto wrong = [](const Error& error) {
    return Finding{.check = "network",
                   .verdict = Verdict::fail,
                   .detail = error.message,
                   .advice = advice_for(error.code)};
  };
  const auto route = route_to(server, std::move(login), redactor, deps, limit.token());
  if (!route.ok()) return {wrong(route.error())};
  const auto request = make_request(*route, model_id);
  if (!request.ok()) return {wrong(request.error())};
  const auto url = net::parse_url(request->url);
  if (!url.ok()) return {wrong(url.error())};

  Findings found = {check_proxy(*url, deps.proxies)};
  Answer answer;
  const auto start = deps.clock.steady_now();
  const auto head = deps.transport.perform(*request, answer, limit.token());
  const auto took = std::chrono::ceil<milliseconds>(deps.clock.steady_now() - start);
  if (!head.ok()) {
    Finding finding = wrong(head.error());
    if (limit.expired()) finding.detail = url->place() + " did not answer within 5 s";
    if (net::choose_proxy(deps.proxies, url->scheme, url->host) != nullptr) finding.advice.clear();
    redactor.clean(finding.detail);
    found.push_back(std::move(finding));
    return found;
  }
  found.push_back(
      {.check = "network",
       .detail = url->place() + " answered in " + std::to_string(took.count()) + " ms"});
  if (!has_login) return found;
  if (head->status == 200) {
    found.push_back({.check = "access", .detail = "the server knows the login and " + model_id});
  } else {
    found.push_back(refused(head->status, answer.body, redactor));
  }
  return found;
}

}  // namespace yume::app::doctor
