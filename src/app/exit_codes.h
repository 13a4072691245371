// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/exit_codes.h"

namespace yume::app {

using runtime::ExitCode;

}  // namespace yume::app
