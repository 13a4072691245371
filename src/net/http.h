// SPDX-License-Identifier: MIT
// HTTP as values. A status is data, not an error; headers keep the order they were given in.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "util/secret.h"

namespace yume::net {

struct Header {
  std::string name;
  std::string value;
};

struct SecretHeader {
  std::string name;
  Secret value;
};

struct Deadlines {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds first_byte{300'000};  // high thinking levels answer late
  std::chrono::milliseconds idle{120'000};        // between two bytes of the answer
  std::chrono::milliseconds notice{20'000};       // of silence, before somebody is told
  std::chrono::milliseconds total{1'800'000};     // the server ends a stream after 20 minutes
};

// Where a request may go, by the address that is connected to. A proxy resolves names itself, so
// behind one only addresses that are written out can be judged, by whoever makes the request.
enum class Reach { anywhere, public_addresses };

// Whether an answer may come compressed. It is unpacked as it arrives, so a sink that stops at some
// size is never given more than that, however small the answer was on its way.
enum class Compression { none, accepted };

struct HttpRequest {
  std::string method = "POST";
  std::string url;
  std::vector<Header> headers;
  std::vector<SecretHeader> secret_headers;  // credentials; never logged
  // Sent one after another as one body; borrowed, must outlive perform(). Segments because a long
  // history is kept in pieces and copied nowhere.
  std::vector<std::string_view> body;
  Deadlines deadlines;
  Reach reach = Reach::anywhere;
  Compression compression = Compression::none;
};

struct HttpHead {
  int status = 0;
  std::vector<Header> headers;

  // The last value of a header, case-insensitive name; empty when absent.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

}  // namespace yume::net
