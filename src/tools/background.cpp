// SPDX-License-Identifier: MIT
#include "tools/background.h"

#include "util/path_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace yume::tools {
namespace {

using core::BackgroundStatus;

constexpr std::size_t k_longest_title = 200;

std::string title(const std::string& command) {
  const std::string_view line = std::string_view(command).substr(0, command.find('\n'));
  const std::string_view shown = utf8_prefix(line, k_longest_title);
  return std::string(shown) + (shown.size() < command.size() ? " ..." : "");
}

// As a shell says it.
std::optional<int> exit_code_of(const Result<platform::ProcessEnd>& end) {
  if (!end.ok()) return std::nullopt;
  if (end->kind == platform::ProcessEndKind::exited) return end->exit_code;
  if (end->kind == platform::ProcessEndKind::signalled) return 128 + end->signal;
  return std::nullopt;
}

std::string summary_of(const BackgroundView& view) {
  std::string text = "Background command \"" + title(view.command) + "\" ";
  if (view.status == BackgroundStatus::killed) return text + "was stopped";
  text += view.status == BackgroundStatus::completed ? "completed" : "failed";
  if (view.exit_code) text += " (exit code " + platform::exit_code_text(*view.exit_code) + ")";
  return text;
}

}  // namespace

std::string_view to_string(BackgroundStatus status) {
  switch (status) {
    case BackgroundStatus::running:
      return "running";
    case BackgroundStatus::completed:
      return "completed";
    case BackgroundStatus::failed:
      return "failed";
    case BackgroundStatus::killed:
      break;
  }
  return "killed";
}

struct BackgroundCommands::Command final : platform::ProcessOutput {
  Command(BackgroundCommands& all, BackgroundOrder order)
      : owner(all),
        process(std::move(order.process)),
        file(order.files, std::move(order.file), order.redactor),
        call_id(std::move(order.call_id)),
        events(order.events) {
    view.command = std::move(order.command);
    view.file = file.path();
  }

  void on_output(std::string_view bytes) override {
    file.add(bytes);
    const std::lock_guard lock(owner.mutex_);
    unread.add(bytes);
  }

  BackgroundCommands& owner;
  std::unique_ptr<platform::RunningProcess> process;
  BoundedFile file;  // the thread's alone
  std::string call_id;
  core::EventSink* events;
  // Under the owner's lock.
  BackgroundView view;
  TextEnds unread;
  bool kill_asked = false;
  bool has_ended = false;  // before its status says so, which waits until hosts know
  std::thread thread;
};

BackgroundCommands::BackgroundCommands() = default;

BackgroundCommands::~BackgroundCommands() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  for (const auto& command : commands_) command->process->stop();
  for (const auto& command : commands_) {
    if (command->thread.joinable()) command->thread.join();
  }
}

bool BackgroundCommands::has_room() const {
  const std::lock_guard lock(mutex_);
  const auto running = std::count_if(commands_.begin(), commands_.end(), [](const auto& command) {
    return command->view.status == BackgroundStatus::running;
  });
  return static_cast<std::size_t>(running) < k_most_running;
}

std::string BackgroundCommands::adopt(BackgroundOrder order) {
  const std::string description =
      order.description.empty() ? title(order.command) : order.description;
  join_ended();
  auto made = std::make_unique<Command>(*this, std::move(order));
  Command& command = *made;
  std::string id;
  {
    const std::lock_guard lock(mutex_);
    id = "bash_" + std::to_string(commands_.size() + 1);
    command.view.id = id;
    commands_.push_back(std::move(made));
  }
  if (command.events != nullptr) {
    command.events->post(core::BackgroundStarted{
        .task_id = id, .call_id = command.call_id, .description = description});
  }
  try {
    command.thread = std::thread([this, &command] { follow(command); });
  } catch (const std::system_error& failure) {
    command.process->stop();
    command.unread.add(std::string("cannot start a thread: ") + failure.what());
    conclude(command, platform::ProcessEnd{.kind = platform::ProcessEndKind::cancelled});
  }
  return id;
}

