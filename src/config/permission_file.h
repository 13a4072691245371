// SPDX-License-Identifier: MIT
// A change of permissions that a host or a person wants to keep, made in the text of a settings
// file. Everything else in the file stays as it is. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/permission.h"
#include "util/result.h"

namespace yume::config {

// `text` is the file's; empty: there is none yet. A file that cannot be read is left alone: the
// error says why.
Result<std::string> with_permission_update(std::string_view text,
                                           const core::PermissionUpdate& update);

}  // namespace yume::config
