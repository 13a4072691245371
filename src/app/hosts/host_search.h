// SPDX-License-Identifier: MIT
// All hosts that `setup hosts` knows.
#pragma once

#include <string>

#include "app/hosts/host_places.h"
#include "app/hosts/host_setup.h"

namespace yume::app {

HostSearch find_hosts(const HostPlaces& places, const std::string& program);

}  // namespace yume::app
