// SPDX-License-Identifier: MIT
#include "app/resume_choice.h"

#include "app/session_setup.h"
#include "app/sessions/call_summary.h"
#include "app/sessions/session_picker.h"
#include "app/terminal_look.h"
#include "platform/raw_typing.h"
#include "platform/signals.h"
#include "platform/stdio.h"
#include "protocol/terminal/screen.h"
#include "transcript/session_index.h"
#include "util/escape_codes.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace yume::app {
namespace {

using transcript::SessionSummary;
using Chosen = std::optional<std::string>;

std::vector<SessionSummary> sessions_here(const transcript::SessionStore& store,
                                          const platform::Environment& environment) {
  std::vector<transcript::FoundSession> found;
  for (const auto& root : store.settings().roots) {
    auto here = store.here(root);
    std::move(here.begin(), here.end(), std::back_inserter(found));
  }
  const auto views = views_folder(environment);
  const platform::SystemClock clock;
  std::vector<transcript::IndexEntry> index;
  if (!views.empty()) index = transcript::SessionIndex(views, clock).read();
  return transcript::summarise(found, index);
}

// What a signal does to whoever waits for a key: a new size has all drawn again, most others end
// it.
class Waiting {
 public:
  Waiting()
      : pump_(platform::start_signal_pump([this](platform::Signal signal) { on_signal(signal); })) {
  }

  // For the next wait.
  CancelToken token() {
    const std::lock_guard lock(mutex_);
    if (!ended_) looked_at_ = CancelSource();
    return looked_at_.get_token();
  }
  [[nodiscard]] bool ended() {
    const std::lock_guard lock(mutex_);
    return ended_;
  }

 private:
  void on_signal(platform::Signal signal) {
    const std::lock_guard lock(mutex_);
    ended_ |= signal != platform::Signal::resized && signal != platform::Signal::continued;
    looked_at_.request_stop();
  }

  std::mutex mutex_;
  CancelSource looked_at_;
  bool ended_ = false;
  std::unique_ptr<platform::SignalPump> pump_;
};

Chosen pick_on_screen(std::vector<SessionSummary> sessions, const markdown::TerminalLook& look,
                      protocol::Output& out) {
  SessionPicker picker(std::move(sessions));
  protocol::Screen screen(out, protocol::Screen::Animation::wanted,
                          [] { return platform::screen_size().value_or(platform::ScreenSize()); });
  Waiting waiting;
  const auto input = platform::stdin_stream();
  std::array<char, 256> keys{};
  Chosen chosen;
  auto typing = platform::begin_raw_typing();
  while (!waiting.ended()) {
    const CancelToken token = waiting.token();
    screen.update("", picker.rows(screen.size(), look));
    const auto count = input->read(keys, token);
    if (!count.ok() && count.error().code == ErrorCode::cancelled) {
      typing.reset();  // a shell may have had the terminal meanwhile
      typing = platform::begin_raw_typing();
      continue;
    }
    if (!count.ok() || *count == 0) break;
    const auto step = picker.take(std::string_view(keys.data(), *count));
    if (step == SessionPicker::Step::stays) continue;
    if (step == SessionPicker::Step::chosen) chosen = picker.chosen().id;
    break;
  }
  screen.clear();
  return chosen;
}

// Where nothing may move: a numbered list, and a line.
Chosen pick_by_number(const std::vector<SessionSummary>& sessions, protocol::Output& out) {
  constexpr std::size_t k_most = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(sessions.size(), k_most); ++i) {
    const SessionSummary& one = sessions[i];
    list += std::to_string(i + 1) + ". " + local_time_text(one.updated) + "  " +
            spelled_for_terminal(first_line(one.title, k_most * 4)) + "\n";
  }
  out.bytes(list + "Which session? Its number, or the beginning of an id; nothing leaves: ");
  Waiting waiting;
  std::array<char, 256> line{};
  const auto count = platform::stdin_stream()->read(line, waiting.token());
  if (!count.ok() || *count == 0) return std::nullopt;
  std::string answer(line.data(), *count);
  std::erase_if(answer, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  if (answer.empty()) return std::nullopt;
  const auto named = session_named(answer, sessions);
  if (!named) {
    out.bytes("There is no session " + spelled_for_terminal(answer) + ".\n");
    return std::nullopt;
  }
  return sessions[*named].id;
}

}  // namespace

Result<Chosen> choose_session_to_resume(const transcript::SessionStore& store,
                                        const Options& options,
                                        const platform::Environment& environment,
                                        protocol::Output& out) {
  auto sessions = sessions_here(store, environment);
  if (sessions.empty()) {
    return Error{.code = ErrorCode::not_found,
                 .message = "Error: there are no sessions of " + to_utf8(store.settings().cwd) +
                            " yet. `yume-cli sessions list --all` shows those of every "
                            "directory; --resume takes their ids, too"};
  }
  const TerminalLook terminal = terminal_look(environment);
  // The console of Windows has no codes for its arrow keys unless it is asked for them.
  const bool has_arrows = !environment.os_name.starts_with("Windows");
  if (!terminal.colours || !has_arrows) return pick_by_number(sessions, out);
  const markdown::TerminalLook look{
      .columns = 80, .colours = true, .utf8 = terminal.utf8 && !options.ascii};
  return pick_on_screen(std::move(sessions), look, out);
}

}  // namespace yume::app
