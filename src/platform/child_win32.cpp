// SPDX-License-Identifier: MIT
#include "platform/child_win32.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/windows_command_line.h"

namespace yume::platform {
namespace {

constexpr std::size_t k_longest_command_line = 32'766;  // the system's limit, without the NUL
constexpr std::size_t k_longest_directory = MAX_PATH - 2;
constexpr std::wstring_view k_long_prefix = LR"(\\?\)";
constexpr std::wstring_view k_long_share_prefix = LR"(\\?\UNC\)";

Error refusal(const ProcessSpec& spec, std::string_view why) {
  return {.code = ErrorCode::invalid_argument,
          .message = "cannot start " + spec.argv[0] + ": " + std::string(why)};
}

bool has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

std::wstring with_backslashes(std::wstring path) {
  std::replace(path.begin(), path.end(), L'/', L'\\');
  return path;
}

// For the calls that take paths of any length.
std::wstring extended(std::wstring_view path) {
  return to_wide(extended_windows_path(from_wide(path))).value_or(std::wstring(path));
}

// The current directory may not be longer than MAX_PATH and does not accept the prefix; a long one
// usually has short names (PROGRA~1). Empty: it has none.
std::wstring usable_directory(const std::wstring& given) {
  const std::wstring path = with_backslashes(given);
  if (path.size() <= k_longest_directory) return path;
  std::wstring name(32'768, L'\0');
  const DWORD length =
      ::GetShortPathNameW(extended(path).c_str(), name.data(), static_cast<DWORD>(name.size()));
  name.resize(std::min<std::size_t>(length, name.size()));
  if (name.starts_with(k_long_share_prefix)) {
    name.replace(0, k_long_share_prefix.size(), LR"(\\)");
  } else if (name.starts_with(k_long_prefix)) {
    name.erase(0, k_long_prefix.size());
  }
  return name.size() <= k_longest_directory ? name : std::wstring();
}

Result<std::wstring> find_directory(const ProcessSpec& spec) {
  const std::wstring given = spec.cwd.wstring();
  const std::string what = "cannot work in " + from_wide(given);
  const DWORD attributes = ::GetFileAttributesW(extended(given).c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return error_from_windows(what, ::GetLastError());
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0) {
    return error_from_windows(what, ERROR_DIRECTORY);
  }
  std::wstring usable = usable_directory(given);
  if (!usable.empty()) return usable;
  return Error{.code = ErrorCode::too_large,
               .message = what + ": the path is too long for a current directory"};
}

std::wstring_view name_of(std::wstring_view variable) {
  return variable.substr(0, variable.find(L'=', 1));  // names such as "=C:" begin with the sign
}

int compare_names(std::wstring_view a, std::wstring_view b) {
  return ::CompareStringOrdinal(a.data(), static_cast<int>(a.size()), b.data(),
                                static_cast<int>(b.size()), TRUE);
}

// Sorted by name without regard to case, as the system expects it; of two with one name the last.
Result<std::wstring> environment_block(const ProcessSpec& spec) {
  std::vector<std::wstring> variables;
  variables.reserve(spec.environment.size());
  for (const std::string& variable : spec.environment) {
    auto wide = to_wide(variable);
    if (!wide) return refusal(spec, "a variable is not UTF-8");
    variables.push_back(*std::move(wide));
  }
  std::stable_sort(variables.begin(), variables.end(), [](const auto& a, const auto& b) {
    return compare_names(name_of(a), name_of(b)) == CSTR_LESS_THAN;
  });
  std::wstring block;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_last_of_its_name =
        i + 1 == variables.size() ||
        compare_names(name_of(variables[i]), name_of(variables[i + 1])) != CSTR_EQUAL;
    if (is_last_of_its_name) block += variables[i] + L'\0';
  }
  if (block.empty()) block += L'\0';
  return block + L'\0';
}

Result<std::wstring> command_line(const ProcessSpec& spec) {
  auto wide = to_wide(windows_command_line(spec.argv));
  if (!wide) return refusal(spec, "an argument is not UTF-8");
  if (wide->size() > k_longest_command_line) return refusal(spec, "argument list too long");
  return *std::move(wide);
}

Result<Handle> make_job(const ProcessSpec& spec) {
  Handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  // Nothing may break away: that would take a limit flag which is not here. A crash ends a process
  // instead of showing a box that nobody will close.
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (!job.is_open() || !::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation,
                                                   &limits, sizeof limits)) {
    return error_from_windows("cannot start " + spec.argv[0], ::GetLastError());
  }
  return job;
}

// Which handles the child inherits, and the job it is born into: there is no moment at which it
// runs, or stands suspended, outside of the job.
class StartAttributes {
 public:
  StartAttributes(const ChildStreams& streams, HANDLE job) : job_(job) {
    // The system refuses a handle that is named twice.
    handles_ = {streams.input, streams.output, streams.error_output};
    std::sort(handles_.begin(), handles_.end());
    handles_.erase(std::unique(handles_.begin(), handles_.end()), handles_.end());
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, 2, 0, &size);
    memory_ = std::make_unique<std::byte[]>(size);
    initialised_ = ::InitializeProcThreadAttributeList(list(), 2, 0, &size);
    usable_ =
        initialised_ &&
        ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                    handles_.size() * sizeof(HANDLE), nullptr, nullptr) &&
        ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_JOB_LIST, &job_, sizeof job_,
                                    nullptr, nullptr);
  }
  StartAttributes(const StartAttributes&) = delete;
  StartAttributes& operator=(const StartAttributes&) = delete;
  ~StartAttributes() {
    if (initialised_) ::DeleteProcThreadAttributeList(list());
  }

  bool usable() const { return usable_; }
  LPPROC_THREAD_ATTRIBUTE_LIST list() const {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.get());
  }

 private:
  HANDLE job_;
  std::vector<HANDLE> handles_;
  std::unique_ptr<std::byte[]> memory_;
  bool initialised_ = false;
  bool usable_ = false;
};

}  // namespace

