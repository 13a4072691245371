// SPDX-License-Identifier: MIT
#include "tools/file_memory.h"

namespace yume::tools {
namespace {

// FNV-1a with the length mixed in: detects change, defends against nobody.
std::uint64_t fingerprint(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL ^ bytes.size();
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  }
  return hash;
}

}  // namespace

void FileMemory::remember(const std::filesystem::path& real_path, std::string_view bytes) {
  const std::uint64_t hash = fingerprint(bytes);
  const std::lock_guard lock(mutex_);
  seen_[real_path] = hash;
}

Knowledge FileMemory::check(const std::filesystem::path& real_path, std::string_view bytes) const {
  const std::uint64_t hash = fingerprint(bytes);
  const std::lock_guard lock(mutex_);
  const auto found = seen_.find(real_path);
  if (found == seen_.end()) return Knowledge::never_seen;
  return found->second == hash ? Knowledge::current : Knowledge::changed;
}

}  // namespace yume::tools
