// SPDX-License-Identifier: MIT
// The PATH that cases get: this machine's programs without its gcloud, because no case may depend
// on who is logged in here, or wait for gcloud to find out.
#pragma once

#include <string>

namespace yume::golden {

// A directory that holds a gcloud is replaced by a folder of links to everything else in it. Made
// once, removed when the runner ends. Throws when a folder cannot be made.
const std::string& path_without_gcloud();

}  // namespace yume::golden
