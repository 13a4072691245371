// SPDX-License-Identifier: MIT
// Whether a word of a removal stands, or could stand, for a directory that must not go. The only
// look at the disk is at the names of files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "permissions/file_names.h"
#include "permissions/shell_text.h"

namespace yume::permissions {

class VitalPaths {
 public:
  VitalPaths(std::filesystem::path cwd, std::filesystem::path home, FileNames names = {});

  // `at`: where the shell stands, nullopt when that is unknown. Everything in a vital directory
  // (`~/*`) counts like the directory; so does a word that may turn out to be one (`"$DIR"`).
  [[nodiscard]] bool covers_contents(const ShellWord& word,
                                     const std::optional<std::filesystem::path>& at) const;
  // The same without contents: for moving away.
  [[nodiscard]] bool covers(const ShellWord& word,
                            const std::optional<std::filesystem::path>& at) const;
  // Where `cd word` leads; nullopt when only the shell knows.
  [[nodiscard]] std::optional<std::filesystem::path> directory_after(
      const std::string& word, const std::optional<std::filesystem::path>& at) const;

 private:
  enum class Patterns { contents_count, contents_do_not };
  [[nodiscard]] bool word_is_vital(const std::string& word, bool literal, Patterns patterns,
                                   const std::filesystem::path& at, int depth) const;
  [[nodiscard]] bool path_is_vital(std::string word, bool literal, Patterns patterns,
                                   const std::filesystem::path& at) const;
  [[nodiscard]] bool could_be_vital(const std::string& word, const std::filesystem::path& at) const;
  [[nodiscard]] bool is_vital(const std::filesystem::path& target) const;
  [[nodiscard]] bool leads_to_vital(const std::filesystem::path& target, bool into) const;

  std::filesystem::path cwd_;
  std::filesystem::path home_;
  FileNames names_;
  std::vector<std::filesystem::path> all_;
};

}  // namespace yume::permissions
