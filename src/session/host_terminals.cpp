// SPDX-License-Identifier: MIT
#include "session/host_terminals.h"

#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace yume::session {
namespace {

using core::HostTerminal;
using core::UseTerminal;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using platform::SteadyTime;
using std::chrono::milliseconds;
using Step = UseTerminal::Step;

// A host that does not answer must not hold up the turn, and still less its end.
constexpr milliseconds k_patience{10'000};
constexpr milliseconds k_last_patience{1'000};
// More than is ever shown or kept of an output's end.
constexpr std::uint64_t k_kept_output = 1U << 20U;
constexpr std::string_view k_lost = "[the terminal did not keep what came before]\n";
// A terminal that says nothing about how its command ended has not seen it end well.
constexpr int k_unknown_exit = -1;

Error failed(const std::string& why) {
  return {.code = ErrorCode::protocol, .message = "the host's terminal failed: " + why};
}

Result<HostTerminal> answer_of(Result<core::HostAnswer> answer) {
  if (!answer.ok()) return answer.error();
  using Said = Result<HostTerminal>;
  const auto other = [] { return Said(failed("its answer is of no terminal")); };
  return std::visit(Overloaded{
                        [](HostTerminal& terminal) { return Said(std::move(terminal)); },
                        [](const core::HostFailed& told) { return Said(failed(told.why)); },
                        [&](const core::HostAllows&) { return other(); },
                        [&](const core::HostDenies&) { return other(); },
                        [&](const core::HookReturned&) { return other(); },
                        [&](const core::McpAnswered&) { return other(); },
                        [&](const core::Elicited&) { return other(); },
                        [&](const core::HostFileText&) { return other(); },
                        [&](const core::HostFileWritten&) { return other(); },
                    },
                    *answer);
}

// Programs for terminals end their lines with both.
std::string plain_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!is_pair) out += text[i];
  }
  return out;
}

ProcessEnd end_of(const HostTerminal& terminal) {
  if (terminal.exit_code) return {.exit_code = *terminal.exit_code};
  for (int signal = 1; !terminal.signal.empty() && signal < 32; ++signal) {
    const std::string name = platform::signal_name(signal);
    if (name == terminal.signal || name == "SIG" + terminal.signal) {
      return {.kind = ProcessEndKind::signalled, .signal = signal};
    }
  }
  return {.exit_code = k_unknown_exit};
}

class TerminalCommand final : public platform::RunningProcess {
 public:
  TerminalCommand(core::Questions& host, std::string id, std::optional<SteadyTime> deadline,
                  const platform::Clock& clock)
      : host_(host), id_(std::move(id)), deadline_(deadline), clock_(clock) {
    waiting_ = std::thread([this] {
      auto said = host_.ask(UseTerminal{.step = Step::wait, .id = id_}, std::nullopt,
                            stopping_.get_token());
      const std::lock_guard lock(mutex_);
      ended_ = answer_of(std::move(said));
      changed_.notify_all();
    });
  }
  ~TerminalCommand() override { close(ProcessEndKind::cancelled); }
  TerminalCommand(const TerminalCommand&) = delete;
  TerminalCommand& operator=(const TerminalCommand&) = delete;

  std::optional<Result<ProcessEnd>> wait(platform::ProcessOutput& output,
                                         std::optional<SteadyTime> until) override {
    ProcessEndKind kind = ProcessEndKind::exited;
    {
      std::unique_lock lock(mutex_);
      const auto is_over = [this] { return ended_.has_value() || stopped_; };
      const std::optional<SteadyTime> first =
          until && deadline_ ? std::min(*until, *deadline_) : (until ? until : deadline_);
      if (first) {
        changed_.wait_until(lock, *first, is_over);
      } else {
        changed_.wait(lock, is_over);
      }
      const bool late = deadline_ && clock_.steady_now() >= *deadline_;
      if (!is_over() && !late) return std::nullopt;
      if (stopped_) {
        kind = ProcessEndKind::cancelled;
      } else if (!ended_) {
        kind = ProcessEndKind::timed_out;
      }
    }
    return finish(kind, output);
  }

  void stop() override {
    const std::lock_guard lock(mutex_);
    stopped_ = !ended_;
    changed_.notify_all();
  }

  [[nodiscard]] std::filesystem::path final_cwd() const override { return {}; }

 private:
  Result<ProcessEnd> finish(ProcessEndKind kind, platform::ProcessOutput& output) {
    const bool ran_on = kind != ProcessEndKind::exited;
    if (ran_on) kill();
    const auto text = answer_of(
        host_.ask(UseTerminal{.step = Step::output, .id = id_}, patience(ran_on), CancelToken()));
    if (text.ok()) {
      if (text->lost_beginning) output.on_output(k_lost);
      output.on_output(plain_lines(text->output));
    }
    close(kind);
    if (ran_on) return ProcessEnd{.kind = kind};
    const std::lock_guard lock(mutex_);
    if (!ended_->ok()) return ended_->error();
    return end_of(**ended_);
  }

  void kill() {
    (void)host_.ask(UseTerminal{.step = Step::kill, .id = id_}, k_last_patience, CancelToken());
  }

  static milliseconds patience(bool ran_on) { return ran_on ? k_last_patience : k_patience; }

  // The host keeps what it showed. Releasing kills what still runs.
  void close(ProcessEndKind kind) {
    if (!waiting_.joinable()) return;
    stopping_.request_stop();
    waiting_.join();
    (void)host_.ask(UseTerminal{.step = Step::release, .id = id_},
                    patience(kind != ProcessEndKind::exited), CancelToken());
  }

  core::Questions& host_;
  const std::string id_;
  const std::optional<SteadyTime> deadline_;
  const platform::Clock& clock_;
  CancelSource stopping_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Result<HostTerminal>> ended_;
  bool stopped_ = false;
  std::thread waiting_;
};

}  // namespace

Result<std::unique_ptr<platform::RunningProcess>> HostTerminals::start(
    const platform::ProcessSpec& command, const std::string& call_id, const CancelToken& cancel) {
  std::unique_ptr<platform::RunningProcess> running;
  auto said = host_.ask(UseTerminal{.argv = command.argv,
                                    .environment = command.environment,
                                    .cwd = to_utf8(command.cwd),
                                    .output_limit = k_kept_output},
                        k_patience, cancel);
  // Without an answer it may be running.
  if (!said.ok()) return said.error();
  const auto made = answer_of(std::move(said));
  if (!made.ok()) return running;
  events_.post(
      core::ToolProgress{.call_id = call_id, .tool_name = "Bash", .terminal_id = made->id});
  std::optional<SteadyTime> deadline;
  if (command.timeout) deadline = clock_.steady_now() + *command.timeout;
  running = std::make_unique<TerminalCommand>(host_, made->id, deadline, clock_);
  return running;
}

}  // namespace yume::session
