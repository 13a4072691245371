// SPDX-License-Identifier: MIT
#include "net/ca_store.h"

#include <array>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

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

// Empty when there is no such file.
std::string read_text(const fs::path& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) return {};
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

}  // namespace

CaStore find_system_ca_store() {
  // On Windows the system itself decides, and these would be folders that any user can make.
  if (!fs::path("/etc").is_absolute()) return {};
  constexpr std::array k_directories = {"/etc/ssl/certs", "/etc/pki/tls/certs"};
  for (const char* directory : k_directories) {
    if (has_hashed_names(directory)) return {.directory = directory};
  }
  constexpr std::array k_files = {"/etc/ssl/certs/ca-certificates.crt",
                                  "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"};
  for (const char* file : k_files) {
    std::error_code failure;
    if (fs::exists(file, failure)) return {.file = file};
  }
  return {};
}

CaStore with_extra_certificates(CaStore store, const fs::path& extra) {
  constexpr std::string_view k_begin = "-----BEGIN";
  std::string certificates = read_text(extra);
  if (certificates.find(k_begin) == certificates.npos) return store;
  if (!store.file.empty()) {
    const std::string bundle = read_text(store.file);
    // libcurl says what is wrong with a file that it is given by name.
    if (bundle.find(k_begin) == bundle.npos) return store;
    certificates.append("\n").append(bundle);
  }
  store.certificates = std::move(certificates);
  store.file.clear();
  return store;
}

}  // namespace yume::net
