// SPDX-License-Identifier: MIT
#include "platform/windows_path.h"

#include <algorithm>
#include <array>

#include "util/ascii.h"

namespace yume::platform {
namespace {

bool is_separator(char c) {
  return c == '\\' || c == '/';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// COM1 to COM9, with the digits of Latin-1 that the system counts among them.
bool ends_in_port_number(std::string_view rest) {
  if (rest.size() == 1) return rest[0] >= '0' && rest[0] <= '9';
  return rest == "\xC2\xB9" || rest == "\xC2\xB2" || rest == "\xC2\xB3";
}

std::optional<std::string> why_unusable_root(std::string_view path) {
  if (path.size() >= 2 && is_separator(path[0]) && is_separator(path[1])) {
    const bool device = path.size() > 2 && (path[2] == '?' || path[2] == '.') &&
                        (path.size() == 3 || is_separator(path[3]));
    return device ? "device paths are not used; write it as C:\\folder\\file"
                  : "network paths are not used; give the share a drive letter";
  }
  // The name that the kernel has for them.
  if (path.size() > 3 && is_separator(path[0]) && path[1] == '?' && path[2] == '?' &&
      is_separator(path[3])) {
    return "device paths are not used; write it as C:\\folder\\file";
  }
  if (path.size() >= 2 && is_letter(path[0]) && path[1] == ':' &&
      (path.size() == 2 || !is_separator(path[2]))) {
    return "it is relative to the current folder of a drive; write it as C:\\folder\\file";
  }
  return std::nullopt;
}

std::optional<std::string> why_unusable_name(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return std::nullopt;
  for (const char c : name) {
    if (c == ':') return "a colon in a name means another stream of the file";
    if (static_cast<unsigned char>(c) < 0x20 || std::string_view("<>\"|?*").find(c) != name.npos) {
      return "no file's name contains " +
             (static_cast<unsigned char>(c) < 0x20 ? "control characters" : std::string(1, c));
    }
  }
  if (name.back() == '.' || name.back() == ' ') {
    return "the system ignores dots and spaces at the end of a name";
  }
  if (is_windows_device(name)) return std::string(name) + " is the name of a device";
  return std::nullopt;
}

}  // namespace

bool is_windows_device(std::string_view name) {
  // What follows a dot, a colon or spaces is ignored.
  std::string base = ascii_upper(name.substr(0, name.find_first_of(".:")));
  base.erase(base.find_last_not_of(' ') + 1);
  constexpr std::array<std::string_view, 7> k_devices{"CON",    "PRN",     "AUX",   "NUL",
                                                      "CONIN$", "CONOUT$", "CLOCK$"};
  if (std::find(k_devices.begin(), k_devices.end(), base) != k_devices.end()) return true;
  const bool port = base.starts_with("COM") || base.starts_with("LPT");
  return port && ends_in_port_number(std::string_view(base).substr(3));
}

std::optional<std::string> why_unusable_windows_path(std::string_view path) {
  if (auto why = why_unusable_root(path)) return why;
  if (path.size() >= 2 && is_letter(path[0]) && path[1] == ':') path.remove_prefix(2);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("\\/"), path.size());
    if (auto why = why_unusable_name(path.substr(0, end))) return why;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

}  // namespace yume::platform
