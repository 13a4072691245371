// SPDX-License-Identifier: MIT
#include "tools/search/walker.h"
#include "util/thread.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace yume::tools::search {
namespace {

using platform::DirectoryEntry;
using platform::FileKind;
using platform::TreeDirectory;

constexpr std::size_t k_files_in_a_task = 64;
constexpr std::size_t k_longest_path = 4096;

struct DirectoryTask {
  std::string path;
  IgnoreNodes rules;
};

struct FilesTask {
  std::shared_ptr<const TreeDirectory> directory;  // shared by the tasks of one large directory
  std::string path;
  std::vector<std::string> names;
};

using Task = std::variant<DirectoryTask, FilesTask>;

std::string below(const std::string& directory, const std::string& name) {
  return directory.empty() ? name : directory + "/" + name;
}

// Last in, first out, so that what is pending stays small. Ends when nothing is pending and nobody
// works.
class TaskStack {
 public:
  void push(std::vector<Task> tasks) {
    if (tasks.empty()) return;
    {
      const std::lock_guard lock(mutex_);
      for (Task& task : tasks) tasks_.push_back(std::move(task));
    }
    changed_.notify_all();
  }

  // Blocks until there is a task. False when the work is over.
  bool pop(Task& task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return over_ || !tasks_.empty() || working_ == 0; });
    if (over_ || tasks_.empty()) {
      over_ = true;
      changed_.notify_all();
      return false;
    }
    task = std::move(tasks_.back());
    tasks_.pop_back();
    ++working_;
    return true;
  }

  void done() {
    const std::lock_guard lock(mutex_);
    if (--working_ == 0 && tasks_.empty()) changed_.notify_all();
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Task> tasks_;
  std::size_t working_ = 0;
  bool over_ = false;
};

class Walk {
 public:
  Walk(const platform::SearchTree& tree, const WalkSettings& settings, const Budget& budget,
       FileVisitor& visitor)
      : tree_(tree), settings_(settings), budget_(budget), visitor_(visitor) {}

  bool run() {
    std::vector<Task> first;
    first.emplace_back(DirectoryTask{.path = "", .rules = settings_.above});
    stack_.push(std::move(first));
    {
      std::vector<Thread> threads;
      try {
        for (std::size_t i = 1; i < settings_.threads; ++i) {
          threads.emplace_back([this, i] { work(i); });
        }
      } catch (const std::system_error&) {
        // No more threads to be had: those we have, and this one, do the work.
      }
      work(0);
    }
    return !gave_up_;
  }

 private:
  void work(std::size_t worker) {
    Task task;
    while (stack_.pop(task)) {
      if (auto* directory = std::get_if<DirectoryTask>(&task)) {
        enter(worker, *directory);
      } else {
        visit_files(worker, std::get<FilesTask>(task));
      }
      stack_.done();
    }
  }

  bool must_stop() {
    if (!gave_up_.load(std::memory_order_relaxed) && !budget_.spent()) return false;
    gave_up_ = true;
    stack_.stop();
    return true;
  }

  void enter(std::size_t worker, const DirectoryTask& task) {
    if (must_stop()) return;
    auto opened = tree_.open_directory(task.path);
    if (!opened.ok()) return;
    const std::shared_ptr<TreeDirectory> directory = std::move(opened).value();
    const auto entries = directory->list();
    if (!entries.ok()) return;
    const IgnoreNodes rules = with_ignore_files_of(
        {.tree = tree_, .directory = *directory, .entries = *entries, .path = task.path},
        task.rules, settings_.global);
    std::vector<Task> tasks;
    FilesTask files{.directory = directory, .path = task.path, .names = {}};
    for (const DirectoryEntry& entry : *entries) {
      const bool is_directory = entry.kind == FileKind::directory;
      if (!is_directory && entry.kind != FileKind::regular) continue;
      const std::string path = below(task.path, entry.name);
      if (path.size() > k_longest_path) continue;
      if (!is_visible(settings_, rules.get(),
                      {.path = path, .name = entry.name, .is_directory = is_directory})) {
        continue;
      }
      if (is_directory) {
        tasks.emplace_back(DirectoryTask{.path = path, .rules = rules});
      } else {
        files.names.push_back(entry.name);
      }
    }
    // Files last, so that they are taken first and the directory's handle is soon closed.
    while (files.names.size() > k_files_in_a_task) {
      FilesTask part{.directory = directory, .path = task.path, .names = {}};
      const auto from = files.names.end() - static_cast<std::ptrdiff_t>(k_files_in_a_task);
      part.names.assign(std::make_move_iterator(from), std::make_move_iterator(files.names.end()));
      files.names.erase(from, files.names.end());
      tasks.emplace_back(std::move(part));
    }
    stack_.push(std::move(tasks));
    visit_files(worker, files);
  }

  void visit_files(std::size_t worker, const FilesTask& task) {
    for (const std::string& name : task.names) {
      if (must_stop()) return;
      visitor_.visit(worker,
                     {.directory = *task.directory, .name = name, .path = below(task.path, name)});
    }
  }

  const platform::SearchTree& tree_;
  const WalkSettings& settings_;
  const Budget& budget_;
  FileVisitor& visitor_;
  TaskStack stack_;
  std::atomic<bool> gave_up_{false};
};

}  // namespace

std::size_t usual_threads() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8);
}

bool walk(const platform::SearchTree& tree, const WalkSettings& settings, const Budget& budget,
          FileVisitor& visitor) {
  return Walk(tree, settings, budget, visitor).run();
}

bool is_visible(const WalkSettings& settings, const IgnoreNode* rules, const Candidate& entry) {
  if (settings.hides && settings.hides(entry.path)) return false;
  const Verdict chosen = settings.globs.judge(entry);
  if (chosen != Verdict::none) return chosen == Verdict::keep;
  if (settings.globs_choose && !entry.is_directory) return false;
  const Verdict said = judge(rules, entry);
  if (said == Verdict::ignore) return false;
  bool kept = said == Verdict::keep;
  if (settings.type != nullptr && !entry.is_directory) {
    if (!settings.type->contains(entry.name)) return false;
    kept = true;
  }
  // A name that a rule or a type picks out is visited though it is hidden.
  return kept || settings.hidden == HiddenNames::visit || !entry.name.starts_with('.');
}

}  // namespace yume::tools::search
