// SPDX-License-Identifier: MIT
#include "platform/network_filter_linux.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace yume::platform {
namespace {

// A way into the kernel, with the numbers of its calls. A 64-bit machine has a second one, for
// programs of 32 bits.
struct Architecture {
  std::uint32_t name;
  std::uint32_t socket;
  std::uint32_t socket_multiplexer;  // an older call for everything with sockets, or `socket` again
};

// Operations of io_uring are not system calls, and so no filter sees them.
constexpr std::uint32_t k_io_uring_setup = 425;  // the same everywhere
constexpr std::uint32_t k_x32_bit = 0x40000000;  // a third way, on x86-64

#if defined(__x86_64__)
constexpr std::array<Architecture, 2> k_architectures{
    {{AUDIT_ARCH_X86_64, 41, 41}, {AUDIT_ARCH_I386, 359, 102}}};
#elif defined(__aarch64__)
constexpr std::array<Architecture, 2> k_architectures{
    {{AUDIT_ARCH_AARCH64, 198, 198}, {AUDIT_ARCH_ARM, 281, 102}}};
#else
constexpr std::array<Architecture, 0> k_architectures{};
#endif

constexpr std::uint32_t k_allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t k_refuse = SECCOMP_RET_ERRNO | EACCES;
constexpr std::uint32_t k_unknown = SECCOMP_RET_ERRNO | ENOSYS;

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter end(std::uint32_t verdict) {
  return BPF_STMT(BPF_RET | BPF_K, verdict);
}
// The next `count` steps are skipped unless the loaded value is `value`.
sock_filter unless_equal_skip(std::uint32_t value, std::uint8_t count) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count);
}
sock_filter if_below_skip(std::uint32_t value, std::uint8_t count) {
  return BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, count);
}

// Asking the kernel about its own interfaces is no network, and the C library does it to resolve
// names.
std::vector<sock_filter> rules_of(const Architecture& way) {
  return {load(offsetof(seccomp_data, nr)),
          if_below_skip(k_x32_bit, 1),
          end(k_unknown),
          unless_equal_skip(k_io_uring_setup, 1),
          end(k_unknown),
          unless_equal_skip(way.socket, 4),
          load(offsetof(seccomp_data, args)),  // the lower half: machines here are little-endian
          unless_equal_skip(AF_NETLINK, 1),
          end(k_allow),
          end(k_refuse),
          unless_equal_skip(way.socket_multiplexer, 1),
          end(k_refuse),
          end(k_allow)};
}

}  // namespace

bool has_network_filter() {
  return !k_architectures.empty();
}

std::vector<sock_filter> make_network_filter() {
  std::vector<sock_filter> program;
  for (const Architecture& way : k_architectures) {
    const std::vector<sock_filter> rules = rules_of(way);
    program.push_back(load(offsetof(seccomp_data, arch)));
    program.push_back(unless_equal_skip(way.name, static_cast<std::uint8_t>(rules.size())));
    program.insert(program.end(), rules.begin(), rules.end());
  }
  program.push_back(end(k_unknown));
  return program;
}

int enter_network_filter(const std::vector<sock_filter>& filter) noexcept {
  // The kernel takes a pointer to what it does not change.
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = const_cast<sock_filter*>(filter.data())};
  const long done = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  return done == 0 ? 0 : errno;
}

}  // namespace yume::platform
