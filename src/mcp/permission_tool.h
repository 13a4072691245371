// SPDX-License-Identifier: MIT
// `--permission-prompt-tool mcp__server__tool`: whether a call may run is asked of a server's tool,
// as others ask their host.
#pragma once

#include <string>

#include "core/host_port.h"
#include "mcp/servers.h"

namespace yume::mcp {

class PermissionTool final : public core::Questions {
 public:
  // `servers` outlives it. `tool`: its whole name.
  PermissionTool(Servers& servers, std::string tool) : servers_(servers), tool_(std::move(tool)) {}

  Result<core::HostAnswer> ask(core::HostQuestion question,
                               std::optional<std::chrono::milliseconds> timeout,
                               const CancelToken& cancel) override;

 private:
  Servers& servers_;
  std::string tool_;
};

// What the tool's result says, which is JSON in a text. Error when it says nothing of the kind.
Result<core::HostAnswer> read_permission_result(const RawJson& result);

}  // namespace yume::mcp
