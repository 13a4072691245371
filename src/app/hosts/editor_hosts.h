// SPDX-License-Identifier: MIT
// Editors that start an agent of the Agent Client Protocol (docs/acp.md). What is installed twice
// is found twice; what is not there gives nothing.
#pragma once

#include <string>
#include <vector>

#include "app/hosts/host_places.h"
#include "app/hosts/host_setup.h"

namespace yume::app {

// `program`: how the editor is to start this program.
std::vector<HostSetup> find_zed(const HostPlaces& places, const std::string& program);
std::vector<HostSetup> find_vs_code(const HostPlaces& places, const std::string& program);
std::vector<HostSetup> find_codecompanion(const HostPlaces& places, const std::string& program);
std::vector<HostSetup> find_avante(const HostPlaces& places, const std::string& program);

}  // namespace yume::app
