// SPDX-License-Identifier: MIT
// Internet addresses as bytes, and the one system call that libcurl leaves to whoever wants to look
// at an address before it is connected to. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace yume::platform {

struct IpAddress {
  bool is_v6 = false;
  std::array<std::uint8_t, 16> bytes = {};  // of IPv4 the first four

  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

// "127.0.0.1" or "::1", without brackets; nullopt for a name.
std::optional<IpAddress> parse_ip_address(const std::string& text);
std::string to_string(const IpAddress& address);

// The address inside a `struct sockaddr`; nullopt for other families.
std::optional<IpAddress> ip_address_of(const void* socket_address);

// socket(2), closed on exec. A negative number when the system refuses.
int open_socket(int family, int type, int protocol);

}  // namespace yume::platform
