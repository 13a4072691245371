// SPDX-License-Identifier: MIT
#include "platform/ip_address.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <cstring>

namespace yume::platform {

std::optional<IpAddress> parse_ip_address(const std::string& text) {
  IpAddress address;
  if (inet_pton(AF_INET, text.c_str(), address.bytes.data()) == 1) return address;
  address.is_v6 = true;
  if (inet_pton(AF_INET6, text.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

std::string to_string(const IpAddress& address) {
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(address.is_v6 ? AF_INET6 : AF_INET, address.bytes.data(), &text[0], sizeof text);
  return &text[0];
}

std::optional<IpAddress> ip_address_of(const void* socket_address) {
  const auto* any = static_cast<const sockaddr*>(socket_address);
  IpAddress address;
  if (any->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, socket_address, sizeof v4);
    std::memcpy(address.bytes.data(), &v4.sin_addr, sizeof v4.sin_addr);
    return address;
  }
  if (any->sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 v6{};
  std::memcpy(&v6, socket_address, sizeof v6);
  address.is_v6 = true;
  std::memcpy(address.bytes.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
  return address;
}

int open_socket(int family, int type, int protocol) {
  constexpr DWORD k_flags = WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT;
  const SOCKET made = ::WSASocketW(family, type, protocol, nullptr, 0, k_flags);
  // The system's handles have 32 bits that mean something.
  return made == INVALID_SOCKET ? -1 : static_cast<int>(made);
}

}  // namespace yume::platform
