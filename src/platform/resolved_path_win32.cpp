// SPDX-License-Identifier: MIT
#include "platform/resolved_path_win32.h"

#include <winioctl.h>

#include <array>
#include <optional>
#include <utility>

#include "platform/path_walk.h"
#include "platform/system_path_win32.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

// What FSCTL_GET_REPARSE_POINT answers; the name is in a header for drivers.
struct ReparseHeader {
  DWORD tag;
  WORD length;
  WORD reserved;
  WORD target_offset;
  WORD target_length;
  WORD shown_offset;
  WORD shown_length;
};

// Where a link or junction leads, as it was written. nullopt: the system does not say.
std::optional<std::wstring> target_of(const fs::path& link) {
  const Handle file = open_shared(link, FILE_READ_ATTRIBUTES, Links::not_followed);
  std::array<char, MAXIMUM_REPARSE_DATA_BUFFER_SIZE> answer{};
  DWORD size = 0;
  if (!file.is_open() ||
      ::DeviceIoControl(file.get(), FSCTL_GET_REPARSE_POINT, nullptr, 0, answer.data(),
                        static_cast<DWORD>(answer.size()), &size, nullptr) == 0 ||
      size < sizeof(ReparseHeader)) {
    return std::nullopt;
  }
  ReparseHeader header{};
  std::copy_n(answer.data(), sizeof header, reinterpret_cast<char*>(&header));
  // A symbolic link has four bytes of flags before its names.
  const std::size_t names = sizeof header + (header.tag == IO_REPARSE_TAG_SYMLINK ? 4U : 0U);
  const std::size_t end = names + header.target_offset + header.target_length;
  const bool known =
      header.tag == IO_REPARSE_TAG_SYMLINK || header.tag == IO_REPARSE_TAG_MOUNT_POINT;
  if (!known || end > size) return std::nullopt;
  std::wstring target(header.target_length / sizeof(wchar_t), L'\0');
  std::copy_n(answer.data() + names + header.target_offset, header.target_length,
              reinterpret_cast<char*>(target.data()));
  if (target.starts_with(LR"(\??\)")) target = LR"(\\?\)" + target.substr(4);
  return target;
}

Result<Hop> read_link(const fs::path& asked, const fs::path& link) {
  const auto target = target_of(link);
  const std::string what = "cannot resolve " + to_utf8(asked) + ": " + to_utf8(link);
  if (!target) {
    return Error{.code = ErrorCode::permission_denied,
                 .message = what + " is a link, and the system does not say where it leads"};
  }
  const fs::path to = path_of_system(*target);
  const bool foreign = to.native().starts_with(LR"(\\)") || !check_path("follow", to).ok();
  if (foreign) {
    return Error{.code = ErrorCode::permission_denied,
                 .message = what + " leads to the network or to a device"};
  }
  const bool of_same_drive = to.has_root_directory() && !to.has_root_name();
  return Hop{Hop::Kind::link, of_same_drive ? link.root_name() / to : to};
}

// FindFirstFile takes a name in any form and tells the one that is kept, and what is there.
Result<Hop> look_at(const fs::path& asked, const fs::path& folder, const fs::path& name) {
  WIN32_FIND_DATAW found{};
  const HANDLE search = ::FindFirstFileW(system_path(folder / name).c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) {
    const DWORD reason = ::GetLastError();
    switch (reason) {
      case ERROR_FILE_NOT_FOUND:
      case ERROR_PATH_NOT_FOUND:
      case ERROR_DIRECTORY:
      case ERROR_NO_MORE_FILES:
        return Hop{.kind = Hop::Kind::missing};
      default:
        return error_from_windows("cannot resolve " + to_utf8(asked), reason);
    }
  }
  ::FindClose(search);
  if (kind_of_attributes(found.dwFileAttributes, found.dwReserved0) == FileKind::symlink) {
    return read_link(asked, folder / found.cFileName);
  }
  return Hop{Hop::Kind::entry, found.cFileName};
}

Walked walk(const fs::path& path) {
  return walk_path(path, [&path](const fs::path& folder, const fs::path& name) {
    return look_at(path, folder, name);
  });
}

}  // namespace

std::vector<fs::path> names_on_the_way(const fs::path& path) {
  return all_names(path, walk(path));
}

Result<fs::path> resolve_links(const fs::path& path) {
  return walk(path).real;
}

Result<void> check_opened(const Handle& file, const fs::path& real_path, std::string_view what) {
  const fs::path name = name_of_open(file);
  if (name.empty()) return {};  // a file system that does not say
  // A drive may be another name for a folder, or for a share.
  const Handle root = open_shared(real_path.root_path(), FILE_READ_ATTRIBUTES, Links::followed);
  const fs::path top = name_of_open(root);
  const fs::path wanted = (top.empty() ? real_path.root_path() : top) / real_path.relative_path();
  if (same_name(fs::path(name).make_preferred().native(),
                fs::path(wanted).make_preferred().native())) {
    return {};
  }
  return Error{.code = ErrorCode::permission_denied,
               .message = std::string(what) +
                          ": a symbolic link is in the way that was not there when the path was "
                          "judged"};
}

}  // namespace yume::platform
