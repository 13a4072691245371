// SPDX-License-Identifier: MIT
#include "app/hosts/host_search.h"

#include "app/hosts/claude_hosts.h"
#include "app/hosts/editor_hosts.h"

#include <array>
#include <utility>

namespace yume::app {
namespace {

struct KnownHost {
  const char* name;
  std::vector<HostSetup> (*find)(const HostPlaces& places, const std::string& program);
};

constexpr std::array k_hosts = {
    KnownHost{.name = "Yume app", .find = find_yume},
    KnownHost{.name = "Zed", .find = find_zed},
    KnownHost{.name = "ACP extensions of VS Code", .find = find_vs_code},
    KnownHost{.name = "codecompanion.nvim", .find = find_codecompanion},
    KnownHost{.name = "avante.nvim", .find = find_avante},
    KnownHost{.name = "claudecodeui", .find = find_claudecodeui},
    KnownHost{.name = "opcode", .find = find_opcode},
    KnownHost{.name = "an Agent SDK program in this directory", .find = find_sdk_program}};

}  // namespace

HostSearch find_hosts(const HostPlaces& places, const std::string& program) {
  HostSearch search;
  for (const KnownHost& host : k_hosts) {
    auto found = host.find(places, program);
    if (found.empty()) search.missing.emplace_back(host.name);
    for (HostSetup& setup : found) search.found.push_back(std::move(setup));
  }
  return search;
}

}  // namespace yume::app
