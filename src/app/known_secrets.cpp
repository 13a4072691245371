// SPDX-License-Identifier: MIT
#include "app/known_secrets.h"

#include "tools/bash.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace yume::app {
namespace {

constexpr std::array<std::string_view, 6> k_proxies = {"http_proxy",  "HTTP_PROXY", "https_proxy",
                                                       "HTTPS_PROXY", "all_proxy",  "ALL_PROXY"};
constexpr std::string_view k_headers = "GEMINI_CLI_CUSTOM_HEADERS";

// "user:password@host" of an address; a message may show the host alone.
void learn_login(std::string_view address, Redactor& redactor) {
  const std::size_t scheme = address.find("://");
  if (scheme != std::string_view::npos) address.remove_prefix(scheme + 3);
  const std::string_view authority = address.substr(0, address.find('/'));
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return;
  const std::string_view login = authority.substr(0, at);
  redactor.learn(authority);
  const std::size_t colon = login.find(':');
  if (colon != std::string_view::npos) redactor.learn(login.substr(colon + 1));
}

// "Name: value, Name: value"; a value's own commas only make its parts known one by one.
void learn_header_values(std::string_view headers, Redactor& redactor) {
  while (!headers.empty()) {
    const std::size_t end = std::min(headers.find(','), headers.size());
    std::string_view value = headers.substr(0, end);
    value.remove_prefix(std::min(value.find(':') + 1, value.size()));
    // "Bearer TOKEN": the token is what must not be seen.
    value.remove_prefix(std::min(value.find_last_of(' ') + 1, value.size()));
    redactor.learn(value);
    headers.remove_prefix(std::min(end + 1, headers.size()));
  }
}

bool names_a_proxy(std::string_view name) {
  return std::find(k_proxies.begin(), k_proxies.end(), name) != k_proxies.end();
}

}  // namespace

void conceal_secrets(const platform::Environment& environment) {
  std::vector<std::string> names;
  for (const auto& [name, value] : environment.variables) {
    if (tools::is_kept_from_children(name) || names_a_proxy(name)) names.push_back(name);
  }
  platform::empty_variables(names);
}

void learn_secrets(const platform::Environment& environment, Redactor& redactor) {
  for (const char* key : {"GEMINI_API_KEY", "GOOGLE_API_KEY"}) {
    redactor.learn(environment.get(key).value_or(""));
  }
  for (const std::string_view name : k_proxies) {
    learn_login(environment.get(name).value_or(""), redactor);
  }
  learn_header_values(environment.get(k_headers).value_or(""), redactor);
}

}  // namespace yume::app
