// SPDX-License-Identifier: MIT
// One identity's token, exchanged for a token of a service account it may act for.
#include "auth/token_fetchers.h"
#include "auth/token_source.h"
#include "util/json_io.h"
#include "util/json_tree.h"

namespace yume::auth {
namespace {

using nlohmann::json;

constexpr int k_deepest = 16;

std::string request_body(const Impersonation& impersonation) {
  std::string text;
  JsonWriter writer(text);
  writer.begin_object().key("delegates").begin_array();
  for (const std::string& name : impersonation.delegates) writer.string(name);
  writer.end_array().key("scope").begin_array().string(k_cloud_scope).end_array();
  writer.field("lifetime", std::to_string(impersonation.lifetime.count()) + "s").end_object();
  return text;
}

Result<AccessToken> read_answer(const HttpAnswer& answer, std::chrono::seconds lifetime) {
  const std::string_view text = answer.body.reveal();
  const json object = check_json(text, k_deepest).ok() ? read_json(text) : json();
  const auto found = object.is_object() ? object.find("accessToken") : object.end();
  if (found != object.end() && found->is_string()) {
    // The lifetime is the one we asked for; expireTime is a date, and clocks differ.
    AccessToken token{.value = Secret(found->get<std::string>()), .lifetime = lifetime};
    if (is_access_token(token.value.reveal())) return token;
  }
  return Error{.code = ErrorCode::protocol,
               .message = "the impersonation's answer has no usable accessToken"};
}

}  // namespace

Result<AccessToken> impersonate(const Impersonation& impersonation, const Secret& token,
                                OauthClient& client, const CancelToken& cancel) {
  const Secret body(request_body(impersonation));
  net::HttpRequest request = form_request(impersonation.url, body);
  request.headers = {{"Content-Type", "application/json"}};
  request.secret_headers = {
      {.name = "Authorization", .value = Secret("Bearer " + std::string(token.reveal()))}};
  YUME_TRY(const HttpAnswer answer, client.send(request, cancel));
  if (answer.head.status == 200) return read_answer(answer, impersonation.lifetime);
  std::string why = describe(answer);
  if (answer.head.status == 403) {
    why += "; impersonating needs the role roles/iam.serviceAccountTokenCreator";
  }
  return Error{.code = ErrorCode::auth, .message = why, .http_status = answer.head.status};
}

}  // namespace yume::auth
