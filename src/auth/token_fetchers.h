// SPDX-License-Identifier: MIT
// How each kind of credential file becomes an access token. Errors say what to do where Google's
// own words do not.
#pragma once

#include "auth/adc_file.h"
#include "auth/oauth_client.h"
#include "platform/clock.h"
#include "platform/file_system.h"

namespace yume::auth {

inline constexpr const char* k_cloud_scope = "https://www.googleapis.com/auth/cloud-platform";

// Each is in a file of its name.
Result<AccessToken> fetch_user_token(const AuthorizedUser& user, OauthClient& client,
                                     const CancelToken& cancel);
Result<AccessToken> fetch_service_account_token(const ServiceAccount& account, OauthClient& client,
                                                platform::WallTime now, const CancelToken& cancel);
Result<AccessToken> fetch_external_token(const ExternalAccount& account, OauthClient& client,
                                         const platform::FileSystem& files,
                                         const CancelToken& cancel);
Result<AccessToken> impersonate(const Impersonation& impersonation, const Secret& token,
                                OauthClient& client, const CancelToken& cancel);

}  // namespace yume::auth
