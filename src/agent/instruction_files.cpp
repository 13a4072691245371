// SPDX-License-Identifier: MIT
#include "agent/instruction_files.h"

#include "config/guarded_file.h"
#include "util/at_mentions.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <iterator>
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
constexpr int k_deepest_import = 5;
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

// `@~/x` begins at the home directory, all else where the file lies that imports it.
fs::path imported_path(const std::string& named, const fs::path& folder, const fs::path& home) {
  if (named.starts_with("~/") && !home.empty()) return home / path_from_utf8(named.substr(2));
  return (folder / path_from_utf8(named)).lexically_normal();
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
  // What a file says, and what those say that it imports, in this order.
  using Found = std::vector<InstructionFile>;

  void look_at(const Place& place, const fs::path& tree, const fs::path& path);
  void add(const Place& place, const fs::path& tree, const fs::path& path, int depth, Found& found);
  void add_imports(const Place& place, const fs::path& tree, const InstructionFile& file, int depth,
                   Found& found);
  std::optional<std::string> take(const fs::path& path, platform::OpenFile& file);
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

void Search::look_at(const Place& place, const fs::path& tree, const fs::path& path) {
  Found found;
  add(place, tree, path, 0, found);
  // The whole list is turned round at the end.
  std::move(found.rbegin(), found.rend(), std::back_inserter(found_.files));
}

void Search::add(const Place& place, const fs::path& tree, const fs::path& path, int depth,
                 Found& found) {
  const config::GuardedFile guarded =
      config::open_guarded(path, {.tree = tree, .hides = settings_.hides}, files_);
  if (guarded.real.empty() || taken_.contains(guarded.real)) return;
  if (guarded.file == nullptr) {
    using Why = config::Unreadable::Why;
    const config::Unreadable& refusal = guarded.refusal;
    if (refusal.why == Why::absent) return;
    return leave_out(path, refusal.reason,
                     refusal.why == Why::hidden ? LeftOut::Why::hidden : LeftOut::Why::suspect);
  }
  taken_.insert(guarded.real);
  auto text = take(path, *guarded.file);
  if (!text) return;
  found.push_back({.path = path, .text = *std::move(text), .source = place.source});
  const InstructionFile importing = found.back();
  if (depth < k_deepest_import) add_imports(place, tree, importing, depth, found);
}

// A project's files import only what lies in its own folder: what a stranger has written must not
// fetch the user's other files.
void Search::add_imports(const Place& place, const fs::path& tree, const InstructionFile& file,
                         int depth, Found& found) {
  for (const AtMention& mention : find_mentions(file.text, CodeBlocks::are_skipped)) {
    for (const NamedPath& named : mention) {
      const fs::path path = imported_path(named.path, file.path.parent_path(), settings_.home);
      const auto info = files_.info(path);
      if (!info.ok() || info->kind != platform::FileKind::regular) continue;
      add(place, tree, path, depth + 1, found);
      break;
    }
  }
}

// Nothing when it is empty or cannot be read.
std::optional<std::string> Search::take(const fs::path& path, platform::OpenFile& file) {
  const std::size_t room = k_total_limit - std::min(total_, k_total_limit);
  std::string text(k_over_limit);
  if (file.info().size <= k_largest_file && room >= k_smallest_piece) {
    auto bytes = config::read_beginning(file, k_file_limit);
    if (!bytes.ok()) {
      leave_out(path, bytes.error().message);
      return std::nullopt;
    }
    if (bytes->empty()) return std::nullopt;
    text = cut(to_valid_utf8(*bytes), std::min(k_file_limit, room));
  }
  total_ += text.size();
  return text;
}

}  // namespace

Instructions find_instructions(const InstructionSearch& search, const platform::FileSystem& files) {
  return Search(search, files).run();
}

}  // namespace yume::agent
