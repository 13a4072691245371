// SPDX-License-Identifier: MIT
// nginx on loopback, speaking HTTPS and HTTP/2 in front of a BenchServer, with a certificate made
// for it. It runs under platform's supervisor, so it ends with the benchmark however that ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "util/result.h"

namespace yume::bench {

class TlsFront {
 public:
  // What keeps this machine from having one; nullopt when nothing does.
  static std::optional<std::string> missing();

  // Accepts connections when it returns. Keeps its files in `directory`, which must not exist yet.
  static Result<std::unique_ptr<TlsFront>> start(const std::filesystem::path& directory,
                                                 const std::string& upstream_url);

  TlsFront(const TlsFront&) = delete;
  TlsFront& operator=(const TlsFront&) = delete;
  ~TlsFront();

  std::string base_url() const { return "https://127.0.0.1:" + std::to_string(port_); }
  // With the test's authority under its hashed name, as Debian keeps the real ones.
  std::filesystem::path ca_directory() const { return directory_ / "authorities"; }

 private:
  class Nginx;

  explicit TlsFront(std::filesystem::path directory);
  Result<void> make_certificates() const;
  Result<void> serve(const std::string& upstream_url);

  std::filesystem::path directory_;
  std::uint16_t port_ = 0;
  std::unique_ptr<Nginx> nginx_;
};

}  // namespace yume::bench
