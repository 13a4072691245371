// SPDX-License-Identifier: MIT
// A program that does what its arguments say, one after the other. With `--noprofile` as the first
// one it plays Git Bash and shows what it was told to run.
#include <windows.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "platform/handle_win32.h"

namespace {

using yume::platform::from_wide;
using yume::platform::Handle;

// No hidden process lives longer, so that a failing test cannot leave anything behind.
constexpr DWORD k_life = 30'000;

void write(DWORD stream, std::string_view bytes) {
  const HANDLE handle = ::GetStdHandle(stream);
  while (!bytes.empty()) {
    DWORD written = 0;
    if (!::WriteFile(handle, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr)) {
      ::ExitProcess(99);
    }
    bytes.remove_prefix(written);
  }
}

void say(const std::wstring& text) {
  write(STD_OUTPUT_HANDLE, from_wide(text) + "\n");
}

void write_zeros(DWORD stream, const std::wstring& count) {
  const std::string zeros(std::wcstoul(count.c_str(), nullptr, 10), '\0');
  write(stream, zeros);
}

void show_environment() {
  wchar_t* const block = ::GetEnvironmentStringsW();
  for (const wchar_t* variable = block; *variable != 0; variable += std::wcslen(variable) + 1) {
    say(variable);
  }
  ::FreeEnvironmentStringsW(block);
}

void show_directory() {
  std::wstring path(32'768, L'\0');
  path.resize(::GetCurrentDirectoryW(static_cast<DWORD>(path.size()), path.data()));
  say(path);
}

void read_input() {
  char byte = 0;
  DWORD got = 0;
  const bool read = ::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), &byte, 1, &got, nullptr);
  say(read && got == 0 ? L"end of input" : L"something else");
}

void copy_input() {
  std::array<char, 4096> bytes;
  DWORD got = 0;
  while (::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), bytes.data(),
                    static_cast<DWORD>(bytes.size()), &got, nullptr) &&
         got > 0) {
    write(STD_OUTPUT_HANDLE, {bytes.data(), got});
  }
}

// Whoever has the console could type into it.
void show_console() {
  DWORD others[2] = {};
  say(::GetConsoleProcessList(others, 2) > 1 ? L"shares a console" : L"no console of others");
}

// Tells the test which process this is.
void report(const std::wstring& pipe) {
  DWORD pid = ::GetCurrentProcessId();
  DWORD got = 0;
  char answer = 0;
  while (
      !::CallNamedPipeW(pipe.c_str(), &pid, sizeof pid, &answer, 1, &got, NMPWAIT_WAIT_FOREVER)) {
    // Another one was faster between the waiting and the opening.
    if (::GetLastError() != ERROR_PIPE_BUSY) ::ExitProcess(98);
  }
}

void wait_for(const std::wstring& event) {
  const Handle gate(::OpenEventW(SYNCHRONIZE, FALSE, event.c_str()));
  ::WaitForSingleObject(gate.get(), k_life);
}

bool start(std::wstring line, DWORD flags) {
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION started{};
  if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                        &startup, &started)) {
    return false;
  }
  ::CloseHandle(started.hThread);
  ::CloseHandle(started.hProcess);
  return true;
}

std::wstring self() {
  std::wstring path(32'768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

// Seven processes, each started in another way, that report and stay.
void hide(const std::wstring& pipe) {
  const std::wstring actor = L"\"" + self() + L"\" ";
  const std::wstring stay = L"report:" + pipe + L" stay";
  bool all = start(actor + stay, 0) && start(actor + stay, DETACHED_PROCESS) &&
             start(actor + stay, CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW) &&
             start(actor + stay, CREATE_NEW_CONSOLE);
  // Orphans: who started them has ended.
  all = all && start(actor + L"start:" + pipe, 0) && start(actor + L"detach:" + pipe, 0);
  // The empty quotes are the title, which `start` would otherwise see in the path.
  all = all && start(L"cmd.exe /d /c start \"\" /b " + actor + stay, CREATE_NO_WINDOW);
  if (!all) ::ExitProcess(97);
}

void break_away() {
  const bool left = start(L"\"" + self() + L"\" stay", CREATE_BREAKAWAY_FROM_JOB);
  say(left ? L"broke away" : L"refused");
}

void play_bash(const std::vector<std::wstring>& arguments) {
  for (const std::wstring& argument : arguments) say(L"[" + argument + L"]");
  copy_input();
}

void crash() {
  ::SetErrorMode(SEM_NOGPFAULTERRORBOX);
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}

void flood() {
  const std::string lines(4096, 'y');
  for (;;) write(STD_OUTPUT_HANDLE, lines);
}

void act(const std::wstring& what, const std::wstring& with) {
  const std::map<std::wstring, std::function<void()>> actions{
      {L"out", [&] { say(with); }},
      {L"err", [&] { write(STD_ERROR_HANDLE, from_wide(with) + "\n"); }},
      {L"zeros", [&] { write_zeros(STD_OUTPUT_HANDLE, with); }},
      {L"errzeros", [&] { write_zeros(STD_ERROR_HANDLE, with); }},
      {L"exit", [&] { ::ExitProcess(std::wcstoul(with.c_str(), nullptr, 0)); }},
      {L"crash", crash},
      {L"environment", show_environment},
      {L"directory", show_directory},
      {L"input", read_input},
      {L"copy", copy_input},
      {L"console", show_console},
      {L"flood", flood},
      {L"stay", [] { ::Sleep(k_life); }},
      {L"report", [&] { report(with); }},
      {L"wait", [&] { wait_for(with); }},
      {L"hide", [&] { hide(with); }},
      {L"breakaway", break_away},
      {L"start", [&] { start(L"\"" + self() + L"\" report:" + with + L" stay", 0); }},
      {L"detach",
       [&] { start(L"\"" + self() + L"\" report:" + with + L" stay", DETACHED_PROCESS); }},
      {L"child", [&] { start(L"\"" + self() + L"\" stay", 0); }},
      {L"raise",
       [&] { ::SetEvent(reinterpret_cast<HANDLE>(std::wcstoull(with.c_str(), nullptr, 10))); }},
  };
  const auto found = actions.find(what);
  if (found == actions.end()) ::ExitProcess(96);
  found->second();
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  const std::vector<std::wstring> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == L"--noprofile") {
    play_bash(arguments);
    return 0;
  }
  // Shows all others as they came.
  if (!arguments.empty() && arguments[0] == L"arguments") {
    for (std::size_t i = 1; i < arguments.size(); ++i) say(L"[" + arguments[i] + L"]");
    return 0;
  }
  for (const std::wstring& argument : arguments) {
    const std::size_t colon = argument.find(L':');
    act(argument.substr(0, colon),
        colon == std::wstring::npos ? std::wstring() : argument.substr(colon + 1));
  }
  return 0;
}
