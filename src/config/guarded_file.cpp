// SPDX-License-Identifier: MIT
#include "config/guarded_file.h"

#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace yume::config {
namespace {

namespace fs = std::filesystem;
using Why = Unreadable::Why;

bool lies_in(const fs::path& path, const fs::path& directory) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first ==
         directory.end();
}

// Why this user cannot be sure whose words these are; nothing: they can.
std::optional<std::string> doubt_about(const platform::OpenFile& file,
                                       const platform::FileOwner& folder) {
  if (!file.owner().is_self && !file.owner().is_root) return "it belongs to another user";
  if (folder.is_self || !folder.others_may_write) return std::nullopt;
  if (!folder.is_root) return "everybody can write to its folder, which belongs to another user";
  if (file.info().hard_links > 1) {
    return "it has a second name, and everybody can write to its folder";
  }
  return std::nullopt;
}

bool is_hidden(const fs::path& path, const FileGuard& guard, const platform::FileSystem& files) {
  if (!guard.hides) return false;
  const std::vector<fs::path> names = files.names_of(path);
  return std::any_of(names.begin(), names.end(), guard.hides);
}

GuardedFile refuse(fs::path real, Why why, std::string reason) {
  return {.real = std::move(real), .refusal = {.why = why, .reason = std::move(reason)}};
}

}  // namespace

GuardedFile open_guarded(const fs::path& path, const FileGuard& guard,
                         const platform::FileSystem& files) {
  const auto info = files.info(path);
  if (!info.ok()) return {};
  const auto resolved = files.real_path(path);
  if (!resolved.ok()) return {};
  const fs::path& real = *resolved;
  if (!guard.tree.empty() && !lies_in(real, guard.tree)) {
    return refuse(real, Why::suspect,
                  real == path.lexically_normal()
                      ? "it lies outside of the folder whose file names it"
                      : "it is a link to " + to_utf8(real) + ", outside its own folder");
  }
  if (is_hidden(path, guard, files)) return refuse(real, Why::hidden, "reading it is not allowed");
  auto opened = files.open_real(real);
  if (!opened.ok()) {
    // A directory of that name is nobody's attempt at a file.
    const bool directory = info->kind == platform::FileKind::directory;
    return refuse(real, directory ? Why::absent : Why::suspect, opened.error().message);
  }
  const auto folder = files.owner_of(real.parent_path());
  if (!folder.ok()) return refuse(real, Why::suspect, folder.error().message);
  if (auto doubt = doubt_about(**opened, *folder)) {
    return refuse(real, Why::suspect, *std::move(doubt));
  }
  return {.real = real, .file = std::move(opened).value()};
}

Result<std::string> read_beginning(platform::OpenFile& file, std::size_t limit) {
  std::string bytes;
  std::array<char, 4096> buffer;
  while (bytes.size() <= limit) {
    YUME_TRY(const std::size_t got, file.read(buffer));
    if (got == 0) break;
    bytes.append(buffer.data(), got);
  }
  return bytes;
}

std::optional<std::string> read_guarded(const fs::path& path, const FileGuard& guard,
                                        std::size_t limit, const platform::FileSystem& files) {
  const GuardedFile guarded = open_guarded(path, guard, files);
  if (guarded.file == nullptr) return std::nullopt;
  auto bytes = read_beginning(*guarded.file, limit);
  if (!bytes.ok() || bytes->size() > limit) return std::nullopt;
  return std::move(bytes).value();
}

}  // namespace yume::config
