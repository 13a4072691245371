// SPDX-License-Identifier: MIT
// How a turn ended, by the answer to session/prompt. Pure.
#pragma once

#include <string>

#include "core/event.h"
#include "jsonrpc/message.h"

namespace yume::foreign {

// `model`: that the usage is counted for, where the agent does not name one.
core::TurnDone turn_end_of(const jsonrpc::Reply& reply, const std::string& model);

// An agent's error as a person reads it: some put JSON into the message.
std::string error_text(const jsonrpc::ErrorObject& error);
core::FailureKind failure_kind_of(const jsonrpc::ErrorObject& error);

}  // namespace yume::foreign
