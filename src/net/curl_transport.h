// SPDX-License-Identifier: MIT
// Transport on libcurl's multi interface: one handle and one connection, reused. Cancelling wakes
// the loop at once (curl_multi_wakeup), no polling. libcurl is initialised at the first request, so
// that a start-up without one does not pay for it. Use from one thread at a time.
#pragma once

#include <filesystem>
#include <memory>

#include "net/proxy.h"
#include "net/transport.h"
#include "platform/clock.h"

namespace yume::net {

struct CurlOptions {
  std::filesystem::path ca_file;        // SSL_CERT_FILE; empty: the system's
  std::filesystem::path ca_directory;   // SSL_CERT_DIR; empty: the system's
  std::filesystem::path extra_ca_file;  // NODE_EXTRA_CA_CERTS; trusted as well
  ProxySettings proxies = {};
};

class CurlTransport final : public Transport {
 public:
  CurlTransport(const platform::Clock& clock, CurlOptions options);
  ~CurlTransport() override;

  Result<HttpHead> perform(const HttpRequest& request, BodySink& sink,
                           const CancelToken& cancel) override;

 private:
  class Handles;

  const platform::Clock& clock_;
  CurlOptions options_;
  std::unique_ptr<Handles> handles_;
};

}  // namespace yume::net
