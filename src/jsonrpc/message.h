// SPDX-License-Identifier: MIT
// The messages of JSON-RPC 2.0 as values, whatever carries them and whatever protocol they belong
// to. Parameters and results stay JSON: their meaning is the protocol's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "util/json_io.h"

namespace yume::jsonrpc {

// A number, string or null as it was written, so that it goes back as it came: 1 and 1.0 differ.
struct Id {
  std::string json = "null";

  friend bool operator==(const Id&, const Id&) = default;
};

struct Request {
  Id id;
  std::string method;
  RawJson params = {};  // an object or array; empty: there are none

  friend bool operator==(const Request&, const Request&) = default;
};

struct Notification {
  std::string method;
  RawJson params = {};  // an object or array; empty: there are none

  friend bool operator==(const Notification&, const Notification&) = default;
};

// What the protocol's own numbers say is for the protocol to know; these are everybody's.
inline constexpr std::int64_t k_parse_error = -32700;
inline constexpr std::int64_t k_invalid_request = -32600;
inline constexpr std::int64_t k_method_not_found = -32601;
inline constexpr std::int64_t k_invalid_params = -32602;
inline constexpr std::int64_t k_internal_error = -32603;

struct ErrorObject {
  std::int64_t code = k_internal_error;
  std::string message;
  RawJson data = {};  // empty: there is none

  friend bool operator==(const ErrorObject&, const ErrorObject&) = default;
};

// A result, or why there is none.
using Reply = std::variant<RawJson, ErrorObject>;

struct Response {
  Id id;  // null: the request could not be read
  Reply reply;

  friend bool operator==(const Response&, const Response&) = default;
};

// What is none of the three, and the answer that it gets.
struct Malformed {
  Response answer;

  friend bool operator==(const Malformed&, const Malformed&) = default;
};

using Incoming = std::variant<Request, Notification, Response, Malformed>;

}  // namespace yume::jsonrpc
