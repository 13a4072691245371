// SPDX-License-Identifier: MIT
// Result<T>: a value or one closed Error. Used by every function that can fail; exceptions never
// cross a folder. (GCC 12 in C++20 mode has no std::expected.)
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace yume {

enum class ErrorCode {
  invalid_argument,   // the caller or the user gave something that cannot work
  not_found,          // the named thing does not exist
  permission_denied,  // the system or a policy refuses
  busy,               // somebody else holds it
  io,                 // a file, pipe or process operation failed
  cancelled,          // the cancel token fired
  timeout,            // a deadline passed
  network,            // could not reach the server, or the connection broke
  tls,                // certificate or TLS set-up; never retried
  http,               // the server answered with an error status (see http_status)
  auth,               // no usable credential
  protocol,           // the peer sent something that is not what it should be
  too_large,          // over a stated limit
  internal,           // a bug on our side
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  // names the object; lower case, no period
  int http_status = 0;  // 0 when no HTTP answer was involved
  std::optional<std::chrono::milliseconds> retry_after = std::nullopt;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit by design

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace yume

#define YUME_CONCAT_INNER(a, b) a##b
#define YUME_CONCAT(a, b) YUME_CONCAT_INNER(a, b)

// YUME_TRY(auto text, read(path)): on failure returns the error from the enclosing function.
#define YUME_TRY(declaration, expression) \
  YUME_TRY_AS(YUME_CONCAT(try_, __LINE__), declaration, expression)
#define YUME_TRY_AS(name, declaration, expression) \
  auto name = (expression);                        \
  if (!name.ok()) return std::move(name).error();  \
  declaration = std::move(name).value()
