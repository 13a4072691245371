// SPDX-License-Identifier: MIT
// What `setup hosts` prints. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/hosts/host_writer.h"

namespace yume::app {

std::string hosts_text(const std::vector<HostReport>& reports,
                       const std::vector<std::string>& missing);
// One line, without its end.
std::string hosts_json(const std::string& program, const std::vector<HostReport>& reports,
                       const std::vector<std::string>& missing);

}  // namespace yume::app
