// SPDX-License-Identifier: MIT
// Refuses sockets to a process and all that it starts: Landlock knows only TCP. Two processes can
// still talk over a pipe, and over a pair of sockets that one of them has made. Private to
// src/platform.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace yume::platform {

// Whether the filter knows this machine's system calls.
bool has_network_filter();

std::vector<sock_filter> make_network_filter();

// The calling process must have given up new privileges. 0 or errno. Async-signal-safe.
int enter_network_filter(const std::vector<sock_filter>& filter) noexcept;

}  // namespace yume::platform
