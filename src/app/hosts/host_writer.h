// SPDX-License-Identifier: MIT
// What is true of a host's settings file, and the writing of it: never a byte lost, the old file
// kept beside it, nothing half done.
#pragma once

#include <filesystem>
#include <string>

#include "app/hosts/host_setup.h"
#include "platform/file_system.h"

namespace yume::app {

enum class HostState {
  by_hand,  // nothing is written for this host
  missing,  // the entry can be written
  there,    // the entry is there already
  written,  // it has been, by us
  refused,  // the file is left as it is
};

struct HostReport {
  HostSetup setup;
  HostState state = HostState::by_hand;
  std::string reason = {};            // refused: a clause
  std::filesystem::path backup = {};  // written: the file as it was; empty: there was none
};

// Looks only.
HostReport examine_host(HostSetup setup, platform::FileSystem& files);

// Writes where the state would be `missing`. A file that has changed since it was read, or cannot
// be kept beside itself first, is refused.
HostReport write_host(HostSetup setup, platform::FileSystem& files);

}  // namespace yume::app
