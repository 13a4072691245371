// SPDX-License-Identifier: MIT
#include "tools/search/grep_run.h"

#include "tools/escaped_path.h"

#include <algorithm>
#include <utility>

namespace yume::tools::search {
namespace {

constexpr std::size_t k_most_kept_lines = 20'000;

void sort_by_path(std::vector<FileHits>& files) {
  std::sort(files.begin(), files.end(), [](const FileHits& left, const FileHits& right) {
    return path_less(left.path, right.path);
  });
}

// One thread's share: its searcher and what it found.
struct Worker {
  explicit Worker(FileSearch own_search) : search(std::move(own_search)) {}

  void add(FileHits hits, std::size_t most) {
    kept_lines += hits.lines.size();
    (hits.lines.empty() ? counted : found).push_back(std::move(hits));
    if (kept_lines > keep_until) drop_lines_beyond(most);
  }

  // Only the first lines by path will be shown: those behind them are no longer needed.
  void drop_lines_beyond(std::size_t most) {
    sort_by_path(found);
    kept_lines = 0;
    auto file = found.begin();
    for (; file != found.end() && kept_lines < most; ++file) kept_lines += file->lines.size();
    if (file != found.end()) only_counted_from = file->path;
    for (auto dropped = file; dropped != found.end(); ++dropped) {
      dropped->lines = {};
      counted.push_back(std::move(*dropped));
    }
    found.erase(file, found.end());
    keep_until = std::max(k_most_kept_lines, kept_lines * 2);
  }

  [[nodiscard]] bool only_counts(const std::string& path) const {
    return !only_counted_from.empty() && !path_less(path, only_counted_from);
  }

  FileSearch search;
  std::vector<FileHits> found;
  std::vector<FileHits> counted;  // without their lines
  std::string only_counted_from;  // this path and all behind it; empty: none yet
  std::size_t kept_lines = 0;
  std::size_t keep_until = k_most_kept_lines;
};

class GrepVisitor final : public FileVisitor {
 public:
  GrepVisitor(const GrepQuery& query, const SearchRoot& root, const Budget& budget)
      : query_(query), root_(root), budget_(budget) {}

  Result<void> add_workers(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      auto matcher = Matcher::compile(query_.pattern, query_.options);
      if (!matcher.ok()) return std::move(matcher).error();
      workers_.emplace_back(FileSearch(std::move(matcher).value(), query_.options.multiline));
    }
    return {};
  }

  void visit(std::size_t index, const VisitedFile& visited) override {
    auto file = visited.directory.open_file(visited.name);
    if (!file.ok()) return;
    Worker& worker = workers_[index];
    const bool shows_path = query_.wanted == Wanted::lines && root_.file.empty();
    LinePrinter printer(query_.style, shows_path ? escaped_path(root_.prefix + visited.path) : "");
    // One line for each match: then their number is all that is to be known.
    const bool counts = query_.wanted == Wanted::lines && !printer.wants_context() &&
                        !printer.only_matching() && !query_.options.multiline &&
                        worker.only_counts(visited.path);
    FileHits hits;
    hits.matching_lines =
        worker.search.search(**file, counts ? Wanted::count : query_.wanted, printer, budget_);
    if (hits.matching_lines == 0) return;
    hits.path = visited.path;
    hits.line_count = counts ? hits.matching_lines : printer.line_count();
    hits.lines = printer.take_lines();
    if (query_.wanted == Wanted::whether) {
      const auto info = visited.directory.info(visited.name);
      if (info.ok()) hits.modified_ns = info->modified_ns;
    }
    worker.add(std::move(hits), query_.style.most_lines);
  }

  std::vector<FileHits> take_all() {
    std::vector<FileHits> all;
    for (Worker& worker : workers_) {
      std::move(worker.found.begin(), worker.found.end(), std::back_inserter(all));
      std::move(worker.counted.begin(), worker.counted.end(), std::back_inserter(all));
    }
    sort_by_path(all);
    return all;
  }

 private:
  const GrepQuery& query_;
  const SearchRoot& root_;
  const Budget& budget_;
  std::vector<Worker> workers_;
};

}  // namespace

Result<GrepHits> run_grep(const GrepQuery& query, const SearchRoot& root, WalkSettings settings,
                          const ToolContext& context) {
  const Budget budget(context.clock, k_longest_search, context.cancel);
  GrepVisitor visitor(query, root, budget);
  settings.threads = root.file.empty() ? usual_threads() : 1;
  if (auto added = visitor.add_workers(settings.threads); !added.ok()) {
    return std::move(added).error();
  }
  YUME_TRY(const auto tree, context.files.open_tree(root.directory.real));
  bool complete = true;
  if (root.file.empty()) {
    add_ignore_files(settings, root, context);
    complete = walk(*tree, settings, budget, visitor);
  } else {
    YUME_TRY(const auto directory, tree->open_directory(""));
    // In a tree what cannot be read is passed over; the only file must not be.
    YUME_TRY([[maybe_unused]] const auto readable,
             context.files.open_real(root.directory.real / root.file));
    visitor.visit(0, {.directory = *directory, .name = root.file, .path = root.file});
  }
  return GrepHits{.files = visitor.take_all(), .complete = complete && !budget.spent()};
}

}  // namespace yume::tools::search
