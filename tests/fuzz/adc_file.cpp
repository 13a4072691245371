// SPDX-License-Identifier: MIT
// Any credential file is read or refused, and one that is read names no server but Google's, or one
// on this machine.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "auth/adc_file.h"
#include "auth/url_rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yume::auth;
  const auto file = parse_adc_file({reinterpret_cast<const char*>(data), size});
  if (!file.ok()) return 0;
  const std::string url =
      std::visit([](const auto& identity) { return identity.token_url; }, file->identity);
  if (!check_google_url(url, "url").ok()) std::abort();
  if (file->impersonation) {
    (void)file->impersonation->account();
    if (!check_google_url(file->impersonation->url, "url").ok()) std::abort();
  }
  return 0;
}
