// SPDX-License-Identifier: MIT
// A token of another cloud or company, from a file or an address, exchanged at Google's security
// token service (RFC 8693).
#include "auth/token_fetchers.h"
#include "auth/url_rules.h"
#include "util/base64.h"
#include "util/json_io.h"
#include "util/json_tree.h"

namespace yume::auth {
namespace {

using nlohmann::json;

constexpr std::uint64_t k_largest_subject_token = 64U * 1024U;
constexpr int k_deepest = 16;

Error fault(std::string why) {
  return {.code = ErrorCode::auth, .message = std::move(why)};
}

Result<Secret> read_subject_file(const ExternalAccount& account,
                                 const platform::FileSystem& files) {
  YUME_TRY(std::string text, files.read(account.file, k_largest_subject_token));
  return Secret(std::move(text));
}

Result<Secret> ask_for_subject(const ExternalAccount& account, OauthClient& client,
                               const CancelToken& cancel) {
  net::HttpRequest request = get_request(account.url);
  if (is_https_or_loopback(account.url)) {
    request.secret_headers = account.headers;
  } else {
    // A metadata server over http: its headers ("Metadata: True") are no secrets.
    for (const net::SecretHeader& header : account.headers) {
      request.headers.push_back({header.name, std::string(header.value.reveal())});
    }
  }
  YUME_TRY(HttpAnswer answer, client.send(request, cancel));
  if (answer.head.status == 200) return std::move(answer.body);
  return fault("credential_source.url answered " + std::to_string(answer.head.status));
}

Result<Secret> pick_subject_token(const ExternalAccount& account, const Secret& text) {
  std::string token;
  if (account.json_field.empty()) {
    token = text.reveal();
    constexpr std::string_view k_space = " \t\r\n";
    token.erase(token.find_last_not_of(k_space) + 1);
    token.erase(0, token.find_first_not_of(k_space));
  } else if (check_json(text.reveal(), k_deepest).ok()) {
    const json object = read_json(text.reveal());
    const auto found = object.is_object() ? object.find(account.json_field) : object.end();
    if (found != object.end() && found->is_string()) token = found->get<std::string>();
  }
  if (token.empty()) return fault("credential_source gave no subject token");
  return Secret(std::move(token));
}

std::vector<net::SecretHeader> client_authentication(const ExternalAccount& account) {
  if (account.client_id.empty()) return {};
  const Secret pair(account.client_id + ":" + std::string(account.client_secret.reveal()));
  return {{.name = "Authorization", .value = Secret("Basic " + base64(pair.reveal()))}};
}

std::string options_of(const ExternalAccount& account) {
  std::string text;
  JsonWriter(text).begin_object().field("userProject", account.workforce_project).end_object();
  return text;
}

}  // namespace

Result<AccessToken> fetch_external_token(const ExternalAccount& account, OauthClient& client,
                                         const platform::FileSystem& files,
                                         const CancelToken& cancel) {
  YUME_TRY(const Secret text, account.file.empty() ? ask_for_subject(account, client, cancel)
                                                   : read_subject_file(account, files));
  YUME_TRY(const Secret subject, pick_subject_token(account, text));
  const std::string options = options_of(account);
  std::vector<std::pair<std::string_view, std::string_view>> fields = {
      {"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
      {"audience", account.audience},
      {"scope", k_cloud_scope},
      {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
      {"subject_token_type", account.subject_token_type},
      {"subject_token", subject.reveal()}};
  if (!account.workforce_project.empty()) fields.emplace_back("options", options);
  const Secret body = form_body(fields);
  net::HttpRequest request = form_request(account.token_url, body);
  request.secret_headers = client_authentication(account);
  YUME_TRY(const HttpAnswer answer, client.send(request, cancel));
  if (answer.head.status == 200) return read_access_token(answer);
  return Error{
      .code = ErrorCode::auth, .message = describe(answer), .http_status = answer.head.status};
}

}  // namespace yume::auth
