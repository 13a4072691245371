// SPDX-License-Identifier: MIT
#include "platform/terminal_program.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "platform/child_win32.h"
#include "platform/handle_win32.h"

namespace yume::platform {
namespace {

// Ctrl-C comes to every process of the console, this one among them.
BOOL WINAPI take_key(DWORD event) {
  return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT ? TRUE : FALSE;
}

class IgnoredKeys {
 public:
  IgnoredKeys() { ::SetConsoleCtrlHandler(take_key, TRUE); }
  IgnoredKeys(const IgnoredKeys&) = delete;
  IgnoredKeys& operator=(const IgnoredKeys&) = delete;
  ~IgnoredKeys() { ::SetConsoleCtrlHandler(take_key, FALSE); }
};

Handle inheritable(DWORD stream) {
  HANDLE copy = nullptr;
  const HANDLE self = ::GetCurrentProcess();
  if (!::DuplicateHandle(self, ::GetStdHandle(stream), self, &copy, 0, TRUE,
                         DUPLICATE_SAME_ACCESS)) {
    return {};
  }
  return Handle(copy);
}

struct InputPipe {
  Handle theirs;  // inheritable
  Handle ours;
};

Result<InputPipe> make_pipe(const std::string& what) {
  HANDLE read_end = nullptr;
  HANDLE write_end = nullptr;
  if (!::CreatePipe(&read_end, &write_end, nullptr, 0)) {
    return error_from_windows(what, ::GetLastError());
  }
  InputPipe pipe{.theirs = Handle(read_end), .ours = Handle(write_end)};
  if (!::SetHandleInformation(pipe.theirs.get(), HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT)) {
    return error_from_windows(what, ::GetLastError());
  }
  return pipe;
}

// As much as the program takes.
void feed(const Handle& pipe, std::string_view bytes) {
  constexpr std::size_t k_piece = 1U << 16U;
  while (!bytes.empty()) {
    DWORD written = 0;
    const auto piece = static_cast<DWORD>(std::min(bytes.size(), k_piece));
    if (!::WriteFile(pipe.get(), bytes.data(), piece, &written, nullptr)) return;
    bytes.remove_prefix(written);
  }
}

}  // namespace

Result<ProcessEnd> run_on_terminal(const TerminalProgram& program) {
  const std::string what = "cannot start " + program.argv[0];
  const ProcessSpec spec{
      .argv = program.argv, .cwd = program.cwd, .environment = program.environment};
  if (const auto checked = check_child(spec); !checked) return checked.error();
  InputPipe input;
  if (program.input) {
    YUME_TRY(input, make_pipe(what));
  } else {
    input.theirs = inheritable(STD_INPUT_HANDLE);
  }
  const Handle output = inheritable(STD_OUTPUT_HANDLE);
  const Handle error_output = inheritable(STD_ERROR_HANDLE);
  const IgnoredKeys ignored;
  YUME_TRY(const Child child, start_child(spec,
                                          {.input = input.theirs.get(),
                                           .output = output.get(),
                                           .error_output = error_output.get()},
                                          Console::ours));
  input.theirs.close();
  if (program.input) feed(input.ours, *program.input);
  input.ours.close();
  ::WaitForSingleObject(child.process.get(), INFINITE);
  DWORD code = 0;
  ::GetExitCodeProcess(child.process.get(), &code);
  return ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = static_cast<int>(code)};
}

}  // namespace yume::platform
