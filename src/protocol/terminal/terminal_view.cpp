// SPDX-License-Identifier: MIT
#include "protocol/terminal/terminal_view.h"

#include "markdown/styled_lines.h"
#include "protocol/plain/progress_words.h"
#include "protocol/terminal/status_line.h"
#include "protocol/terminal/tool_words.h"
#include "util/display_width.h"
#include "util/escape_codes.h"
#include "util/grouped_count.h"
#include "util/overloaded.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::protocol {
namespace {

using core::TurnOutcome;
using markdown::in_style;
using std::chrono::milliseconds;

// As often as an eye can follow, and the spinner as often as it takes to look alive.
constexpr milliseconds k_between_draws{33};
constexpr milliseconds k_between_frames{120};
constexpr milliseconds k_worth_telling{1'000};
constexpr std::size_t k_most_unwritten = 64U << 10U;
constexpr std::size_t k_most_calls = 6;
constexpr std::size_t k_most_output = 3;  // of a command that runs
constexpr std::size_t k_most_todos = 10;
constexpr std::size_t k_most_thought = 3;
constexpr std::size_t k_thought_tail = 600;  // bytes; the rest of a thought is not shown
constexpr std::string_view k_indent = "  ";

milliseconds between(platform::SteadyTime from, platform::SteadyTime to) {
  return std::chrono::duration_cast<milliseconds>(std::max(to - from, to - to));
}

}  // namespace

TerminalView::TerminalView(Output& output, TerminalViewLook look)
    : look_(std::move(look)),
      text_look_{.columns = look_.size().columns, .colours = look_.colours, .utf8 = look_.utf8},
      screen_(output, look_.animation, look_.size),
      text_(text_look_) {}

void TerminalView::on_envelope(const core::Envelope& envelope, platform::SteadyTime now) {
  see(now);
  if (envelope.address.parent_call_id.empty()) {
    on_own(envelope.event, now);
  } else {
    on_subagents(envelope, now);
  }
  draw_soon(now);
}

// What a person thought about is no time that a call took.
void TerminalView::see(platform::SteadyTime now) {
  now_ = now;
  if (std::exchange(starts_, false)) turn_since_ = now;
  if (!std::exchange(resumed_, false)) return;
  for (auto& [id, running] : running_) running.since = now;
}

void TerminalView::on_own(const core::Event& event, platform::SteadyTime now) {
  const auto tell = [this](const auto& what) { dim(progress_words(what)); };
  std::visit(
      Overloaded{
          PassOver<core::PromptTaken, core::PromptMoved, core::ToolArgsDelta, core::AgentProgress,
                   core::PermissionRefused, core::HookStarted, core::HookEnded,
                   core::ConversationReset, core::StateChanged>{},
          [&](const core::SessionStarted& started) { begin_turn(started, now); },
          [&](const core::MessageStarted& /*started*/) { doing_ = "Waiting for the model"; },
          [&](const core::TextDelta& text) { say(Speaks::text, text.text, now); },
          [&](const core::ThoughtDelta& thought) { say(Speaks::thought, thought.text, now); },
          [&](const core::BlockDone& done) {
            if (done.extent == core::BlockDone::Extent::all) end_speech(now);
          },
          [&](const core::UsageUpdated& updated) { request_ = updated.usage; },
          [&](const core::ToolCallStarted& started) {
            end_speech(now);
            doing_ = "Preparing " + safe_for_terminal(started.name);
          },
          [&](const core::ToolCallReady& ready) { begin_call(ready.call, "", now); },
          [&](const core::ToolFinished& finished) { finish_call(finished, ""); },
          [&](const core::ToolProgress& progress) { see_output(progress); },
          [&](const core::BackgroundStarted& started) {
            ++in_background_;
            dim(started.task_id + " goes on in the background: " + started.description);
          },
          [&](const core::BackgroundEnded& ended) {
            if (in_background_ > 0) --in_background_;
            dim(ended.summary);
          },
          [&](const core::AgentStarted& started) {
            if (started.in_background) dim("in the background: " + started.description);
          },
          [&](const core::AgentEnded& ended) { dim(ended.summary); },
          [&](const core::ModeChanged& changed) {
            dim("mode: " + std::string(core::to_string(changed.mode)));
          },
          [&](const core::ModelChanged& changed) {
            model_ = changed.model;
            dim("model: " + changed.model);
          },
          [&](const core::MessageDone& done) {
            end_speech(now);
            before_ += done.usage;
            spent_ += done.usage.empty() ? 0 : look_.cost(model_, done.usage);
            request_ = {};
            doing_ = "Working";
          },
          [&](const core::RetryScheduled& retry) { tell(retry); },
          [&](const core::Notice& notice) { tell(notice); },
          [&](const core::CompactionStarted& started) {
            doing_ = "Summing up";
            tell(started);
          },
          [&](const core::Compacted& compacted) { tell(compacted); },
          [&](const core::CompactionFailed& failed) { tell(failed); },
          [&](const core::TurnDone& done) { finish_turn(done, now); },
      },
      event);
}

// Of a subagent its calls are shown; its report comes as the result of the session's own call.
void TerminalView::on_subagents(const core::Envelope& envelope, platform::SteadyTime now) {
  std::visit(
      Overloaded{
          PassOver<core::SessionStarted, core::PromptTaken, core::PromptMoved, core::MessageStarted,
                   core::TextDelta, core::ThoughtDelta, core::BlockDone, core::UsageUpdated,
                   core::ToolCallStarted, core::ToolArgsDelta, core::BackgroundStarted,
                   core::BackgroundEnded, core::AgentStarted, core::AgentProgress, core::AgentEnded,
                   core::PermissionRefused, core::HookStarted, core::HookEnded,
                   core::ConversationReset, core::StateChanged, core::ModeChanged,
                   core::ModelChanged, core::MessageDone, core::RetryScheduled, core::Notice,
                   core::CompactionStarted, core::Compacted, core::CompactionFailed,
                   core::TurnDone>{},
          [&](const core::ToolCallReady& ready) {
            begin_call(ready.call, envelope.address.parent_call_id, now);
          },
          [&](const core::ToolProgress& progress) { see_output(progress); },
          [&](const core::ToolFinished& finished) {
            finish_call(finished, envelope.address.parent_call_id);
          },
      },
      envelope.event);
}

void TerminalView::begin_turn(const core::SessionStarted& started, platform::SteadyTime now) {
  cwd_ = started.cwd;
  model_ = started.model;
  text_look_.columns = screen_.size().columns;
  text_.set_columns(text_look_.columns);
  working_ = true;
  doing_ = "Waiting for the model";
  servers_.clear();
  turn_since_ = now;
  before_ = {};
  spent_ = 0;
  request_ = {};
  context_ = started.context;
  any_ = false;
  after_call_ = false;
  running_.clear();
}

void TerminalView::say(Speaks what, std::string_view text, platform::SteadyTime now) {
  if (speaks_ != what) {
    end_speech(now);
    speaks_ = what;
    spoken_since_ = now;
    doing_ = what == Speaks::thought ? "Thinking" : "Writing";
  }
  if (what == Speaks::thought) {
    thought_ += text;
  } else {
    print_text(text_.add(text));
  }
}

void TerminalView::end_speech(platform::SteadyTime now) {
  if (speaks_ == Speaks::text) print_text(text_.finish());
  if (speaks_ == Speaks::thought && screen_.animated()) {
    const milliseconds took = between(spoken_since_, now);
    dim(took < k_worth_telling ? "Thought" : "Thought for " + duration_text(took));
  }
  thought_.clear();
  text_begun_ = false;
  speaks_ = Speaks::nothing;
}

// A blank line stands between what is said and what is done.
void TerminalView::print_text(std::string_view lines) {
  if (lines.empty()) return;
  if (!text_begun_ && any_) print("\n");
  text_begun_ = true;
  after_call_ = false;
  print(lines);
}

void TerminalView::begin_call(const core::ToolCall& call, const std::string& parent,
                              platform::SteadyTime now) {
  end_speech(now);
  doing_.clear();
  running_[call.id] = {.call = call, .parent = parent, .since = now};
  if (screen_.animated()) return;
  const ToolWords words = words_of(call, cwd_);
  if (any_ && !after_call_) print("\n");
  print_line(std::string(parent.empty() ? "" : k_indent) + mark(false) + words.name +
             (words.subject.empty() ? "" : " ") + words.subject);
  after_call_ = true;
}

void TerminalView::see_output(const core::ToolProgress& progress) {
  const auto found = running_.find(progress.call_id);
  if (found == running_.end() || progress.output.empty()) return;
  found->second.output = last_lines(progress.output, k_most_output);
}

void TerminalView::finish_call(const core::ToolFinished& finished, const std::string& parent) {
  const auto found = running_.find(finished.call.id);
  const milliseconds took =
      found == running_.end() ? milliseconds(0) : between(found->second.since, now_);
  running_.erase(finished.call.id);
  if (running_.empty()) doing_ = "Working";
  ToolWords words = words_of(finished.call, finished.outcome, cwd_, text_look_);
  if (took >= k_worth_telling) {
    words.note += (words.note.empty() ? "" : ", ") + duration_text(took);
  }
  const auto* changed = std::get_if<core::TodosChanged>(&finished.outcome.details);
  if (changed != nullptr && screen_.animated()) {
    todos_ = changed->after;
    todos_changed_ = true;
    return;  // the list itself is shown
  }
  const std::string margin(parent.empty() ? "" : k_indent);
  if (screen_.animated()) {
    if (any_ && !after_call_) print("\n");
    std::string line =
        margin + mark(words.failed) + in_style(words.name, markdown::bold, text_look_);
    if (!words.subject.empty()) line += " " + words.subject;
    if (!words.note.empty()) line += "  " + in_style(words.note, markdown::dim, text_look_);
    print_line(cut_to_width(line, screen_.size().columns));
  } else if (!words.note.empty()) {
    print_line(margin + std::string(k_indent) + words.note);
  }
  after_call_ = true;
  if (parent.empty()) {
    for (const ToolLine& line : words.below) print_below(line);
  }
  if (changed != nullptr) {
    todos_ = changed->after;
    print_todos();
  }
}

void TerminalView::print_below(const ToolLine& line) {
  constexpr std::string_view k_margin = "    ";
  const std::size_t columns = screen_.size().columns;
  const std::size_t room = columns > k_margin.size() ? columns - k_margin.size() : 0;
  const auto parts =
      screen_.animated() ? broken_line(line.text, room) : std::vector<std::string_view>{line.text};
  for (const std::string_view part : parts) {
    print_line(std::string(k_margin).append(in_style(part, line.style, text_look_)));
  }
}

void TerminalView::print_todos() {
  todos_changed_ = false;
  if (any_ && !after_call_) print("\n");
  for (const std::string& line : checklist(todos_, text_look_)) {
    print_line(std::string(k_indent) + line);
  }
}

void TerminalView::finish_turn(const core::TurnDone& done, platform::SteadyTime now) {
  end_speech(now);
  if (todos_changed_) print_todos();
  const bool answers = done.is_local_command && done.outcome == TurnOutcome::success;
  if (answers) print_line(safe_for_terminal(done.text));
  if (done.outcome == TurnOutcome::failed) {
    for (const std::string& line : failure_lines(done.text)) {
      print_line(in_style(line, markdown::removed, text_look_));
    }
  }
  if (core::at_limit(done.outcome)) print_line(safe_for_terminal(limit_words(done)));
  if (done.outcome == TurnOutcome::interrupted) dim("interrupted");
  const std::string closing = closing_line(done);
  if (!closing.empty()) {
    if (any_) print("\n");
    print_line(in_style(closing, markdown::dim, text_look_));
  }
  cost_before_ = core::total_cost_usd(done.by_model);
  working_ = false;
  running_.clear();
  draw();
}

std::string TerminalView::closing_line(const core::TurnDone& done) const {
  if (done.is_local_command || done.total.empty()) return "";
  const std::string_view dot = look_.utf8 ? " · " : ", ";
  std::string line = duration_text(done.duration);
  line.append(dot).append(grouped(done.total.prompt_tokens)).append(" tokens in, ");
  line.append(grouped(done.total.billed_output())).append(" out");
  const double cost = core::total_cost_usd(done.by_model) - cost_before_;
  if (cost > 0) line.append(dot).append(cost_in_dollars(cost));
  return line;
}

void TerminalView::print(std::string_view lines) {
  to_print_ += lines;
  any_ = true;
}

void TerminalView::print_line(std::string_view line) {
  print(std::string(line) + "\n");
}

void TerminalView::dim(std::string_view text) {
  if (speaks_ == Speaks::text) end_speech(now_);
  after_call_ = false;
  print_line(in_style(safe_for_terminal(text), markdown::dim, text_look_));
}

void TerminalView::note(std::string_view text) {
  dim(text);
  draw();
}

void TerminalView::expect_servers(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    servers_ += (servers_.empty() ? "" : ", ") + spelled_for_terminal(name);
  }
}

