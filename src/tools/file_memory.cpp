// SPDX-License-Identifier: MIT
#include "tools/file_memory.h"

#include <utility>

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
  const auto [known, fresh] = seen_.try_emplace(real_path, hash);
  if (!fresh && known->second == hash) return;
  known->second = hash;
  news_[real_path.string()] = hash;
}

void FileMemory::restore(const std::map<std::string, std::uint64_t>& known) {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, hash] : known) seen_[path] = hash;
}

std::map<std::string, std::uint64_t> FileMemory::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

std::vector<std::string> FileMemory::known_files() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths;
  for (const auto& [path, hash] : seen_) paths.push_back(path.string());
  return paths;
}

Knowledge FileMemory::check(const std::filesystem::path& real_path, std::string_view bytes) const {
  const std::uint64_t hash = fingerprint(bytes);
  const std::lock_guard lock(mutex_);
  const auto found = seen_.find(real_path);
  if (found == seen_.end()) return Knowledge::never_seen;
  return found->second == hash ? Knowledge::current : Knowledge::changed;
}

}  // namespace yume::tools
