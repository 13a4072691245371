// SPDX-License-Identifier: MIT
// `yume-cli auth status [--json]`: which credential a turn would use, whose it is and until when.
// Never its value.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "auth/credential_chain.h"
#include "net/curl_transport.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"
#include "util/result.h"

namespace yume::app {

// `tokens` after "auth". Takes the flags of an ordinary run that choose a credential. Success when
// there is one.
ExitCode run_auth(const std::vector<std::string>& tokens, const platform::Environment& environment,
                  const net::CurlOptions& network, protocol::Output& out);

// What is printed, each with its final newline.
std::string auth_status_text(const Result<auth::Obtained>& obtained, platform::WallTime now);
std::string auth_status_json(const Result<auth::Obtained>& obtained);

}  // namespace yume::app
