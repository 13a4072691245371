// SPDX-License-Identifier: MIT
// The HTTP side of fetching a token: short deadlines, two quick repeats when the server is not to
// be reached, and the answers read. Which request is sent is up to the fetchers beside this file.
// No error ever quotes a request or an answer as a whole: both hold secrets.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/transport.h"
#include "platform/clock.h"
#include "util/cancel.h"
#include "util/result.h"
#include "util/secret.h"

namespace yume::auth {

struct HttpAnswer {
  net::HttpHead head;
  Secret body;
};

// Why a token endpoint refused. Both spellings: OAuth's {"error":"invalid_grant",...} and Google's
// {"error":{"status":...,"message":...}}.
struct Refusal {
  std::string code;         // "invalid_grant", "PERMISSION_DENIED"; empty when it did not say
  std::string description;  // shortened, printable
  std::string subtype;      // "invalid_rapt"
};

struct AccessToken {
  Secret value;
  std::chrono::seconds lifetime{};
};

class OauthClient {
 public:
  OauthClient(net::Transport& transport, const platform::Clock& clock)
      : transport_(transport), clock_(clock) {}

  // The answer, whatever its status. Errors as of Transport::perform, and too_large.
  Result<HttpAnswer> send(net::HttpRequest request, const CancelToken& cancel);

 private:
  Result<HttpAnswer> send_once(const net::HttpRequest& request, const CancelToken& cancel);

  net::Transport& transport_;
  const platform::Clock& clock_;
};

// An application/x-www-form-urlencoded body.
Secret form_body(const std::vector<std::pair<std::string_view, std::string_view>>& fields);

net::HttpRequest get_request(std::string url);
// A POST of that body, which must outlive the request.
net::HttpRequest form_request(std::string url, const Secret& body);

// {"access_token":...,"expires_in":...} of a 200 answer; protocol when it is anything else.
Result<AccessToken> read_access_token(const HttpAnswer& answer);

Refusal read_refusal(const HttpAnswer& answer);

// "the token endpoint answered 400 invalid_grant (Bad Request)".
std::string describe(const HttpAnswer& answer);

// A server's text for people: printable ASCII, at most 200 bytes.
std::string printable(std::string_view text);

}  // namespace yume::auth
