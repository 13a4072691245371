// SPDX-License-Identifier: MIT
// How a turn ended, as the reply to its prompt. Pure.
#pragma once

#include <string>

#include "core/event.h"
#include "jsonrpc/message.h"

namespace yume::protocol {

// What the client's user must read beside the reply; empty: nothing.
std::string acp_closing_text(const core::TurnDone& done);

// A stop reason, or why the turn failed. One that was cancelled is never an error.
jsonrpc::Reply acp_turn_reply(const core::TurnDone& done);

}  // namespace yume::protocol
