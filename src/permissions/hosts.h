// SPDX-License-Identifier: MIT
// Host names as rules compare them: label by label, never as a piece of text. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::permissions {

// `pattern` is a host (itself alone), `*.host` (everything below it, not itself) or `*`. Case, a
// final dot and an IPv6 address' brackets do not count. `host` comes from a parsed URL.
bool host_matches(std::string_view pattern, std::string_view host);

// An address written as such, or `localhost`: a rule that names it can mean nothing but this
// machine or its network. Any other name says nothing about where it leads.
bool is_own_name(std::string_view host);

}  // namespace yume::permissions
