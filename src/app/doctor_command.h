// SPDX-License-Identifier: MIT
// `yume-cli doctor [--json]`: looks at everything a turn needs and says what is wrong and what to
// do about it. Leaves nothing changed, prints no secrets, and every check ends within five seconds.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "net/curl_transport.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` after "doctor". Takes the flags of an ordinary run that choose model, server and
// credential. Failure when a check failed.
ExitCode run_doctor(const std::vector<std::string>& tokens,
                    const platform::Environment& environment, const net::CurlOptions& network,
                    protocol::Output& out);

}  // namespace yume::app
