// SPDX-License-Identifier: MIT
#include "net/ca_store.h"

#include <array>
#include <string>
#include <system_error>

namespace yume::net {
namespace {

namespace fs = std::filesystem;

bool has_hashed_names(const fs::path& directory) {
  std::error_code failure;
  for (fs::directory_iterator entry(directory, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->path().extension() == ".0") return true;
  }
  return false;
}

}  // namespace

CaStore find_system_ca_store() {
  constexpr std::array k_directories = {"/etc/ssl/certs", "/etc/pki/tls/certs"};
  for (const char* directory : k_directories) {
    if (has_hashed_names(directory)) return {.directory = directory, .file = {}};
  }
  constexpr std::array k_files = {"/etc/ssl/certs/ca-certificates.crt",
                                  "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"};
  for (const char* file : k_files) {
    std::error_code failure;
    if (fs::exists(file, failure)) return {.directory = {}, .file = file};
  }
  return {};
}

}  // namespace yume::net
