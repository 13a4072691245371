// SPDX-License-Identifier: MIT
#include "tools/file_memory.h"

#include <utility>

#include "util/path_text.h"

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
  ContentHash content;
  content.add(bytes);
  remember(real_path, content);
}

void FileMemory::remember(const std::filesystem::path& real_path, const ContentHash& content) {
  const std::uint64_t hash = content.value();
  const std::lock_guard lock(mutex_);
  const auto [known, fresh] = seen_.try_emplace(real_path, hash);
  if (!fresh && known->second == hash) return;
  known->second = hash;
  changes_[to_utf8(real_path)] = hash;
}

void FileMemory::restore(const std::map<std::string, std::uint64_t>& known) {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, hash] : known) seen_[path] = hash;
}

std::map<std::string, std::uint64_t> FileMemory::take_changes() {
  const std::lock_guard lock(mutex_);
  return std::exchange(changes_, {});
}

std::vector<std::string> FileMemory::known_files() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths;
  for (const auto& [path, hash] : seen_) paths.push_back(to_utf8(path));
  return paths;
}

Knowledge FileMemory::check(const std::filesystem::path& real_path, std::string_view bytes) const {
  const std::uint64_t hash = fingerprint(bytes);
  const std::lock_guard lock(mutex_);
  const auto found = seen_.find(real_path);
  if (found == seen_.end()) return Knowledge::never_seen;
  return found->second == hash ? Knowledge::current : Knowledge::changed;
}

void FileMemory::forget() {
  const std::lock_guard lock(mutex_);
  seen_.clear();
  changes_.clear();
}

}  // namespace yume::tools
