// SPDX-License-Identifier: MIT
#include "net/public_address.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace yume::net {
namespace {

using platform::IpAddress;

struct Network {
  std::array<std::uint8_t, 16> bytes;
  unsigned bits;
};

bool inside(const IpAddress& address, const Network& network) {
  for (unsigned bit = 0; bit < network.bits; bit += 8) {
    const unsigned width = std::min(8U, network.bits - bit);
    const unsigned mask = (0xFFU << (8U - width)) & 0xFFU;
    const unsigned difference = address.bytes[bit / 8] ^ network.bytes[bit / 8];
    if ((difference & mask) != 0) return false;
  }
  return true;
}

// IANA's registry of special-purpose IPv4 addresses, multicast and the reserved rest.
constexpr std::array k_special_v4 = {
    Network{{0}, 8},              // this network
    Network{{10}, 8},             // private
    Network{{100, 64}, 10},       // carrier-grade NAT
    Network{{127}, 8},            // loopback
    Network{{169, 254}, 16},      // link-local, with the clouds' metadata servers
    Network{{172, 16}, 12},       // private
    Network{{192, 0, 0}, 24},     // protocol assignments
    Network{{192, 0, 2}, 24},     // documentation
    Network{{192, 88, 99}, 24},   // 6to4 relays, given up
    Network{{192, 168}, 16},      // private
    Network{{198, 18}, 15},       // benchmarks
    Network{{198, 51, 100}, 24},  // documentation
    Network{{203, 0, 113}, 24},   // documentation
    Network{{224}, 4},            // multicast
    Network{{240}, 4},            // reserved, broadcast
};

constexpr Network k_global_v6{{0x20}, 3};
constexpr std::array k_special_v6 = {
    Network{{0x20, 0x01, 0x00, 0x00}, 23},  // protocol assignments: Teredo, ORCHID, benchmarks
    Network{{0x20, 0x01, 0x0D, 0xB8}, 32},  // documentation
    Network{{0x3F, 0xFF}, 20},              // documentation
};
constexpr Network k_mapped{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, 96};
constexpr Network k_nat64{{0x00, 0x64, 0xFF, 0x9B}, 96};
constexpr Network k_6to4{{0x20, 0x02}, 16};

IpAddress embedded(const IpAddress& address, std::size_t at) {
  IpAddress inner;
  std::copy_n(address.bytes.begin() + static_cast<std::ptrdiff_t>(at), 4, inner.bytes.begin());
  return inner;
}

bool is_special(const IpAddress& address, const auto& networks) {
  return std::any_of(networks.begin(), networks.end(),
                     [&](const Network& one) { return inside(address, one); });
}

}  // namespace

bool is_public(const IpAddress& address) {
  if (!address.is_v6) return !is_special(address, k_special_v4);
  if (inside(address, k_mapped) || inside(address, k_nat64))
    return is_public(embedded(address, 12));
  if (inside(address, k_6to4)) return is_public(embedded(address, 2));
  return inside(address, k_global_v6) && !is_special(address, k_special_v6);
}

bool is_local_name(std::string_view host) {
  return host == "localhost" || host.ends_with(".localhost");
}

}  // namespace yume::net