void TerminalView::show_start() {
  if (servers_.empty() || !screen_.animated()) return;
  working_ = true;
  starts_ = true;
  turn_since_ = now_;
  doing_ = "Starting MCP servers: " + servers_;
  draw();
}

void TerminalView::show_typed(std::string_view text) {
  typed_ = safe_for_terminal(text);
  std::replace(typed_.begin(), typed_.end(), '\n', ' ');
  draw();
}

void TerminalView::pause() {
  paused_ = true;
  end_speech(now_);
  draw();
}

void TerminalView::resume() {
  paused_ = false;
  resumed_ = true;
  draw();
}

std::optional<platform::SteadyTime> TerminalView::wake_at() const {
  if (!screen_.animated() || paused_) return std::nullopt;
  if (draw_at_) return draw_at_;
  if (!working_) return std::nullopt;
  return drawn_at_ + k_between_frames;
}

void TerminalView::on_time(platform::SteadyTime now) {
  const auto due = wake_at();
  if (!due || now < *due) return;
  see(now);
  draw();
}

void TerminalView::draw_soon(platform::SteadyTime now) {
  const bool must = !screen_.animated() || to_print_.size() > k_most_unwritten;
  if (must || now >= drawn_at_ + k_between_draws) {
    draw();
  } else if (!draw_at_) {
    draw_at_ = drawn_at_ + k_between_draws;
  }
}

