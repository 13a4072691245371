// SPDX-License-Identifier: MIT
// One small request to the server a turn would talk to: can it be reached, and does it let us in?
#pragma once

#include <memory>
#include <string>

#include "app/doctor/finding.h"
#include "app/server_options.h"
#include "auth/credential_source.h"
#include "net/proxy.h"
#include "net/transport.h"
#include "platform/clock.h"
#include "util/cancel.h"

namespace yume::app::doctor {

struct ServerDeps {
  net::Transport& transport;
  const net::ProxySettings& proxies;
  const platform::Clock& clock;
};

// Without a login the server is asked all the same: any answer tells that it can be reached. Takes
// five seconds at most.
Findings check_server(const ServerOptions& server, const std::string& model_id,
                      std::unique_ptr<auth::CredentialSource> login, const ServerDeps& deps,
                      const CancelToken& cancel);

}  // namespace yume::app::doctor
