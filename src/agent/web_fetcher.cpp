// SPDX-License-Identifier: MIT
#include "agent/web_fetcher.h"

#include "net/curl_url.h"
#include "net/public_address.h"
#include "platform/ip_address.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace yume::agent {
namespace {

using net::WebAddress;
using std::chrono::milliseconds;
using tools::web::WebPage;
using tools::web::WebRequest;
using tools::web::WebUrl;

constexpr milliseconds k_connect{10'000};

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// A redirect's own text is of no interest; an error's says what is wrong.
bool brings_text(int status) {
  return (status >= 200 && status < 300) || status >= 400;
}

// Keeps what is wanted of an answer, up to the limit.
class PageSink final : public net::BodySink {
 public:
  PageSink(const WebRequest& request, std::size_t limit) : request_(request), limit_(limit) {}

  bool on_head(const net::HttpHead& head) override {
    page.status = head.status;
    page.content_type = std::string(head.header("Content-Type"));
    location = std::string(head.header("Location"));
    has_head_ = true;
    const bool wanted = brings_text(head.status);
    page.unwanted = wanted && request_.takes && !request_.takes(page.content_type);
    return wanted && !page.unwanted;
  }

  bool on_body(std::string_view bytes) override {
    const std::size_t room = limit_ - page.body.size();
    page.body.append(bytes.substr(0, room));
    page.cut = bytes.size() > room;
    return !page.cut;
  }

  // The exchange ended because of us: there is all that was wanted of it.
  [[nodiscard]] bool has_enough() const {
    return has_head_ && (page.cut || page.unwanted || page.status < 200 || page.status >= 300);
  }

  WebPage page;
  std::string location;

 private:
  const WebRequest& request_;
  std::size_t limit_;
  bool has_head_ = false;
};

// What can be known without a resolver. Behind a proxy there is nothing else to go by.
std::optional<Error> refuse_private(const WebAddress& address) {
  const auto ip = platform::parse_ip_address(address.host);
  if (!net::is_local_name(address.host) && (!ip || net::is_public(*ip))) return std::nullopt;
  return Error{.code = ErrorCode::permission_denied,
               .message = address.host + " is a private address"};
}

net::HttpRequest get(const std::string& url, net::Reach reach, milliseconds left) {
  net::HttpRequest request;
  request.method = "GET";
  request.url = url;
  request.headers = {
      {"Accept", "text/markdown, text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5"},
      {"Accept-Language", "en, *;q=0.5"},
      {"User-Agent", "yume-cli"}};
  request.deadlines = {.connect = std::min(k_connect, left),
                       .first_byte = left,
                       .idle = left,
                       .notice = left,
                       .total = left};
  request.reach = reach;
  request.compression = net::Compression::accepted;
  return request;
}

// The same server, or its https side.
bool stays(const WebAddress& from, const WebAddress& to) {
  const bool secured = from.scheme == "http" && to.scheme == "https" && to.port == "443";
  return from.host == to.host && ((from.scheme == to.scheme && from.port == to.port) || secured);
}

Error too_slow(milliseconds limit) {
  return Error{
      .code = ErrorCode::timeout,
      .message = "it did not answer within " + std::to_string(limit.count() / 1000) + " s"};
}

}  // namespace

WebFetcher::WebFetcher(MakeTransport make_transport, const platform::Clock& clock,
                       FetchLimits limits)
    : make_transport_(std::move(make_transport)), clock_(clock), limits_(limits) {}

Result<WebUrl> WebFetcher::read(const std::string& text) const {
  YUME_TRY(WebAddress address, net::read_web_address(text));
  return WebUrl{.url = std::move(address.url), .host = std::move(address.host)};
}

std::string WebFetcher::resolve(const std::string& base, std::string_view link) const {
  return net::resolve_link(base, std::string(link));
}

Result<WebPage> WebFetcher::fetch(const WebRequest& request, const CancelToken& cancel) {
  const auto start = clock_.steady_now();
  const auto transport = make_transport_();
  const net::Reach reach =
      request.private_addresses ? net::Reach::anywhere : net::Reach::public_addresses;
  YUME_TRY(WebAddress address, net::read_web_address(request.url.url));
  for (int redirects = 0; redirects <= limits_.redirects; ++redirects) {
    if (!request.private_addresses) {
      if (auto refused = refuse_private(address)) return *std::move(refused);
    }
    const auto left =
        limits_.total - std::chrono::duration_cast<milliseconds>(clock_.steady_now() - start);
    if (left <= milliseconds(0)) return too_slow(limits_.total);
    PageSink sink(request, limits_.body);
    const auto done = transport->perform(get(address.url, reach, left), sink, cancel);
    if (cancel.stop_requested()) {
      return Error{.code = ErrorCode::cancelled, .message = "the fetch was interrupted"};
    }
    if (!done.ok() && !sink.has_enough()) {
      const bool late =
          done.error().code == ErrorCode::too_large || done.error().code == ErrorCode::timeout;
      return late ? too_slow(limits_.total) : done.error();
    }
    sink.page.url = address.url;
    if (!is_redirect(sink.page.status) || sink.location.empty()) return std::move(sink.page);
    YUME_TRY(WebAddress next, net::read_web_address(net::resolve_link(address.url, sink.location)));
    if (!stays(address, next)) {
      sink.page.redirect_to = std::move(next.url);
      return std::move(sink.page);
    }
    address = std::move(next);
  }
  return Error{.code = ErrorCode::network,
               .message = "it redirects more than " + std::to_string(limits_.redirects) + " times"};
}

}  // namespace yume::agent
