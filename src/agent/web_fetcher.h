// SPDX-License-Identifier: MIT
// Fetches web pages for WebFetch. A connection of its own for every fetch, without any credential:
// nothing that belongs to the model's server can reach another one. Redirects are followed by hand,
// on the same host only, and each is judged like the first address. Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "net/transport.h"
#include "platform/clock.h"
#include "tools/web/web_client.h"

namespace yume::agent {

struct FetchLimits {
  std::size_t body = 10U << 20U;
  std::chrono::milliseconds total{30'000};
  int redirects = 5;
};

class WebFetcher final : public tools::web::WebClient {
 public:
  using MakeTransport = std::function<std::unique_ptr<net::Transport>()>;

  WebFetcher(MakeTransport make_transport, const platform::Clock& clock, FetchLimits limits = {});

  Result<tools::web::WebUrl> read(const std::string& text) const override;
  std::string resolve(const std::string& base, std::string_view link) const override;
  Result<tools::web::WebPage> fetch(const tools::web::WebRequest& request,
                                    const CancelToken& cancel) override;

 private:
  MakeTransport make_transport_;
  const platform::Clock& clock_;
  FetchLimits limits_;
};

}  // namespace yume::agent
