// SPDX-License-Identifier: MIT
#include "agent/instruction_files.h"

#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace yume::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_file_limit = 10'000;   // bytes of one instruction file
constexpr std::size_t k_total_limit = 32'000;  // bytes of all of them
constexpr std::size_t k_smallest_piece = 100;  // less of a file says nothing
constexpr std::size_t k_largest_file = 4U << 20U;
constexpr std::array k_names = {"CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md", "AGENTS.md"};
constexpr std::string_view k_over_limit = "[left out: over the size limit]";

std::string cut(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  return std::string(utf8_prefix(text, limit)) + "\n[truncated]";
}

struct Place {
  fs::path directory;
  InstructionSource source = InstructionSource::project;
};

// The nearest first, the home directory last: what is nearest counts most, and the limit is spent
// from there.
std::vector<Place> places_of(const InstructionSearch& search) {
  std::vector<Place> places;
  for (fs::path at = search.cwd; !at.empty(); at = at.parent_path()) {
    if (at != search.home) places.push_back({.directory = at});
    if (at == at.root_path()) break;
  }
  if (!search.home.empty()) {
    places.push_back({.directory = search.home, .source = InstructionSource::user});
  }
  return places;
}

bool lies_in(const fs::path& path, const fs::path& directory) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first ==
         directory.end();
}

bool is_trusted(const platform::FileOwner& owner) {
  return owner.is_self || owner.is_root;
}

// Why this user cannot be sure whose words these are; nothing: they can.
std::optional<std::string> doubt_about(const platform::OpenFile& file,
                                       const platform::FileOwner& folder) {
  if (!is_trusted(file.owner())) return "it belongs to another user";
  if (folder.is_self || !folder.others_may_write) return std::nullopt;
  if (!folder.is_root) return "everybody can write to its folder, which belongs to another user";
  if (file.info().hard_links > 1) {
    return "it has a second name, and everybody can write to its folder";
  }
  return std::nullopt;
}

// Up to one byte more than may be used.
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

class Search {
 public:
  Search(const InstructionSearch& settings, const platform::FileSystem& files)
      : settings_(settings), files_(files) {}

  Instructions run() {
    for (const Place& place : places_of(settings_)) {
      const auto tree = files_.real_path(place.directory);
      if (!tree.ok()) continue;
      // From last to first, since the whole list is turned round at the end.
      for (auto name = k_names.rbegin(); name != k_names.rend(); ++name) {
        look_at(place, *tree, place.directory / *name);
      }
    }
    std::reverse(found_.files.begin(), found_.files.end());
    std::reverse(found_.left_out.begin(), found_.left_out.end());
    return std::move(found_);
  }

 private:
  void look_at(const Place& place, const fs::path& tree, const fs::path& path);
  void take(const Place& place, const fs::path& path, platform::OpenFile& file);
  [[nodiscard]] bool is_hidden(const fs::path& path) const;
  void leave_out(const fs::path& path, std::string reason,
                 LeftOut::Why why = LeftOut::Why::suspect) {
    found_.left_out.push_back({.path = path, .reason = std::move(reason), .why = why});
  }

  const InstructionSearch& settings_;
  const platform::FileSystem& files_;
  Instructions found_;
  std::set<fs::path> taken_;  // CLAUDE.md is often a link to AGENTS.md
  std::size_t total_ = 0;
};

bool Search::is_hidden(const fs::path& path) const {
  if (!settings_.hides) return false;
  const std::vector<fs::path> names = files_.names_of(path);
  return std::any_of(names.begin(), names.end(), settings_.hides);
}

void Search::look_at(const Place& place, const fs::path& tree, const fs::path& path) {
  const auto info = files_.info(path);
  if (!info.ok()) return;
  const auto real = files_.real_path(path);
  if (!real.ok() || taken_.contains(*real)) return;
  if (!lies_in(*real, tree)) {
    return leave_out(path, "it is a link to " + to_utf8(*real) + ", outside its own folder");
  }
  if (is_hidden(path)) {
    return leave_out(path, "reading it is not allowed", LeftOut::Why::hidden);
  }
  const auto opened = files_.open_real(*real);
  if (!opened.ok()) {
    // A directory of that name is nobody's attempt at instructions.
    if (info->kind != platform::FileKind::directory) leave_out(path, opened.error().message);
    return;
  }
  const auto folder = files_.owner_of(real->parent_path());
  if (!folder.ok()) return leave_out(path, folder.error().message);
  if (auto doubt = doubt_about(**opened, *folder)) return leave_out(path, *std::move(doubt));
  taken_.insert(*real);
  take(place, path, **opened);
}

void Search::take(const Place& place, const fs::path& path, platform::OpenFile& file) {
  const std::size_t room = k_total_limit - std::min(total_, k_total_limit);
  std::string text(k_over_limit);
  if (file.info().size <= k_largest_file && room >= k_smallest_piece) {
    auto bytes = read_beginning(file, k_file_limit);
    if (!bytes.ok()) return leave_out(path, bytes.error().message);
    if (bytes->empty()) return;
    text = cut(to_valid_utf8(*bytes), std::min(k_file_limit, room));
  }
  total_ += text.size();
  found_.files.push_back({.path = path, .text = std::move(text), .source = place.source});
}

}  // namespace

Instructions find_instructions(const InstructionSearch& search, const platform::FileSystem& files) {
  return Search(search, files).run();
}

}  // namespace yume::agent
