// SPDX-License-Identifier: MIT
#include "platform/system_path_win32.h"

#include "platform/windows_path.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

std::wstring system_path(const fs::path& path) {
  std::error_code failed;
  fs::path absolute = path.is_absolute() ? path : fs::current_path(failed) / path;
  absolute = absolute.lexically_normal().make_preferred();
  std::wstring text = absolute.native();
  if (text.starts_with(LR"(\\?\)") || text.starts_with(LR"(\\.\)")) return text;
  while (text.size() > 3 && text.ends_with(L'\\')) text.pop_back();
  if (text.starts_with(LR"(\\)")) return LR"(\\?\UNC)" + text.substr(1);
  return LR"(\\?\)" + text;
}

fs::path path_of_system(std::wstring_view text) {
  constexpr std::wstring_view k_network = LR"(\\?\UNC\)";
  constexpr std::wstring_view k_prefix = LR"(\\?\)";
  if (text.starts_with(k_network)) return LR"(\\)" + std::wstring(text.substr(k_network.size()));
  if (text.starts_with(k_prefix)) text.remove_prefix(k_prefix.size());
  return std::wstring(text);
}

std::string cannot(std::string_view verb, const fs::path& path) {
  return "cannot " + std::string(verb) + " " + to_utf8(path);
}

Result<void> check_path(std::string_view verb, const fs::path& path) {
  const auto refuse = [verb](const fs::path& named, const std::string& why) {
    return Error{.code = ErrorCode::invalid_argument, .message = cannot(verb, named) + ": " + why};
  };
  if (path.empty()) return refuse("\"\"", "the path is empty");
  const std::wstring& native = path.native();
  const std::size_t nul = native.find(L'\0');
  if (nul != std::wstring::npos) {
    return refuse(native.substr(0, nul), "the path contains a NUL byte");
  }
  if (const auto why = why_unusable_windows_path(to_utf8(path))) return refuse(path, *why);
  return {};
}

fs::path name_of_open(const Handle& file) {
  std::wstring name(512, L'\0');
  for (;;) {
    const DWORD length = ::GetFinalPathNameByHandleW(
        file.get(), name.data(), static_cast<DWORD>(name.size()), VOLUME_NAME_DOS);
    if (length == 0) return {};
    const bool fits = length < name.size();
    name.resize(length);
    if (fits) return path_of_system(name);
  }
}

bool same_name(std::wstring_view left, std::wstring_view right) {
  return ::CompareStringOrdinal(left.data(), static_cast<int>(left.size()), right.data(),
                                static_cast<int>(right.size()), TRUE) == CSTR_EQUAL;
}

}  // namespace yume::platform
