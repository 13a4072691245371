// SPDX-License-Identifier: MIT
// A person's refresh token, exchanged for an access token. Its scopes are those of the login.
#include "auth/token_fetchers.h"

namespace yume::auth {
namespace {

std::string advice(const Refusal& refusal) {
  const bool session_ended = refusal.subtype == "invalid_rapt" ||
                             refusal.description.find("invalid_rapt") != std::string::npos;
  if (session_ended) {
    return "; your organisation asks for a new login. Run: gcloud auth application-default login";
  }
  if (refusal.code == "invalid_grant") {
    return "; the login has expired or was revoked. Run: gcloud auth application-default login";
  }
  return "";
}

}  // namespace

Result<AccessToken> fetch_user_token(const AuthorizedUser& user, OauthClient& client,
                                     const CancelToken& cancel) {
  const Secret body = form_body({{"grant_type", "refresh_token"},
                                 {"client_id", user.client_id},
                                 {"client_secret", user.client_secret.reveal()},
                                 {"refresh_token", user.refresh_token.reveal()}});
  YUME_TRY(const HttpAnswer answer, client.send(form_request(user.token_url, body), cancel));
  if (answer.head.status == 200) return read_access_token(answer);
  return Error{.code = ErrorCode::auth,
               .message = describe(answer) + advice(read_refusal(answer)),
               .http_status = answer.head.status};
}

}  // namespace yume::auth
