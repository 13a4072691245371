// SPDX-License-Identifier: MIT
// A conversation as a person sees it: Markdown while it comes, calls in words, the list of tasks,
// and what is going on below all that. Whatever is final is written once; the rest stands in rows
// that change in place, where the terminal allows it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/envelope.h"
#include "markdown/terminal_stream.h"
#include "platform/clock.h"
#include "protocol/terminal/screen.h"
#include "protocol/terminal/tool_words.h"

namespace yume::protocol {

struct TerminalViewLook {
  bool colours = true;
  bool utf8 = true;
  Screen::Animation animation = Screen::Animation::wanted;
  std::function<ScreenSize()> size = [] { return ScreenSize(); };
  // How many tokens a model's context holds; 0: unknown.
  std::function<std::int64_t(const std::string& model)> context_window = [](const std::string&) {
    return std::int64_t{0};
  };
  // In US dollars; 0: nothing, or unknown.
  std::function<double(const std::string& model, const core::Usage& usage)> cost =
      [](const std::string&, const core::Usage&) { return 0.0; };
};

class TerminalView {
 public:
  TerminalView(Output& output, TerminalViewLook look);

  void on_envelope(const core::Envelope& envelope, platform::SteadyTime now);
  [[nodiscard]] std::optional<platform::SteadyTime> wake_at() const;
  void on_time(platform::SteadyTime now);

  // For who shows something else below: nothing moves until it resumes.
  void pause();
  void resume();
  // A line of its own, dimmed.
  void note(std::string_view text);
  // Before the first turn begins, which may take a while.
  void expect_servers(const std::vector<std::string>& names);
  void show_start();
  // What the person has typed while the work goes on.
  void show_typed(std::string_view text);

  [[nodiscard]] const markdown::TerminalLook& look() const { return text_look_; }
  [[nodiscard]] bool animated() const { return screen_.animated(); }

 private:
  enum class Speaks { nothing, text, thought };
  struct Running {
    core::ToolCall call;
    std::string parent;  // the subagent's call; empty: the session's own
    platform::SteadyTime since;
    std::vector<std::string> output = {};  // the last lines that it has written
  };

  void see(platform::SteadyTime now);
  void on_own(const core::Event& event, platform::SteadyTime now);
  void on_subagents(const core::Envelope& envelope, platform::SteadyTime now);
  void begin_turn(const core::SessionStarted& started, platform::SteadyTime now);
  void say(Speaks what, std::string_view text, platform::SteadyTime now);
  void end_speech(platform::SteadyTime now);
  void print_text(std::string_view lines);
  void begin_call(const core::ToolCall& call, const std::string& parent, platform::SteadyTime now);
  void see_output(const core::ToolProgress& progress);
  void finish_call(const core::ToolFinished& finished, const std::string& parent);
  void print_below(const ToolLine& line);
  void print_todos();
  void finish_turn(const core::TurnDone& done, platform::SteadyTime now);
  void print(std::string_view lines);
  void print_line(std::string_view line);
  void dim(std::string_view text);
  void draw();
  void draw_soon(platform::SteadyTime now);

  [[nodiscard]] std::vector<std::string> rows() const;
  [[nodiscard]] std::vector<std::string> speech_rows(std::size_t most) const;
  [[nodiscard]] std::string call_row(const Running& running) const;
  void add_call_rows(std::vector<std::string>& rows) const;
  [[nodiscard]] std::string status_row() const;
  [[nodiscard]] std::string mark(bool failed) const;
  [[nodiscard]] std::string closing_line(const core::TurnDone& done) const;

  TerminalViewLook look_;
  markdown::TerminalLook text_look_;
  Screen screen_;
  markdown::TerminalStream text_;
  Speaks speaks_ = Speaks::nothing;
  std::string thought_;
  platform::SteadyTime spoken_since_;
  std::string to_print_;  // final, and not written yet
  bool any_ = false;      // something of this turn stands above
  bool text_begun_ = false;
  bool after_call_ = false;

  bool working_ = false;
  bool paused_ = false;
  bool resumed_ = false;  // and no time is known since
  bool starts_ = false;   // likewise, a turn that has not begun
  std::string servers_;   // that the first turn waits for; empty: for none
  std::string doing_;     // in a few words, while nothing else says what happens
  std::string typed_;
  std::map<std::string, Running> running_;  // by the call's id
  std::vector<core::Todo> todos_;
  bool todos_changed_ = false;
  std::string cwd_;
  std::string model_;
  core::Usage before_;   // of the requests of this turn that have ended
  double spent_ = 0;     // by them, in US dollars
  core::Usage request_;  // of the one that runs
  core::Usage context_;  // of the last one before this turn
  double cost_before_ = 0;
  std::size_t in_background_ = 0;  // commands and subagents that go on
  platform::SteadyTime turn_since_;
  platform::SteadyTime now_;
  platform::SteadyTime drawn_at_;
  std::optional<platform::SteadyTime> draw_at_;
};

}  // namespace yume::protocol