// A thread that has ended keeps its stack until somebody joins it.
void BackgroundCommands::join_ended() {
  std::vector<std::thread> ended;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& command : commands_) {
      const bool over = command->view.status != BackgroundStatus::running;
      if (over && command->thread.joinable()) ended.push_back(std::move(command->thread));
    }
  }
  for (std::thread& thread : ended) thread.join();
}

void BackgroundCommands::follow(Command& command) {
  for (;;) {
    if (const auto end = command.process->wait(command, std::nullopt)) {
      command.file.finish();
      conclude(command, *end);
      return;
    }
  }
}

// Hosts hear of the end before anybody who waits for it goes on, so that lines have one order; and
// who then asks for news finds it, so that a host's next message brings it to the model.
void BackgroundCommands::conclude(Command& command, const Result<platform::ProcessEnd>& end) {
  BackgroundView after;
  core::EventSink* events = command.events;
  std::string summary;
  {
    const std::lock_guard lock(mutex_);
    if (!end.ok()) command.unread.add(end.error().message);
    command.has_ended = true;
    after = command.view;
    after.exit_code = exit_code_of(end);
    const bool well = end.ok() && *end == platform::ProcessEnd{};
    after.status = command.kill_asked ? BackgroundStatus::killed
                   : well             ? BackgroundStatus::completed
                                      : BackgroundStatus::failed;
    if (closing_) events = nullptr;
    summary = summary_of(after);
    if (!command.kill_asked) {
      news_.push_back(summary + ". Its ID is " + after.id + ", its output is in " +
                      to_utf8(after.file) + ".");
    }
  }
  if (events != nullptr) {
    events->post(core::BackgroundEnded{.task_id = after.id,
                                       .call_id = command.call_id,
                                       .status = after.status,
                                       .summary = summary,
                                       .output_file = to_utf8(after.file)});
  }
  const std::lock_guard lock(mutex_);
  command.view = std::move(after);
  ended_.notify_all();
}

BackgroundCommands::Command* BackgroundCommands::find(std::string_view id) const {
  const auto found = std::find_if(commands_.begin(), commands_.end(),
                                  [id](const auto& command) { return command->view.id == id; });
  return found == commands_.end() ? nullptr : found->get();
}

std::optional<BackgroundView> BackgroundCommands::take_output(std::string_view id) {
  const std::lock_guard lock(mutex_);
  Command* command = find(id);
  if (command == nullptr) return std::nullopt;
  BackgroundView view = command->view;
  view.new_output = std::exchange(command->unread, {}).text();
  return view;
}

std::optional<BackgroundView> BackgroundCommands::look(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const Command* command = find(id);
  return command == nullptr ? std::nullopt : std::optional(command->view);
}

void BackgroundCommands::wait_for_end(std::string_view id, std::chrono::milliseconds longest,
                                      const CancelToken& cancel) const {
  std::unique_lock lock(mutex_);
  const Command* command = find(id);
  if (command == nullptr) return;
  ended_.wait_for(lock, cancel, longest,
                  [command] { return command->view.status != BackgroundStatus::running; });
}

void BackgroundCommands::kill(std::string_view id, const CancelToken& cancel) {
  std::unique_lock lock(mutex_);
  Command* command = find(id);
  if (command == nullptr || command->view.status != BackgroundStatus::running) return;
  command->kill_asked = true;
  command->process->stop();
  ended_.wait(lock, cancel,
              [command] { return command->view.status != BackgroundStatus::running; });
}

bool BackgroundCommands::stop(std::string_view id) {
  const std::lock_guard lock(mutex_);
  Command* command = find(id);
  if (command == nullptr || command->has_ended) return false;
  command->kill_asked = true;
  command->process->stop();
  return true;
}

std::vector<core::RunningCommand> BackgroundCommands::running() const {
  const std::lock_guard lock(mutex_);
  std::vector<core::RunningCommand> running;
  for (const auto& command : commands_) {
    const BackgroundView& view = command->view;
    // One whose end was reported must not be recorded as running by the turn that reported it.
    if (view.status != BackgroundStatus::running || command->has_ended) continue;
    running.push_back(
        {.id = view.id, .title = title(view.command), .output_file = to_utf8(view.file)});
  }
  return running;
}

std::vector<std::string> BackgroundCommands::take_end_reports() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

}  // namespace yume::tools
