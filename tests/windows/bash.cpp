// SPDX-License-Identifier: MIT
// What stands in for Git Bash under wine, where none can be installed: takes the arguments that the
// program gives Git Bash, and has them carried out by the machine's own bash, which wine can start
// but neither wait for nor give a pipe. So that one reads its stdin from a file and writes into
// files, which this program copies, and puts its exit code into another.
#include <windows.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "platform/handle_win32.h"

namespace {

using yume::platform::from_wide;
using yume::platform::Handle;
using yume::platform::to_wide;

constexpr DWORD k_share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

std::string read_all(HANDLE stream) {
  std::string all;
  char buffer[65536];
  DWORD got = 0;
  while (::ReadFile(stream, &buffer[0], sizeof buffer, &got, nullptr) != 0 && got > 0)
    all.append(&buffer[0], got);
  return all;
}

void write_file(const std::wstring& path, std::string_view bytes) {
  const Handle file(
      ::CreateFileW(path.c_str(), GENERIC_WRITE, k_share, nullptr, CREATE_ALWAYS, 0, nullptr));
  DWORD written = 0;
  ::WriteFile(file.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr);
}

// Follows a file that grows.
class Copy {
 public:
  Copy(const std::wstring& path, DWORD stream)
      : file_(
            ::CreateFileW(path.c_str(), GENERIC_READ, k_share, nullptr, OPEN_EXISTING, 0, nullptr)),
        to_(::GetStdHandle(stream)) {}

  void go_on() {
    const std::string more = read_all(file_.get());
    DWORD written = 0;
    for (std::string_view rest = more; !rest.empty(); rest.remove_prefix(written)) {
      if (::WriteFile(to_, rest.data(), static_cast<DWORD>(rest.size()), &written, nullptr) == 0)
        return;
    }
  }

 private:
  Handle file_;
  HANDLE to_;
};

// 'it'\''s'
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Z:\tmp\x as /tmp/x: wine shows the machine's files under Z:.
std::string own_path(const std::wstring& path) {
  std::string text = from_wide(std::wstring_view(path).substr(2));
  for (char& c : text) c = c == '\\' ? '/' : c;
  return text;
}

// Each run has a folder of its own, below that of the host.
std::wstring make_folder() {
  wchar_t base[MAX_PATH + 1];
  ::GetEnvironmentVariableW(L"YUME_BASH_FOLDER", &base[0], MAX_PATH);
  const std::wstring folder =
      std::wstring(&base[0]) + L"\\bash-" + std::to_wstring(::GetCurrentProcessId());
  ::CreateDirectoryW(folder.c_str(), nullptr);
  return folder;
}

// Where the program wants to read in which directory the command ended; empty: nowhere. Its shell
// writes it as this machine has it, into a file of our own.
std::wstring report_file() {
  wchar_t path[MAX_PATH + 1];
  const DWORD length = ::GetEnvironmentVariableW(L"YUME_DIRECTORY_REPORT", &path[0], MAX_PATH);
  return {&path[0], length <= MAX_PATH ? length : 0};
}

// As Git Bash's own "pwd -W" does: Z:/tmp/x.
void hand_on_report(const std::wstring& from, const std::wstring& to) {
  const Handle file(
      ::CreateFileW(from.c_str(), GENERIC_READ, k_share, nullptr, OPEN_EXISTING, 0, nullptr));
  const std::string path = file.is_open() ? read_all(file.get()) : std::string();
  if (!to.empty() && !path.empty()) write_file(to, "Z:" + path);
}

bool share_one_stream() {
  return ::GetStdHandle(STD_OUTPUT_HANDLE) == ::GetStdHandle(STD_ERROR_HANDLE);
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  const std::wstring folder = make_folder();
  const std::string here = own_path(folder);
  write_file(folder + L"\\in", read_all(::GetStdHandle(STD_INPUT_HANDLE)));
  for (const wchar_t* name : {L"\\out", L"\\err"}) write_file(folder + name, "");
  const std::wstring report = report_file();
  std::string command =
      report.empty() ? "" : "YUME_DIRECTORY_REPORT=" + quoted(here + "/directory") + " ";
  command += "bash";
  for (int i = 1; i < argc; ++i) command += " " + quoted(from_wide(argv[i]));
  const std::string streams = " <" + quoted(here + "/in") + " >>" + quoted(here + "/out") +
                              (share_one_stream() ? " 2>&1" : " 2>>" + quoted(here + "/err"));
  // What of the environment would only puzzle the machine's own programs is what wine put into it.
  write_file(folder + L"\\run", command + streams + "\necho $? >" + quoted(here + "/code.new") +
                                    "\nmv " + quoted(here + "/code.new") + " " +
                                    quoted(here + "/code") + "\n");
  std::wstring line = L"bash \"" + *to_wide(here) + L"/run\"";
  const Handle null(::CreateFileW((folder + L"\\null").c_str(), GENERIC_READ | GENERIC_WRITE,
                                  k_share, nullptr, CREATE_ALWAYS, 0, nullptr));
  ::SetHandleInformation(null.get(), HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = start.hStdOutput = start.hStdError = null.get();
  PROCESS_INFORMATION started{};
  if (::CreateProcessW(L"Z:\\bin\\bash", line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr,
                       &start, &started) == 0) {
    return 126;
  }
  Copy out(folder + L"\\out", STD_OUTPUT_HANDLE);
  Copy err(folder + L"\\err", STD_ERROR_HANDLE);
  const std::wstring code_file = folder + L"\\code";
  while (::GetFileAttributesW(code_file.c_str()) == INVALID_FILE_ATTRIBUTES) {
    out.go_on();
    err.go_on();
    ::Sleep(2);
  }
  out.go_on();
  err.go_on();
  hand_on_report(folder + L"\\directory", report);
  const Handle code(
      ::CreateFileW(code_file.c_str(), GENERIC_READ, k_share, nullptr, OPEN_EXISTING, 0, nullptr));
  return std::stoi(read_all(code.get()));
}
