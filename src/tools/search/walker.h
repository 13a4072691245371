// SPDX-License-Identifier: MIT
// Visits the files below a directory with several threads: ignore rules, hidden names, globs and
// file types as ripgrep has them by default. Symbolic links are not followed, nor visited. The
// order of visits is accidental; whoever collects results sorts them.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "platform/clock.h"
#include "platform/file_system.h"
#include "tools/search/file_types.h"
#include "tools/search/ignore_stack.h"
#include "util/cancel.h"

namespace yume::tools::search {

// When to give up. Any thread may ask; cheap enough for every file.
class Budget {
 public:
  Budget(const platform::Clock& clock, std::chrono::milliseconds time, CancelToken cancel)
      : clock_(clock), deadline_(clock.steady_now() + time), cancel_(std::move(cancel)) {}

  [[nodiscard]] bool spent() const {
    return cancel_.stop_requested() || clock_.steady_now() >= deadline_;
  }

 private:
  const platform::Clock& clock_;
  platform::SteadyTime deadline_;
  CancelToken cancel_;
};

struct VisitedFile {
  const platform::TreeDirectory& directory;
  const std::string& name;
  const std::string& path;  // relative to the root
};

class FileVisitor {
 public:
  virtual ~FileVisitor() = default;
  // On any of the walk's threads; `worker` is below WalkSettings::threads and never two at a time.
  virtual void visit(std::size_t worker, const VisitedFile& file) = 0;
};

enum class HiddenNames { skip, visit };

struct WalkSettings {
  std::size_t threads = 1;
  HiddenNames hidden = HiddenNames::skip;
  IgnoreRules globs = {};          // add_override()s; they outrank every ignore file
  bool globs_choose = false;       // at least one of them is not an exclusion
  const FileType* type = nullptr;  // only files of this type
  IgnoreNodes above = nullptr;     // ignore_files_above()
  IgnoreRules global = {};         // global_ignore_rules()
  std::function<bool(std::string_view)> hides = {};  // by path below the root; empty: nothing
};

// Two threads or more, at most eight: beyond that the disk cache is the limit.
std::size_t usual_threads();

// Directories that cannot be opened are passed over. False when the budget ended it early.
bool walk(const platform::SearchTree& tree, const WalkSettings& settings, const Budget& budget,
          FileVisitor& visitor);

// What the walk itself decides for one entry; also for LS.
bool is_visible(const WalkSettings& settings, const IgnoreNode* rules, const Candidate& entry);

}  // namespace yume::tools::search
