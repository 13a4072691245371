// SPDX-License-Identifier: MIT
#include "net/curl_transport.h"

#include "net/ca_store.h"
#include "net/curl_failure.h"
#include "net/curl_url.h"
#include "net/proxy.h"
#include "net/public_address.h"
#include "platform/ip_address.h"
#include "util/path_text.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace yume::net {
namespace {

using std::chrono::milliseconds;

struct SlistDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, SlistDeleter>;

bool breaks_header(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

// Everything libcurl's callbacks need while one exchange runs.
struct Exchange {
  const HttpRequest& request;
  BodySink& sink;
  const platform::Clock& clock;
  HttpHead head;
  bool head_delivered = false;
  bool stopped_by_sink = false;
  std::size_t segment = 0;  // upload position
  std::size_t offset = 0;
  platform::SteadyTime start;
  platform::SteadyTime last_progress;  // any byte, in either direction
  platform::SteadyTime last_word;      // not counting what only keeps the connection alive
  bool silence_told = false;
  std::optional<platform::IpAddress> out_of_reach = std::nullopt;  // an address that was refused
  std::exception_ptr thrown = {};  // by the sink: it must not pass through libcurl

  void progressed() { last_progress = last_word = clock.steady_now(); }
};

std::string duration_text(milliseconds duration) {
  const bool short_one = duration < std::chrono::seconds(1);
  return short_one ? std::to_string(duration.count()) + " ms"
                   : std::to_string(duration.count() / 1000) + " s";
}

// Gives the sink its turn; libcurl stops when fewer bytes are taken than it gave.
template <class Call>
std::size_t taken_by_sink(Exchange& exchange, std::size_t length, Call call) {
  try {
    exchange.stopped_by_sink = !call();
  } catch (...) {
    exchange.thrown = std::current_exception();
    exchange.stopped_by_sink = true;
  }
  return exchange.stopped_by_sink ? 0 : length;
}

bool take_header(Exchange& exchange, std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  exchange.progressed();
  if (line.starts_with("HTTP/")) {
    exchange.head = {};  // a 1xx or proxy answer came before
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos) {
      exchange.head.status = std::atoi(std::string(line.substr(space + 1, 3)).c_str());
    }
    return true;
  }
  if (line.empty()) {
    if (exchange.head.status < 200) return true;
    exchange.head_delivered = true;
    return exchange.sink.on_head(exchange.head);
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  exchange.head.headers.push_back({std::string(line.substr(0, colon)), std::string(value)});
  return true;
}

std::size_t on_header(char* data, std::size_t /*one*/, std::size_t length, void* context) {
  auto& exchange = *static_cast<Exchange*>(context);
  return taken_by_sink(exchange, length, [&] { return take_header(exchange, {data, length}); });
}

std::size_t on_body(char* data, std::size_t /*one*/, std::size_t length, void* context) {
  auto& exchange = *static_cast<Exchange*>(context);
  const std::size_t taken = taken_by_sink(exchange, length, [&] {
    return exchange.sink.on_body({data, length});
  });
  // Taken after the sink: the time a slow host needs is not silence of the server.
  const platform::SteadyTime last_word = exchange.last_word;
  exchange.progressed();
  if (!exchange.sink.said_something()) exchange.last_word = last_word;
  return taken;
}

std::size_t on_upload(char* buffer, std::size_t /*one*/, std::size_t capacity, void* context) {
  auto& exchange = *static_cast<Exchange*>(context);
  std::size_t written = 0;
  while (written < capacity && exchange.segment < exchange.request.body.size()) {
    const std::string_view rest = exchange.request.body[exchange.segment].substr(exchange.offset);
    const std::size_t count = std::min(rest.size(), capacity - written);
    std::memcpy(buffer + written, rest.data(), count);
    written += count;
    exchange.offset += count;
    if (exchange.offset == exchange.request.body[exchange.segment].size()) {
      ++exchange.segment;
      exchange.offset = 0;
    }
  }
  exchange.progressed();
  return written;
}

// libcurl sends the body again when a reused connection turned out to be dead.
int on_rewind(void* context, curl_off_t offset, int origin) {
  if (offset != 0 || origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
  auto& exchange = *static_cast<Exchange*>(context);
  exchange.segment = 0;
  exchange.offset = 0;
  return CURL_SEEKFUNC_OK;
}

// libcurl asks for a socket when it knows the address and before it connects, so a name cannot mean
// one address when it is judged and another when it is used.
curl_socket_t on_open_socket(void* context, curlsocktype purpose, curl_sockaddr* target) {
  auto& exchange = *static_cast<Exchange*>(context);
  const auto address = platform::ip_address_of(&target->addr);
  if (purpose != CURLSOCKTYPE_IPCXN || !address) return CURL_SOCKET_BAD;
  if (!is_public(*address)) {
    exchange.out_of_reach = address;
    return CURL_SOCKET_BAD;
  }
  return platform::open_socket(target->family, target->socktype, target->protocol);
}

// What every server speaks, and brotli where libcurl was built with it.
const char* known_compressions() {
  const bool brotli = (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_BROTLI) != 0;
  return brotli ? "gzip, deflate, br" : "gzip, deflate";
}

CaStore choose_ca_store(const CurlOptions& options) {
  CaStore store;
  if (options.ca_file.empty() && options.ca_directory.empty()) {
    store = find_system_ca_store();
  } else {
    store.directory = options.ca_directory;
    store.file = options.ca_file;
  }
  if (options.extra_ca_file.empty()) return store;
  return with_extra_certificates(std::move(store), options.extra_ca_file);
}

Error out_of_reach(const UrlParts& url, const platform::IpAddress& address) {
  return Error{.code = ErrorCode::permission_denied,
               .message = url.host + " is at the private address " + to_string(address)};
}

Error cancelled() {
  return Error{.code = ErrorCode::cancelled, .message = "request cancelled"};
}

}  // namespace

// Owns libcurl's global state and the two handles; created by the first request.
class CurlTransport::Handles {
 public:
  Handles() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    easy = curl_easy_init();
    multi = curl_multi_init();
    if (easy != nullptr && multi != nullptr) return;
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
    throw std::bad_alloc();  // the only reason that they give
  }
  ~Handles() {
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  template <class Value>
  void set(CURLoption option, Value value) const {
    if (curl_easy_setopt(easy, option, value) == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  }

  void apply_body(const HttpRequest& request, Exchange& exchange) const {
    if (request.method == "GET") {
      set(CURLOPT_HTTPGET, 1L);
      return;
    }
    std::size_t size = 0;
    for (const std::string_view segment : request.body) size += segment.size();
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(size));
    set(CURLOPT_READFUNCTION, &on_upload);
    set(CURLOPT_READDATA, &exchange);
    set(CURLOPT_SEEKFUNCTION, &on_rewind);
    set(CURLOPT_SEEKDATA, &exchange);
    if (size > k_large_upload) set(CURLOPT_UPLOAD_BUFFERSIZE, k_upload_buffer);
  }

  void apply_ca(const CurlOptions& options) {
    if (!ca_store) ca_store = choose_ca_store(options);
    const std::string file = to_utf8(ca_store->file);
    const std::string directory = to_utf8(ca_store->directory);
    if (file.empty() && directory.empty() && ca_store->certificates.empty()) return;  // libcurl's
    // Setting the one clears the other's compiled-in default, which would be loaded as well.
    for (const CURLoption option : {CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO}) {
      set(option, file.empty() ? nullptr : file.c_str());
    }
    for (const CURLoption option : {CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH}) {
      set(option, directory.empty() ? nullptr : directory.c_str());
    }
    if (ca_store->certificates.empty()) return;
    curl_blob blob{.data = ca_store->certificates.data(),
                   .len = ca_store->certificates.size(),
                   .flags = CURL_BLOB_NOCOPY};
    set(CURLOPT_CAINFO_BLOB, &blob);
    set(CURLOPT_PROXY_CAINFO_BLOB, &blob);
  }

  // The choice is ours alone: empty values keep libcurl from reading the environment.
  void apply_proxy(const Proxy* proxy) const {
    set(CURLOPT_NOPROXY, "");
    set(CURLOPT_PROXY, proxy == nullptr ? "" : std::string(proxy->address.reveal()).c_str());
  }

  void apply_reach(Exchange& exchange) const {
    set(CURLOPT_OPENSOCKETFUNCTION, &on_open_socket);
    set(CURLOPT_OPENSOCKETDATA, &exchange);
  }

  void configure(const HttpRequest& request, curl_slist* headers, Exchange& exchange) const {
    curl_easy_reset(easy);
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);      // a cancelled request does not wait for a name to be resolved
    set(CURLOPT_FOLLOWLOCATION, 0L);  // x-goog-api-key would be forwarded to another host
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_BUFFERSIZE, k_receive_buffer);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.deadlines.connect.count()));
    set(CURLOPT_HEADERFUNCTION, &on_header);
    set(CURLOPT_HEADERDATA, &exchange);
    set(CURLOPT_WRITEFUNCTION, &on_body);
    set(CURLOPT_WRITEDATA, &exchange);
    if (request.compression == Compression::accepted) {
      set(CURLOPT_ACCEPT_ENCODING, known_compressions());
    }
    apply_body(request, exchange);
  }

  // How long to wait for the next byte; an error when one of the deadlines has passed.
  static Result<milliseconds> time_left(Exchange& exchange, const UrlParts& url) {
    const Deadlines& deadlines = exchange.request.deadlines;
    const platform::SteadyTime now = exchange.clock.steady_now();
    const auto silent = std::chrono::duration_cast<milliseconds>(now - exchange.last_progress);
    const milliseconds limit = exchange.head_delivered ? deadlines.idle : deadlines.first_byte;
    if (silent >= limit) {
      return Error{.code = ErrorCode::timeout,
                   .message = url.host + " sent nothing for " + duration_text(limit)};
    }
    const auto left =
        deadlines.total - std::chrono::duration_cast<milliseconds>(now - exchange.start);
    if (left <= milliseconds(0)) {
      return Error{.code = ErrorCode::too_large,
                   .message = "the answer of " + url.host + " did not end within " +
                              duration_text(deadlines.total)};
    }
    const auto unsaid = std::chrono::duration_cast<milliseconds>(now - exchange.last_word);
    if (unsaid < deadlines.notice) {
      exchange.silence_told = false;
      return std::min({limit - silent, deadlines.notice - unsaid, left});
    }
    if (!std::exchange(exchange.silence_told, true)) exchange.sink.on_silence(unsaid);
    return std::min(limit - silent, left);
  }

  // Without memory nothing happens any more, and nobody would say so.
  static void check(CURLMcode code) {
    if (code == CURLM_OUT_OF_MEMORY) throw std::bad_alloc();
  }

  // Runs the transfer to its end. libcurl's verdict, or our own reason for stopping before it.
  Result<CURLcode> drive(Exchange& exchange, const UrlParts& url, const CancelToken& cancel) const {
    for (;;) {
      int running = 0;
      check(curl_multi_perform(multi, &running));
      int queued = 0;
      while (const CURLMsg* message = curl_multi_info_read(multi, &queued)) {
        if (message->msg == CURLMSG_DONE) return message->data.result;
      }
      if (cancel.stop_requested()) return cancelled();
      YUME_TRY(const milliseconds patience, time_left(exchange, url));
      check(curl_multi_poll(multi, nullptr, 0, static_cast<int>(patience.count()), nullptr));
    }
  }

  static constexpr long k_receive_buffer = 64L << 10L;
  static constexpr std::size_t k_large_upload = 256U << 10U;
  static constexpr long k_upload_buffer = 512L << 10L;

  CURL* easy = nullptr;
  CURLM* multi = nullptr;
  std::optional<CaStore> ca_store;
};

