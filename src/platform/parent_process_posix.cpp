// SPDX-License-Identifier: MIT
#include "platform/parent_process.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#ifdef __APPLE__
#include <libproc.h>
#else
#include <fcntl.h>
#endif

namespace yume::platform {
namespace {

struct Stat {
  std::int64_t parent = 0;
  std::uint64_t start_time = 0;
};

#ifdef __APPLE__

std::optional<Stat> stat_of(std::int64_t pid) {
  proc_bsdinfo info{};
  const int size = proc_pidinfo(static_cast<pid_t>(pid), PROC_PIDTBSDINFO, 0, &info, sizeof(info));
  if (size != static_cast<int>(sizeof(info))) return std::nullopt;
  return Stat{.parent = static_cast<std::int64_t>(info.pbi_ppid),
              .start_time = info.pbi_start_tvsec * 1'000'000 + info.pbi_start_tvusec};
}

std::string program_of(std::int64_t pid) {
  std::array<char, PROC_PIDPATHINFO_MAXSIZE> path{};
  const int size = proc_pidpath(static_cast<pid_t>(pid), path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

#else

// "PID (name) state ppid ...": a name may hold anything, so what follows is counted from its end.
std::optional<Stat> stat_of(std::int64_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 1024> buffer{};
  const ssize_t size = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  if (size <= 0) return std::nullopt;
  std::string_view text(buffer.data(), static_cast<std::size_t>(size));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  constexpr int k_parent = 2;  // the fields behind the name, from 1
  constexpr int k_start_time = 20;
  Stat stat;
  for (int field = 1; field <= k_start_time; ++field) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view value = text.substr(0, text.find(' '));
    const char* end = value.data() + value.size();
    if (field == k_parent) std::from_chars(value.data(), end, stat.parent);
    if (field == k_start_time) std::from_chars(value.data(), end, stat.start_time);
    text.remove_prefix(value.size());
  }
  if (stat.parent <= 0 || stat.start_time == 0) return std::nullopt;
  return stat;
}

std::string program_of(std::int64_t pid) {
  const std::string link = "/proc/" + std::to_string(pid) + "/exe";
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

#endif

}  // namespace

std::optional<ParentProcess> parent_of(std::int64_t pid) {
  const auto stat = stat_of(pid);
  const auto parent = stat ? stat_of(stat->parent) : std::nullopt;
  if (!parent) return std::nullopt;
  return ParentProcess{.pid = stat->parent, .start_time = parent->start_time};
}

std::int64_t own_process() {
  return ::getpid();
}

std::optional<ParentProcess> parent_process() {
  const auto parent = stat_of(::getppid());
  if (!parent) return std::nullopt;
  return ParentProcess{.pid = ::getppid(), .start_time = parent->start_time};
}

std::vector<std::string> ancestor_programs() {
  std::vector<std::string> names;
  const auto add = [&names](std::int64_t pid) {
    const std::string path = program_of(pid);
    if (!path.empty()) names.push_back(path.substr(path.rfind('/') + 1));
  };
  add(::getppid());
  if (const auto parent = stat_of(::getppid())) add(parent->parent);
  return names;
}

}  // namespace yume::platform
