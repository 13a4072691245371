// SPDX-License-Identifier: MIT
// What a session's tools share from call to call and from turn to turn: which files the model
// knows, the list of tasks, the shell with its background commands. On the session's thread, except
// for the parts themselves, which are thread-safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/conversation.h"
#include "platform/file_system.h"
#include "tools/file_memory.h"
#include "tools/shell.h"
#include "tools/todo_list.h"

namespace yume::session {

class WorkState {
 public:
  explicit WorkState(tools::ShellSettings shell) : shell_(std::move(shell)) {}

  // Goes on from where an earlier process was.
  void restore(const core::WorkState& earlier, const std::filesystem::path& cwd,
               const platform::FileSystem& files);
  // What the next process must know and was not in the last answer; nullopt: nothing.
  std::optional<core::WorkState> take_changes();
  // The conversation begins anew: the model knows no file and has no tasks. The shell stays where
  // it is, and its commands run on.
  void begin_anew();
  // What a summary must not lose, whatever the model writes.
  [[nodiscard]] std::string carry_over() const;

  [[nodiscard]] tools::FileMemory& files() { return files_; }
  [[nodiscard]] tools::TodoList& todos() { return todos_; }
  [[nodiscard]] tools::Shell& shell() { return shell_; }

 private:
  tools::FileMemory files_;
  tools::TodoList todos_;
  tools::Shell shell_;
  // As the journal has them.
  std::string recorded_cwd_;
  std::vector<core::Todo> recorded_todos_;
  std::vector<core::RunningCommand> recorded_running_;
};

}  // namespace yume::session