CurlTransport::CurlTransport(const platform::Clock& clock, CurlOptions options)
    : clock_(clock), options_(std::move(options)) {}

CurlTransport::~CurlTransport() = default;

namespace {

Result<HeaderList> make_headers(const HttpRequest& request) {
  HeaderList list;
  const auto append = [&list](std::string_view name, std::string_view value) -> bool {
    if (breaks_header(name) || breaks_header(value)) return false;
    std::string line = std::string(name) + ": " + std::string(value);
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    std::fill(line.begin(), line.end(), '\0');  // it may hold a credential
    if (longer == nullptr) throw std::bad_alloc();
    (void)list.release();
    list.reset(longer);
    return true;
  };
  for (const Header& header : request.headers) {
    if (!append(header.name, header.value)) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "header " + header.name + " contains a line break"};
    }
  }
  for (const SecretHeader& header : request.secret_headers) {
    if (!append(header.name, header.value.reveal())) {
      return Error{.code = ErrorCode::auth,
                   .message = "the credential for header " + header.name +
                              " contains a line break; set it again without one"};
    }
  }
  // No "100 Continue" round trip for large bodies.
  curl_slist* longer = curl_slist_append(list.get(), "Expect:");
  if (longer == nullptr) throw std::bad_alloc();
  (void)list.release();
  list.reset(longer);
  return list;
}

}  // namespace

