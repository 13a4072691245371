// SPDX-License-Identifier: MIT
// The secrets that stand in our own environment: kept out of sight of other processes, and known to
// the redactor before anything else happens.
#pragma once

#include "platform/environment.h"
#include "util/redactor.h"

namespace yume::app {

// Empties, in this process's own block, what children are not given and what may hold a proxy's
// password. `environment` keeps the values. Call before the first thread.
void conceal_secrets(const platform::Environment& environment);

// Keys, a gateway's headers, and the login part of a proxy's address.
void learn_secrets(const platform::Environment& environment, Redactor& redactor);

}  // namespace yume::app