void TerminalView::draw() {
  draw_at_.reset();
  drawn_at_ = now_;
  const bool rows_wanted = screen_.animated() && working_ && !paused_;
  screen_.update(std::exchange(to_print_, {}), rows_wanted ? rows() : std::vector<std::string>());
}

std::vector<std::string> TerminalView::rows() const {
  const ScreenSize size = screen_.size();
  constexpr std::size_t k_fewest = 3;
  std::vector<std::string> rows = speech_rows(std::max(size.rows / 2, k_fewest));
  add_call_rows(rows);
  if (todos_changed_) {
    std::vector<std::string> list = checklist(todos_, text_look_);
    if (list.size() > k_most_todos) list.resize(k_most_todos);
    for (const std::string& line : list) rows.push_back(std::string(k_indent) + line);
  }
  rows.push_back(status_row());
  if (!typed_.empty()) {
    rows.push_back("> " +
                   std::string(suffix_of_width(typed_, size.columns > 4 ? size.columns - 4 : 1)));
  }
  const std::size_t most = std::max(size.rows, k_fewest) - 1;
  if (rows.size() > most) rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(most));
  return rows;
}

// Those of a subagent stand below its own call.
void TerminalView::add_call_rows(std::vector<std::string>& rows) const {
  std::size_t calls = 0;
  const auto add = [&](const Running& running) {
    if (++calls > k_most_calls) return;
    rows.push_back(call_row(running));
    const std::string margin = (running.parent.empty() ? "" : "  ") + std::string("    ");
    for (const std::string& line : running.output) {
      rows.push_back(margin + in_style(line, markdown::dim, text_look_));
    }
  };
  for (const auto& [id, running] : running_) {
    if (!running.parent.empty() && running_.contains(running.parent)) continue;
    add(running);
    for (const auto& [other, child] : running_) {
      if (child.parent == id) add(child);
    }
  }
  if (calls > k_most_calls) {
    rows.push_back(std::string(k_indent) + std::to_string(calls - k_most_calls) + " more");
  }
}

