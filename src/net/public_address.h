// SPDX-License-Identifier: MIT
// Which addresses belong to the public internet, and which to this machine, its networks or nobody.
// Pure.
#pragma once

#include <string_view>

#include "platform/ip_address.h"

namespace yume::net {

// An IPv6 address that stands for an IPv4 one (mapped, NAT64, 6to4) is judged by that.
bool is_public(const platform::IpAddress& address);

// A name that means this machine everywhere, whatever a resolver says.
bool is_local_name(std::string_view host);

}  // namespace yume::net
