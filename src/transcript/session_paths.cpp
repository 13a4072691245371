// SPDX-License-Identifier: MIT
#include "transcript/session_paths.h"

#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_longest_key = 200;
constexpr std::size_t k_longest_id = 128;

bool is_plain(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::u16string utf16(std::string_view text) {
  std::u16string units;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    const char32_t code = character.code_point;
    if (code >= 0x10000) {
      units.push_back(static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10)));
      units.push_back(static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF)));
    } else {
      units.push_back(static_cast<char16_t>(code));
    }
    at += character.length;
  }
  return units;
}

std::string base36(std::uint64_t number) {
  std::string digits;
  do {
    digits.push_back("0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]);
    number /= 36;
  } while (number > 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// The readers' own hash: h * 31 + unit in 32 bits, its absolute value in base 36.
std::string hash_of(const std::u16string& units) {
  std::uint32_t hash = 0;
  for (const char16_t unit : units) hash = hash * 31 + unit;
  const auto value = static_cast<std::int64_t>(static_cast<std::int32_t>(hash));
  return base36(static_cast<std::uint64_t>(std::llabs(value)));
}

}  // namespace

std::string project_key(const fs::path& cwd) {
  const std::u16string units = utf16(to_utf8(cwd));
  std::string key;
  for (const char16_t unit : units) {
    const bool plain = is_plain(static_cast<char32_t>(unit));
    key.push_back(plain ? static_cast<char>(unit) : '-');
  }
  if (key.size() <= k_longest_key) return key;
  return key.substr(0, k_longest_key) + "-" + hash_of(units);
}

bool is_session_id(std::string_view id) {
  return !id.empty() && id.size() <= k_longest_id && std::all_of(id.begin(), id.end(), [](char c) {
    return is_plain(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  });
}

fs::path projects_directory(const fs::path& root) {
  return root / "projects";
}

fs::path session_file(const fs::path& root, const fs::path& cwd, std::string_view id) {
  return projects_directory(root) / project_key(cwd) / (std::string(id) + ".jsonl");
}

fs::path views_folder(const fs::path& yume_root) {
  return yume_root / "sessions" / "gemini";
}

fs::path session_folder(const fs::path& file) {
  return file.parent_path() / file.stem();
}

fs::path subagents_folder(const fs::path& file) {
  return session_folder(file) / "subagents";
}

fs::path subagent_file(const fs::path& file, std::string_view agent_id) {
  return subagents_folder(file) / ("agent-" + std::string(agent_id) + ".jsonl");
}

fs::path tool_results_folder(const fs::path& file) {
  return session_folder(file) / "tool-results";
}

}  // namespace yume::transcript
