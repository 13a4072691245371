// SPDX-License-Identifier: MIT
#include "platform/privileges_linux.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace yume::platform {
namespace {

using Capabilities = std::uint64_t;

constexpr Capabilities of(unsigned number) {
  return Capabilities{1} << number;
}

// What builds and tests that run as root need: other users' files, other users, low ports. All that
// is not listed goes, also what kernels may add.
constexpr Capabilities k_kept_by_root = of(CAP_CHOWN) | of(CAP_DAC_OVERRIDE) | of(CAP_FOWNER) |
                                        of(CAP_FSETID) | of(CAP_KILL) | of(CAP_SETGID) |
                                        of(CAP_SETUID) | of(CAP_SETPCAP) | of(CAP_SETFCAP) |
                                        of(CAP_SYS_CHROOT) | of(CAP_SYS_NICE) | of(CAP_AUDIT_WRITE);
constexpr Capabilities k_network = of(CAP_NET_BIND_SERVICE) | of(CAP_NET_RAW);
constexpr unsigned k_most_capabilities = 64;

using CapabilityData = std::array<__user_cap_data_struct, 2>;

Capabilities joined(std::uint32_t low, std::uint32_t high) noexcept {
  return Capabilities{high} << 32U | low;
}

// Fails only where there is nothing to drop: without the right to do so there are no capabilities
// that exec could give back, since no new privileges are to be had.
void drop_bounds(Capabilities kept) noexcept {
  for (unsigned number = 0; number < k_most_capabilities; ++number) {
    if ((kept & of(number)) == 0) ::syscall(SYS_prctl, PR_CAPBSET_DROP, number, 0, 0, 0);
  }
}

int drop_held(Capabilities kept) noexcept {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  CapabilityData data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return errno;
  const Capabilities left = kept & joined(data[0].permitted, data[1].permitted);
  const auto low = static_cast<std::uint32_t>(left);
  const auto high = static_cast<std::uint32_t>(left >> 32U);
  data[0] = {.effective = low, .permitted = low, .inheritable = 0};
  data[1] = {.effective = high, .permitted = high, .inheritable = 0};
  return ::syscall(SYS_capset, &header, data.data()) == 0 ? 0 : errno;
}

}  // namespace

int drop_privileges(bool is_root, NetworkAccess network) noexcept {
  Capabilities kept = is_root ? k_kept_by_root : 0;
  if (is_root && network == NetworkAccess::allowed) kept |= k_network;
  if (::syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  ::syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  drop_bounds(kept);
  return drop_held(kept);
}

}  // namespace yume::platform
