// SPDX-License-Identifier: MIT
#include "golden/runner/system_path.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace yume::golden {
namespace {

namespace fs = std::filesystem;

class SafePath {
 public:
  SafePath() {
    const char* path = ::getenv("PATH");
    std::istringstream entries(path == nullptr ? "" : path);
    std::set<fs::path> seen;  // /bin is often /usr/bin
    for (std::string entry; std::getline(entries, entry, ':');) {
      std::error_code missing;
      const fs::path real = fs::canonical(entry, missing);
      if (missing || !seen.insert(real).second) continue;
      const bool has_gcloud = fs::exists(real / "gcloud");
      value_.append(value_.empty() ? "" : ":").append(has_gcloud ? shadow(entry) : entry);
    }
  }
  SafePath(const SafePath&) = delete;
  SafePath& operator=(const SafePath&) = delete;
  ~SafePath() {
    std::error_code ignored;
    for (const fs::path& folder : folders_) fs::remove_all(folder, ignored);
  }

  const std::string& value() const { return value_; }

 private:
  std::string shadow(const fs::path& directory) {
    std::string pattern = (fs::temp_directory_path() / "golden-path-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("cannot make a folder like " + pattern);
    }
    folders_.emplace_back(pattern);
    for (const fs::directory_entry& program : fs::directory_iterator(directory)) {
      const fs::path name = program.path().filename();
      if (name != "gcloud") fs::create_symlink(program.path(), folders_.back() / name);
    }
    return pattern;
  }

  std::vector<fs::path> folders_;
  std::string value_;
};

}  // namespace

const std::string& path_without_gcloud() {
  static const SafePath path;
  return path.value();
}

}  // namespace yume::golden
