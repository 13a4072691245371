// SPDX-License-Identifier: MIT
// `--acp`: the program as an agent of editors (docs/acp.md). Has no session before one is opened,
// and needs no credentials, network or settings until then.
#pragma once

#include "app/conversation.h"
#include "app/exit_codes.h"
#include "app/options.h"
#include "protocol/line_writer.h"
#include "runtime/last_resort.h"
#include "util/log.h"

namespace yume::app {

// Until stdin ends, or the program has to.
ExitCode serve_acp(const Options& options, protocol::LineWriter& writer,
                   runtime::LastResort& last_resort, Log& log, Surroundings& around);

}  // namespace yume::app
