// SPDX-License-Identifier: MIT
// Programs that start Claude Code, or the Yume app's yume-cli, and can be given this program in its
// place. None of them has a settings file that names it: what is needed is told, not written.
#pragma once

#include <string>
#include <vector>

#include "app/hosts/host_places.h"
#include "app/hosts/host_setup.h"

namespace yume::app {

std::vector<HostSetup> find_yume(const HostPlaces& places, const std::string& program);
std::vector<HostSetup> find_claudecodeui(const HostPlaces& places, const std::string& program);
std::vector<HostSetup> find_opcode(const HostPlaces& places, const std::string& program);
// The package.json of the working directory depends on the Agent SDK.
std::vector<HostSetup> find_sdk_program(const HostPlaces& places, const std::string& program);

}  // namespace yume::app
