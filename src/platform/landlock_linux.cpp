// SPDX-License-Identifier: MIT
#include "platform/landlock_linux.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace yume::platform {
namespace {

// The kernel's interface, which never changes, written down here because the header of Debian 12
// knows only the first two versions.
constexpr unsigned k_ask_version = 1;
constexpr int k_path_beneath = 1;

struct RulesetAttributes {
  std::uint64_t handled_files;
  std::uint64_t handled_network;  // from ABI 4 on
  std::uint64_t scoped;           // from ABI 6 on
};

struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t parent_fd;
};

using Rights = unsigned long long;
constexpr Rights bit(unsigned number) {
  return 1ULL << number;
}
constexpr Rights k_execute = bit(0);
constexpr Rights k_write_file = bit(1);
constexpr Rights k_read_file = bit(2);
constexpr Rights k_read_folder = bit(3);
constexpr Rights k_make_char_device = bit(6);
constexpr Rights k_make_block_device = bit(11);
constexpr Rights k_refer = bit(13);         // ABI 2: rename and link between folders
constexpr Rights k_truncate = bit(14);      // ABI 3
constexpr Rights k_device_ioctl = bit(15);  // ABI 5
constexpr Rights k_first_version = bit(13) - 1;
constexpr Rights k_of_a_file = k_execute | k_write_file | k_read_file | k_truncate | k_device_ioctl;
constexpr Rights k_of_devices = k_read_file | k_write_file | k_read_folder | k_device_ioctl;

constexpr std::uint64_t k_all_tcp = 0b11;     // ABI 4: bind and connect
constexpr std::uint64_t k_all_scopes = 0b11;  // ABI 6: abstract sockets and signals

Rights rights_of(int abi) {
  Rights rights = k_first_version;
  if (abi >= 2) rights |= k_refer;
  if (abi >= 3) rights |= k_truncate;
  if (abi >= 5) rights |= k_device_ioctl;
  return rights;
}

// An older kernel does not know the later fields, and refuses them unless they are left out.
std::size_t size_for(int abi) {
  if (abi >= 6) return sizeof(RulesetAttributes);
  if (abi >= 4) return offsetof(RulesetAttributes, scoped);
  return offsetof(RulesetAttributes, handled_network);
}

}  // namespace

int landlock_abi() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, k_ask_version);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

Result<LandlockRules> LandlockRules::create(int abi, NetworkAccess network) {
  const RulesetAttributes attributes{
      .handled_files = rights_of(abi),
      .handled_network = network == NetworkAccess::denied ? k_all_tcp : 0,
      .scoped = k_all_scopes};
  const long fd = ::syscall(SYS_landlock_create_ruleset, &attributes, size_for(abi), 0);
  if (fd < 0) return error_from_errno("cannot set up Landlock", errno);
  return LandlockRules(Descriptor(static_cast<int>(fd)), attributes.handled_files);
}

void LandlockRules::allow_listing(const std::filesystem::path& folder) {
  allow(folder, k_read_folder);
}

void LandlockRules::allow_reading(const std::filesystem::path& path) {
  allow(path, k_read_file | k_execute);
}

void LandlockRules::allow_changing(const std::filesystem::path& path) {
  allow(path, ~(k_make_char_device | k_make_block_device));
}

void LandlockRules::allow_device(const std::filesystem::path& path) {
  allow(path, k_of_devices);
}

void LandlockRules::allow(const std::filesystem::path& path, unsigned long long rights) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!place.is_open() || ::fstat(place.get(), &status) != 0) return;
  rights &= handled_;
  if (!S_ISDIR(status.st_mode)) rights &= k_of_a_file;
  const PathBeneath rule{.allowed = rights, .parent_fd = place.get()};
  ::syscall(SYS_landlock_add_rule, rules_.get(), k_path_beneath, &rule, 0);
}

int enter_landlock(int rules_fd) noexcept {
  return ::syscall(SYS_landlock_restrict_self, rules_fd, 0) == 0 ? 0 : errno;
}

}  // namespace yume::platform
