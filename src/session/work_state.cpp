// SPDX-License-Identifier: MIT
#include "session/work_state.h"

#include <utility>

#include "util/path_text.h"

namespace yume::session {

void WorkState::restore(const core::WorkState& earlier, const std::filesystem::path& cwd,
                        const platform::FileSystem& files) {
  files_.restore(earlier.files);
  todos_.replace(earlier.todos);
  shell_.move_to(earlier.shell_cwd, cwd, files);
  recorded_cwd_ = earlier.shell_cwd;
  recorded_todos_ = earlier.todos;
  recorded_running_ = earlier.running;
}

std::optional<core::WorkState> WorkState::take_changes() {
  core::WorkState now{.files = files_.take_changes(),
                      .shell_cwd = to_utf8(shell_.moved_to()),
                      .todos = todos_.todos(),
                      .running = shell_.background().running()};
  const bool moved = std::exchange(recorded_cwd_, now.shell_cwd) != now.shell_cwd;
  const bool planned = std::exchange(recorded_todos_, now.todos) != now.todos;
  const bool ran = std::exchange(recorded_running_, now.running) != now.running;
  if (now.files.empty() && !moved && !planned && !ran) return std::nullopt;
  return now;
}

void WorkState::begin_anew() {
  files_.forget();
  todos_.replace({});
  recorded_cwd_.clear();
  recorded_todos_.clear();
  recorded_running_.clear();
}

std::string WorkState::carry_over() const {
  const auto known = files_.known_files();
  std::string text = todos_.text();
  if (known.empty()) return text;
  text += (text.empty() ? "" : "\n\n");
  text += "Files that were read or written so far:";
  for (const std::string& path : known) text += "\n- " + path;
  return text;
}

}  // namespace yume::session