Result<HttpHead> CurlTransport::perform(const HttpRequest& request, BodySink& sink,
                                        const CancelToken& cancel) {
  if (cancel.stop_requested()) return cancelled();
  if (!handles_) handles_ = std::make_unique<Handles>();
  YUME_TRY(const UrlParts url, parse_url(request.url));
  if (url.scheme != "https" && !is_loopback(url.host) && !request.secret_headers.empty()) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "credentials are sent over https only, not to " + request.url};
  }
  const Proxy* proxy = choose_proxy(options_.proxies, url.scheme, url.host);
  std::optional<UsedProxy> used;
  if (proxy != nullptr) {
    YUME_TRY(ProxyPlace place, parse_proxy(*proxy));
    used.emplace(UsedProxy{.proxy = *proxy, .place = std::move(place)});
  }
  YUME_TRY(const HeaderList headers, make_headers(request));

  Exchange exchange{.request = request,
                    .sink = sink,
                    .clock = clock_,
                    .head = {},
                    .start = clock_.steady_now(),
                    .last_progress = clock_.steady_now(),
                    .last_word = clock_.steady_now()};
  char detail[CURL_ERROR_SIZE] = "";
  Handles& curl = *handles_;
  curl.configure(request, headers.get(), exchange);
  curl.set(CURLOPT_ERRORBUFFER, &detail[0]);
  if (url.scheme == "https") curl.apply_ca(options_);
  curl.apply_proxy(proxy);
  if (request.reach == Reach::public_addresses && proxy == nullptr) curl.apply_reach(exchange);

  const OnCancel wake(cancel, [multi = curl.multi] { curl_multi_wakeup(multi); });
  Handles::check(curl_multi_add_handle(curl.multi, curl.easy));
  const auto finished = curl.drive(exchange, url, cancel);
  curl_multi_remove_handle(curl.multi, curl.easy);
  std::optional<CurlFailure> failure;
  if (finished.ok() && *finished != CURLE_OK) failure = read_failure(curl.easy, *finished, detail);
  curl_easy_reset(curl.easy);  // it still points at what ends with this call
  if (exchange.thrown) std::rethrow_exception(exchange.thrown);
  if (!finished.ok()) return finished.error();
  if (exchange.stopped_by_sink) return cancelled();
  if (failure && exchange.out_of_reach) return out_of_reach(url, *exchange.out_of_reach);
  if (failure) return describe(*failure, url, used);
  return std::move(exchange.head);
}

}  // namespace yume::net
