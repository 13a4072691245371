// SPDX-License-Identifier: MIT
#include "tools/file_memory.h"

namespace yume::tools {
namespace {

std::uint64_t fingerprint(std::string_view bytes) {
  ContentHash content;
  content.add(bytes);
  return content.value();
}

}  // namespace

// FNV-1a.
void ContentHash::add(std::string_view bytes) {
  for (const char byte : bytes) {
    hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  }
  size_ += bytes.size();
}

void FileMemory::remember(const std::filesystem::path& real_path, std::string_view bytes) {
  const std::uint64_t hash = fingerprint(bytes);
  const std::lock_guard lock(mutex_);
  seen_[real_path] = hash;
}

void FileMemory::remember(const std::filesystem::path& real_path, const ContentHash& content) {
  const std::lock_guard lock(mutex_);
  seen_[real_path] = content.value();
}

Knowledge FileMemory::check(const std::filesystem::path& real_path, std::string_view bytes) const {
  const std::uint64_t hash = fingerprint(bytes);
  const std::lock_guard lock(mutex_);
  const auto found = seen_.find(real_path);
  if (found == seen_.end()) return Knowledge::never_seen;
  return found->second == hash ? Knowledge::current : Knowledge::changed;
}

}  // namespace yume::tools
