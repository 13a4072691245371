// SPDX-License-Identifier: MIT
// Where the system keeps its root certificates. A hashed directory is preferred: OpenSSL then reads
// the one issuer it needs (0.1 ms) instead of parsing the whole bundle (25 ms).
#pragma once

#include <filesystem>

namespace yume::net {

struct CaStore {
  std::filesystem::path directory;  // at most one of the two is set
  std::filesystem::path file;
};

CaStore find_system_ca_store();

}  // namespace yume::net
