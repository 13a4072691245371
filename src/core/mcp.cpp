// SPDX-License-Identifier: MIT
#include "core/mcp.h"

namespace yume::core {

std::string_view to_string(McpStatus status) {
  switch (status) {
    case McpStatus::pending:
      return "pending";
    case McpStatus::connected:
      return "connected";
    case McpStatus::failed:
      return "failed";
    case McpStatus::needs_auth:
      return "needs-auth";
    case McpStatus::disabled:
      break;
  }
  return "disabled";
}

}  // namespace yume::core
