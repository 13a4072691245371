// SPDX-License-Identifier: MIT
// What a client of the Agent Client Protocol is answered and asked, as JSON. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/host_question.h"
#include "jsonrpc/message.h"
#include "protocol/acp/config_options.h"
#include "protocol/host.h"

namespace yume::protocol {

RawJson acp_initialized(std::string_view version);
RawJson acp_session_opened(const std::string& session_id, const AcpChoices& choices);
RawJson acp_sessions_listed(const SessionsListed& listed);
jsonrpc::ErrorObject acp_error(const RequestRefused& refused, const std::string& session_id);

// Requests and notifications of ours, each a line.
std::string acp_read_file(std::string_view request_id, const std::string& session_id,
                          const core::ReadHostFile& file);
std::string acp_write_file(std::string_view request_id, const std::string& session_id,
                           const core::WriteHostFile& file);
std::string acp_cancel_request(std::string_view request_id);

// The client's answer to the first of them.
core::HostAnswer acp_file_text(const RawJson& result);

}  // namespace yume::protocol
