// SPDX-License-Identifier: MIT
#include "platform/access.h"

#include <string>

#include "platform/file_status_win32.h"
#include "platform/system_path_win32.h"
#include "util/ascii.h"
#include "util/path_text.h"
#include "util/uuid.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_probe_bytes = 64U << 10U;  // a disk without so much room is full

// The system removes the file when its handle is closed, also by a kill.
Result<void> try_to_write(const fs::path& directory) {
  const std::string what = "cannot write to " + to_utf8(directory);
  const fs::path path = directory / (".yume-probe-" + random_hex(16));
  const Handle file(::CreateFileW(system_path(path).c_str(), GENERIC_WRITE | DELETE,
                                  FILE_SHARE_DELETE, nullptr, CREATE_NEW,
                                  FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr));
  if (!file.is_open()) return error_from_windows(what, ::GetLastError());
  return write_handle(file, std::string(k_probe_bytes, '\0'), what);
}

}  // namespace

bool is_executable_file(const fs::path& path) {
  if (!check_path("run", path).ok()) return false;
  const auto status = status_of("run", path, Links::followed);
  if (!status.ok() || status->info.kind != FileKind::regular) return false;
  const std::string extension = ascii_upper(to_utf8(path.extension()));
  return extension == ".EXE" || extension == ".COM" || extension == ".BAT" || extension == ".CMD";
}

Result<void> check_writable_directory(const fs::path& directory) {
  if (const auto checked = check_path("use", directory); !checked) return checked.error();
  fs::path existing = directory;
  for (;;) {
    const auto status = status_of("use", existing, Links::followed);
    if (status.ok() && status->info.kind == FileKind::directory) return try_to_write(existing);
    if (status.ok()) return error_from_windows(cannot("use", existing), ERROR_DIRECTORY);
    const bool missing =
        status.error().code == ErrorCode::not_found && existing.has_relative_path();
    if (!missing) return status.error();
    existing = existing.parent_path();
  }
}

}  // namespace yume::platform
