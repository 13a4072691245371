// SPDX-License-Identifier: MIT
// Which build of the program this is.
#pragma once

#include <string>

namespace yume::app {

// "0.1.0 (linux-x64, 0123456789ab)": version, target, commit. A build that is not a release, or of
// sources without a repository, has no commit; one of changed sources has "+changes" behind it.
std::string build_text();

}  // namespace yume::app
