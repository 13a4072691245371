// SPDX-License-Identifier: MIT
// Commands that run while the conversation goes on. Each has a thread that takes its output; all
// die with this object, and so with the session. Thread-safe.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/conversation.h"
#include "core/event.h"
#include "platform/process.h"
#include "tools/command_output.h"
#include "util/cancel.h"
#include "util/result.h"
#include "util/thread.h"

namespace yume::tools {

// What is needed to start one; everything but `process` outlives it.
struct BackgroundOrder {
  std::string command;
  std::string description;
  std::string call_id;
  std::unique_ptr<platform::RunningProcess> process;
  platform::FileSystem& files;
  std::filesystem::path file;
  const Redactor* redactor = nullptr;
  core::EventSink* events = nullptr;
};

// A command as it is now.
struct BackgroundView {
  std::string id;
  std::string command;
  core::BackgroundStatus status = core::BackgroundStatus::running;
  std::optional<int> exit_code;  // 128 + signal, as a shell says it; of those that have ended
  std::filesystem::path file;
  std::string new_output;  // since it was last taken, its middle left out when it is long
};

class BackgroundCommands {
 public:
  static constexpr std::size_t k_most_running = 32;

  BackgroundCommands();
  BackgroundCommands(const BackgroundCommands&) = delete;
  BackgroundCommands& operator=(const BackgroundCommands&) = delete;
  ~BackgroundCommands();  // TERM to all, KILL 100 ms later; says nothing to anybody

  [[nodiscard]] bool has_room() const;
  // The command's id, such as "bash_1". Posts BackgroundStarted, and BackgroundEnded when it ends.
  std::string adopt(BackgroundOrder order);

  // nullopt: no such id. The output counts as taken.
  std::optional<BackgroundView> take_output(std::string_view id);
  std::optional<BackgroundView> look(std::string_view id) const;
  // Blocks until it has ended, the time is over or the turn is cancelled.
  void wait_for_end(std::string_view id, std::chrono::milliseconds longest,
                    const CancelToken& cancel) const;
  // Blocks until all of it is gone (100 ms and a bit at most), or the turn is cancelled.
  void kill(std::string_view id, const CancelToken& cancel);

  // The same without waiting. False: none of that id runs.
  bool stop(std::string_view id);

  // Those that have not ended, oldest first.
  [[nodiscard]] std::vector<core::RunningCommand> running() const;
  // What ended since this was last asked, in words for the model.
  std::vector<std::string> take_end_reports();

 private:
  struct Command;
  Command* find(std::string_view id) const;
  void follow(Command& command);
  void conclude(Command& command, const Result<platform::ProcessEnd>& end);
  void join_ended();

  mutable std::mutex mutex_;
  mutable Condition ended_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::string> news_;
  bool closing_ = false;
};

std::string_view to_string(core::BackgroundStatus status);

}  // namespace yume::tools
