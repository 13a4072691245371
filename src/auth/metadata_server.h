// SPDX-License-Identifier: MIT
// The metadata server that Google's own machines have. Whether this is one is decided by variables
// and one file: elsewhere the address is a tar pit, and a laptop must not wait for it.
#pragma once

#include <optional>
#include <string>

#include "auth/oauth_client.h"
#include "auth/token_source.h"
#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::auth {

struct MetadataServer {
  std::string base_url;
  bool certain = true;  // false: when it cannot be reached, there is none
};

// Sends nothing.
std::optional<MetadataServer> find_metadata_server(const platform::Environment& environment,
                                                   const platform::FileSystem& files);

// Waits a second at most. NoToken when the machine has no service account.
Result<std::variant<Token, NoToken>> fetch_metadata_token(const MetadataServer& server,
                                                          OauthClient& client,
                                                          const CancelToken& cancel);

}  // namespace yume::auth
