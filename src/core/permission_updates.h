// SPDX-License-Identifier: MIT
// Changes of permissions as Claude's hosts write and read them: suggestions in a question, and
// `updatedPermissions` in its answer.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <vector>

#include "core/permission.h"
#include "util/json_io.h"

namespace yume::core {

void write_permission_update(const PermissionUpdate& update, JsonWriter& json);

// Of an answer's `updatedPermissions`; entries of no known type are left out.
std::vector<PermissionUpdate> read_permission_updates(const nlohmann::json& answer);

}  // namespace yume::core
