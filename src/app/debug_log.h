// SPDX-License-Identifier: MIT
// Where the debug log goes: to a file, to stderr, or nowhere.
#pragma once

#include <memory>

#include "app/options.h"
#include "util/log.h"
#include "util/result.h"

namespace yume::app {

// nullptr: nobody asked for one.
Result<std::unique_ptr<Log>> open_log(const Options& options);

}  // namespace yume::app