std::vector<std::string> TerminalView::speech_rows(std::size_t most) const {
  std::vector<std::string> lines;
  if (speaks_ == Speaks::text) {
    lines = text_.open_lines();
    if (!lines.empty() && any_ && !text_begun_) lines.insert(lines.begin(), "");
  }
  if (speaks_ == Speaks::thought) {
    most = std::min(most, k_most_thought);
    const std::string tail = safe_for_terminal(utf8_suffix(thought_, k_thought_tail));
    std::string words = tail;
    std::replace(words.begin(), words.end(), '\n', ' ');
    const std::size_t columns = screen_.size().columns;
    for (const std::string& line : wrapped(words, columns > 6 ? columns - 4 : 2)) {
      lines.push_back(in_style(line, markdown::dim | markdown::italic, text_look_));
    }
  }
  if (lines.size() > most)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

std::string TerminalView::call_row(const Running& running) const {
  const ToolWords words = words_of(running.call, cwd_);
  std::string row = std::string(running.parent.empty() ? "" : k_indent) + mark(false) +
                    in_style(words.name, markdown::bold, text_look_);
  if (!words.subject.empty()) row += " " + words.subject;
  const milliseconds took = between(running.since, now_);
  // What it runs for must be seen, however long its command is.
  if (took < k_worth_telling) return row;
  const std::string time = "  " + whole_seconds(took);
  const std::size_t columns = screen_.size().columns;
  const std::size_t room = columns > time.size() + 2 ? columns - time.size() - 1 : 1;
  return cut_to_width(row, room) + in_style(time, markdown::dim, text_look_);
}

std::string TerminalView::status_row() const {
  StatusFacts facts{.doing = doing_.empty() ? "Working" : doing_,
                    .elapsed = between(turn_since_, now_),
                    .in_background = in_background_,
                    .used = before_};
  facts.used += request_;
  const core::Usage& last = request_.empty() ? context_ : request_;
  const std::int64_t window = look_.context_window(model_);
  if (window > 0 && last.prompt_tokens > 0) {
    facts.context_share = static_cast<int>(last.prompt_tokens * 100 / window);
  }
  facts.cost_usd = spent_ + (request_.empty() ? 0 : look_.cost(model_, request_));
  markdown::TerminalLook look = text_look_;
  look.columns = screen_.size().columns;
  return status_line(facts, look);
}

std::string TerminalView::mark(bool failed) const {
  const std::string_view shape = look_.utf8 ? "●" : "*";
  return in_style(shape, failed ? unsigned{markdown::removed} : unsigned{markdown::added},
                  text_look_) +
         " ";
}

}  // namespace yume::protocol
