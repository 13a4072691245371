// SPDX-License-Identifier: MIT
#include "permissions/never_opened.h"

#include "util/ascii.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

// Where platform/private_store keeps tokens. A project may well be called yume-cli.
bool is_in_token_cache(const std::vector<std::string>& names) {
  constexpr std::string_view k_in_tmp = "yume-cli-";
  if (names.size() > 4 && names[1] == "run" && names[2] == "user" && names[4] == "yume-cli") {
    return true;
  }
  return names.size() > 2 && names[1] == "tmp" && names[2].starts_with(k_in_tmp) &&
         names[2].find_first_not_of("0123456789", k_in_tmp.size()) == std::string::npos;
}

}  // namespace

bool is_never_opened(const fs::path& path) {
  constexpr std::array<std::string_view, 4> k_gcloud = {"application_default_credentials.json",
                                                        "credentials.db", "access_tokens.db",
                                                        "legacy_credentials"};
  constexpr std::array<std::string_view, 5> k_of_process = {"environ", "mem", "maps", "smaps",
                                                            "fd"};
  const auto among = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  // A search asks for every file it meets.
  const std::string text = ascii_lower(to_generic_utf8(path));
  const auto mentions = [&text](std::string_view part) { return text.find(part) != text.npos; };
  if (!mentions("gcloud") && !mentions("/yume-cli") && !mentions("/proc/")) return false;
  std::vector<std::string> names;
  for (const fs::path& component : fs::path(text)) names.push_back(to_utf8(component));
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i - 1] == "gcloud" && among(k_gcloud, names[i])) return true;
  }
  if (is_in_token_cache(names)) return true;
  const bool of_process = names.size() > 3 && names[1] == "proc" && names[2] != "sys";
  return of_process && std::any_of(names.begin() + 3, names.end(), [&](const std::string& name) {
           return among(k_of_process, name);
         });
}

}  // namespace yume::permissions
