// SPDX-License-Identifier: MIT
// A service account's key signs a statement, which is exchanged for an access token.
#include "auth/jwt.h"
#include "auth/token_fetchers.h"

namespace yume::auth {
namespace {

std::string advice(const Refusal& refusal) {
  const auto says = [&refusal](const char* words) {
    return refusal.description.find(words) != std::string::npos;
  };
  if (refusal.code != "invalid_grant") return "";
  if (says("iat") || says("timeframe")) return "; the clock of this machine is wrong";
  if (says("Signature")) return "; the key was deleted. Make a new one for the service account";
  if (says("not found")) return "; the service account was deleted";
  return "";
}

}  // namespace

Result<AccessToken> fetch_service_account_token(const ServiceAccount& account, OauthClient& client,
                                                platform::WallTime now, const CancelToken& cancel) {
  YUME_TRY(const Secret assertion, make_jwt({.issuer = account.client_email,
                                             .audience = account.token_url,
                                             .scope = k_cloud_scope},
                                            account.private_key_id, account.private_key, now));
  const Secret body = form_body({{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                                 {"assertion", assertion.reveal()}});
  YUME_TRY(const HttpAnswer answer, client.send(form_request(account.token_url, body), cancel));
  if (answer.head.status == 200) return read_access_token(answer);
  return Error{.code = ErrorCode::auth,
               .message = describe(answer) + advice(read_refusal(answer)),
               .http_status = answer.head.status};
}

}  // namespace yume::auth