Result<void> check_child(const ProcessSpec& spec) {
  if (spec.argv.empty()) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "cannot start a process: no command given"};
  }
  if (spec.sandbox) return refusal(spec, "there is no sandbox for commands on Windows");
  if (!is_absolute_windows_path(spec.argv[0])) return refusal(spec, "not an absolute path");
  if (is_batch_file(spec.argv[0])) return refusal(spec, "a batch file; run it with cmd.exe");
  if (std::any_of(spec.argv.begin(), spec.argv.end(), has_nul)) {
    return refusal(spec, "NUL byte in an argument");
  }
  if (std::any_of(spec.environment.begin(), spec.environment.end(), has_nul)) {
    return refusal(spec, "NUL byte in a variable");
  }
  if (spec.cwd.native().find(L'\0') != std::wstring::npos) return refusal(spec, "NUL byte in cwd");
  return {};
}

Result<Child> start_child(const ProcessSpec& spec, const ChildStreams& streams, Console console) {
  const std::string what = "cannot start " + spec.argv[0];
  YUME_TRY(const std::wstring directory, find_directory(spec));
  YUME_TRY(std::wstring environment, environment_block(spec));
  YUME_TRY(std::wstring line, command_line(spec));
  const auto application = to_wide(extended_windows_path(spec.argv[0]));
  if (!application) return refusal(spec, "its path is not UTF-8");
  YUME_TRY(Handle job, make_job(spec));
  const StartAttributes attributes(streams, job.get());
  if (!attributes.usable()) return error_from_windows(what, ::GetLastError());

  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = streams.input;
  startup.StartupInfo.hStdOutput = streams.output;
  startup.StartupInfo.hStdError = streams.error_output;
  startup.lpAttributeList = attributes.list();
  const DWORD window = console == Console::hidden ? CREATE_NO_WINDOW : 0;
  const DWORD flags = CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT | window;
  PROCESS_INFORMATION started{};
  if (!::CreateProcessW(application->c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                        environment.data(), directory.c_str(), &startup.StartupInfo, &started)) {
    return error_from_windows(what, ::GetLastError());
  }
  ::CloseHandle(started.hThread);
  return Child{.job = std::move(job), .process = Handle(started.hProcess)};
}

DWORD count_processes(const Handle& job) {
  JOBOBJECT_BASIC_ACCOUNTING_INFORMATION accounting{};
  const bool known = ::QueryInformationJobObject(job.get(), JobObjectBasicAccountingInformation,
                                                 &accounting, sizeof accounting, nullptr);
  return known ? accounting.ActiveProcesses : 0;
}

}  // namespace yume::platform
