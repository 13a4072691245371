// SPDX-License-Identifier: MIT
#include "platform/file_status_win32.h"

#include <algorithm>

#include "platform/system_path_win32.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr DWORD k_everybody = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
constexpr std::size_t k_largest_piece = 1U << 30U;

std::int64_t since_epoch(FILETIME time) {
  constexpr std::int64_t k_epoch = 116'444'736'000'000'000;  // 1970, in 100 ns since 1601
  const auto ticks = static_cast<std::int64_t>(
      (static_cast<std::uint64_t>(time.dwHighDateTime) << 32U) | time.dwLowDateTime);
  return (ticks - k_epoch) * 100;
}

OVERLAPPED at_offset(std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset & 0xFFFFFFFFU);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  return place;
}

}  // namespace

FileKind kind_of_attributes(DWORD attributes, DWORD reparse_tag) {
  // Others (files kept in a cloud, compressed ones) are read as what they look like.
  const bool link =
      (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsReparseTagNameSurrogate(reparse_tag);
  if (link) return FileKind::symlink;
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return FileKind::directory;
  if ((attributes & FILE_ATTRIBUTE_DEVICE) != 0) return FileKind::other;
  return FileKind::regular;
}

Result<FileStatus> status_of_open(const Handle& file, std::string_view what) {
  BY_HANDLE_FILE_INFORMATION known{};
  if (!file.is_open() || ::GetFileInformationByHandle(file.get(), &known) == 0) {
    return error_from_windows(what, ::GetLastError());
  }
  DWORD tag = 0;
  if ((known.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    FILE_ATTRIBUTE_TAG_INFO tagged{};
    const bool told = ::GetFileInformationByHandleEx(file.get(), FileAttributeTagInfo, &tagged,
                                                     sizeof tagged) != 0;
    tag = told ? tagged.ReparseTag : IO_REPARSE_TAG_MOUNT_POINT;
  }
  const bool disk = ::GetFileType(file.get()) == FILE_TYPE_DISK;
  FileStatus status{
      .info = {.kind = disk ? kind_of_attributes(known.dwFileAttributes, tag) : FileKind::other,
               .size =
                   (static_cast<std::uint64_t>(known.nFileSizeHigh) << 32U) | known.nFileSizeLow,
               .modified_ns = since_epoch(known.ftLastWriteTime),
               .inode =
                   (static_cast<std::uint64_t>(known.nFileIndexHigh) << 32U) | known.nFileIndexLow,
               .hard_links = known.nNumberOfLinks},
      .attributes = known.dwFileAttributes,
      .volume = known.dwVolumeSerialNumber};
  return status;
}

Handle open_shared(const fs::path& path, DWORD access, Links links) {
  const DWORD flags = FILE_FLAG_BACKUP_SEMANTICS |
                      (links == Links::not_followed ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
  return Handle(::CreateFileW(system_path(path).c_str(), access, k_everybody, nullptr,
                              OPEN_EXISTING, flags, nullptr));
}

Result<FileStatus> status_of(std::string_view verb, const fs::path& path, Links links) {
  const Handle file = open_shared(path, FILE_READ_ATTRIBUTES, links);
  return status_of_open(file, cannot(verb, path));
}

Result<std::size_t> read_handle_at(const Handle& file, std::uint64_t offset, std::span<char> into,
                                   std::string_view what) {
  std::size_t used = 0;
  while (used < into.size()) {
    OVERLAPPED place = at_offset(offset + used);
    const auto room = static_cast<DWORD>(std::min(into.size() - used, k_largest_piece));
    DWORD got = 0;
    if (::ReadFile(file.get(), into.data() + used, room, &got, &place) == 0) {
      if (::GetLastError() == ERROR_HANDLE_EOF) break;
      return error_from_windows(what, ::GetLastError());
    }
    if (got == 0) break;
    used += got;
  }
  return used;
}

Result<void> write_handle_at(const Handle& file, std::uint64_t offset, std::string_view bytes,
                             std::string_view what) {
  while (!bytes.empty()) {
    OVERLAPPED place = at_offset(offset);
    const auto piece = static_cast<DWORD>(std::min(bytes.size(), k_largest_piece));
    DWORD written = 0;
    if (::WriteFile(file.get(), bytes.data(), piece, &written, &place) == 0) {
      return error_from_windows(what, ::GetLastError());
    }
    bytes.remove_prefix(written);
    offset += written;
  }
  return {};
}

Result<void> write_handle(const Handle& file, std::string_view bytes, std::string_view what) {
  while (!bytes.empty()) {
    const auto piece = static_cast<DWORD>(std::min(bytes.size(), k_largest_piece));
    DWORD written = 0;
    if (::WriteFile(file.get(), bytes.data(), piece, &written, nullptr) == 0) {
      return error_from_windows(what, ::GetLastError());
    }
    bytes.remove_prefix(written);
  }
  return {};
}

}  // namespace yume::platform
