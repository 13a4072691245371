// SPDX-License-Identifier: MIT
// Which server a request goes to: the developer API, Vertex in a project and location, or Vertex
// with an API key alone; and gateways that speak like one of them. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::gemini {

inline constexpr std::string_view k_developer_api = "https://generativelanguage.googleapis.com";

enum class Backend { developer, vertex, vertex_express };

// What the user asked for, by flags and environment. Empty: nothing was said.
struct EndpointRequest {
  std::string api_base = {};     // for whichever backend is used
  std::string gemini_base = {};  // for the developer API
  std::string vertex_base = {};
  std::optional<bool> vertex = std::nullopt;
  std::string project = {};
  std::string location = {};
  std::string version = {};
};

// What the credential decides.
struct EndpointLogin {
  bool access_token = false;  // else an API key
  std::string project = {};   // the one it names
};

class Endpoint {
 public:
  // An access token goes to Vertex when a project is known, because the developer API takes it only
  // with scopes that no ordinary login has; an API key goes to the developer API unless Vertex was
  // asked for. invalid_argument when Vertex was asked for and there is no project.
  static Result<Endpoint> choose(const EndpointRequest& wish, const EndpointLogin& login);

  [[nodiscard]] Backend backend() const { return backend_; }
  // invalid_argument for a model id that could change the path.
  [[nodiscard]] Result<std::string> stream_url(std::string_view model_id) const;
  // models.get; nothing on Vertex, whose answer has no limits.
  [[nodiscard]] std::optional<std::string> model_url(std::string_view model_id) const;
  // countTokens, which every backend has.
  [[nodiscard]] Result<std::string> count_url(std::string_view model_id) const;

 private:
  Backend backend_ = Backend::developer;
  std::string models_;  // everything up to the model's id
};

}  // namespace yume::gemini
