// SPDX-License-Identifier: MIT
// Ids as people read and type them: a beginning that no other session has. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace yume::transcript {

// For each id the shortest beginning, of at least eight characters, that no other of them has; the
// id itself when another one begins with it.
std::map<std::string, std::string> short_ids(std::vector<std::string> ids);

}  // namespace yume::transcript
