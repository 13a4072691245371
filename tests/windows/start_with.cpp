// SPDX-License-Identifier: MIT
// start_with NAME=VALUE... -- PROGRAM ARGUMENT...: starts a program with exactly these variables
// and those that every program needs, because wine gives a program that is started from outside a
// profile of its own. The three streams are handed on, Ctrl-C as well; ends with the program's exit
// code, and the program dies with it.
#include <windows.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "platform/handle_win32.h"
#include "platform/windows_command_line.h"

namespace {

using yume::platform::from_wide;
using yume::platform::Handle;
using yume::platform::to_wide;

// In a handler there is no argument.
DWORD g_child = 0;

BOOL WINAPI hand_on(DWORD event) {
  if (event != CTRL_C_EVENT) return FALSE;
  const std::wstring name = L"Local\\yume-cli-interrupt-" + std::to_wstring(g_child);
  const Handle interrupt(::OpenEventW(EVENT_MODIFY_STATE, FALSE, name.c_str()));
  ::SetEvent(interrupt.get());
  return TRUE;
}

void keep_variable(std::wstring& block, const wchar_t* name) {
  wchar_t value[4096];
  const DWORD length = ::GetEnvironmentVariableW(name, &value[0], 4096);
  if (length > 0 && length < 4096) block += std::wstring(name) + L"=" + &value[0] + L'\0';
}

// What the program inherits beside its streams would keep the host's pipes open.
HANDLE inheritable(DWORD id) {
  const HANDLE stream = ::GetStdHandle(id);
  ::SetHandleInformation(stream, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  return stream;
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  std::wstring variables;
  int at = 1;
  for (; at < argc && std::wstring_view(argv[at]) != L"--"; ++at)
    variables += std::wstring(argv[at]) + L'\0';
  for (const wchar_t* name : {L"SystemRoot", L"windir", L"SystemDrive", L"ComSpec", L"PATHEXT"}) {
    keep_variable(variables, name);
  }
  variables += L'\0';
  std::vector<std::string> arguments;
  for (++at; at < argc; ++at) arguments.push_back(from_wide(argv[at]));
  if (arguments.empty()) return 126;

  const Handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = inheritable(STD_INPUT_HANDLE);
  start.hStdOutput = inheritable(STD_OUTPUT_HANDLE);
  start.hStdError = inheritable(STD_ERROR_HANDLE);
  PROCESS_INFORMATION started{};
  std::wstring line = *to_wide(yume::platform::windows_command_line(arguments));
  if (::CreateProcessW(to_wide(arguments.front())->c_str(), line.data(), nullptr, nullptr, TRUE,
                       CREATE_UNICODE_ENVIRONMENT | CREATE_SUSPENDED, variables.data(), nullptr,
                       &start, &started) == 0) {
    std::fprintf(stderr, "start_with: cannot start %s: error %lu\n", arguments.front().c_str(),
                 ::GetLastError());
    return 126;
  }
  ::AssignProcessToJobObject(job.get(), started.hProcess);
  g_child = started.dwProcessId;
  ::SetConsoleCtrlHandler(hand_on, TRUE);
  // From now on the program alone holds the streams.
  for (const DWORD id : {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE})
    ::CloseHandle(::GetStdHandle(id));
  ::ResumeThread(started.hThread);
  ::WaitForSingleObject(started.hProcess, INFINITE);
  DWORD code = 0;
  ::GetExitCodeProcess(started.hProcess, &code);
  return static_cast<int>(code);
}
