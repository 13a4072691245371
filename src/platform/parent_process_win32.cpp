// SPDX-License-Identifier: MIT
#include "platform/parent_process.h"

#include "platform/handle_win32.h"

#include <winternl.h>

#include <array>
#include <string>
#include <string_view>

namespace yume::platform {
namespace {

Handle open_process(std::int64_t pid) {
  return Handle(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(pid)));
}

// As the system fills it in. The header's own name for the last member depends on its version;
// documented as reserved for long, it has been the parent's number since Windows NT.
struct BasicInformation {
  NTSTATUS exit_status;
  PVOID environment_block;
  ULONG_PTR affinity;
  LONG base_priority;
  ULONG_PTR pid;
  ULONG_PTR parent_pid;
};

std::optional<std::int64_t> parent_pid(HANDLE process) {
  using Query = NTSTATUS(NTAPI*)(HANDLE, PROCESSINFOCLASS, PVOID, ULONG, PULONG);
  static const auto query = reinterpret_cast<Query>(reinterpret_cast<void*>(
      ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "NtQueryInformationProcess")));
  if (query == nullptr || process == nullptr) return std::nullopt;
  BasicInformation info{};
  if (query(process, ProcessBasicInformation, &info, sizeof(info), nullptr) != 0) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(info.parent_pid);
}

std::optional<std::uint64_t> start_time(HANDLE process) {
  FILETIME created{};
  FILETIME ended{};
  FILETIME kernel{};
  FILETIME user{};
  if (process == nullptr || ::GetProcessTimes(process, &created, &ended, &kernel, &user) == 0) {
    return std::nullopt;
  }
  return (static_cast<std::uint64_t>(created.dwHighDateTime) << 32U) | created.dwLowDateTime;
}

std::string program_of(HANDLE process) {
  std::array<wchar_t, 4096> path{};
  DWORD size = path.size();
  if (process == nullptr || ::QueryFullProcessImageNameW(process, 0, path.data(), &size) == 0) {
    return "";
  }
  const std::wstring_view text(path.data(), size);
  return from_wide(text.substr(text.rfind(L'\\') + 1));
}

// A number may be used again: a parent is older than its child.
std::optional<ParentProcess> checked_parent(HANDLE child) {
  const auto pid = parent_pid(child);
  const auto begun = start_time(child);
  if (!pid || !begun) return std::nullopt;
  const Handle parent = open_process(*pid);
  const auto older = start_time(parent.get());
  if (!older || *older > *begun) return std::nullopt;
  return ParentProcess{.pid = *pid, .start_time = *older};
}

}  // namespace

std::optional<ParentProcess> parent_of(std::int64_t pid) {
  const Handle process = open_process(pid);
  return checked_parent(process.get());
}

std::int64_t own_process() {
  return static_cast<std::int64_t>(GetCurrentProcessId());
}

std::optional<ParentProcess> parent_process() {
  return checked_parent(::GetCurrentProcess());
}

std::vector<std::string> ancestor_programs() {
  std::vector<std::string> names;
  auto ancestor = parent_process();
  for (int i = 0; i < 2 && ancestor; ++i) {
    const Handle process = open_process(ancestor->pid);
    if (std::string name = program_of(process.get()); !name.empty()) names.push_back(name);
    ancestor = checked_parent(process.get());
  }
  return names;
}

}  // namespace yume::platform
