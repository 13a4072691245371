// SPDX-License-Identifier: MIT
#include "tools/bash.h"

#include "tools/args.h"
#include "tools/command_output.h"
#include "tools/descriptions.h"
#include "tools/live_output.h"
#include "tools/proven_steps.h"
#include "tools/text_file.h"
#include "tools/wall.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::tools {
namespace {

using platform::ProcessEnd;
using platform::ProcessEndKind;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds k_first_progress{2};
constexpr seconds k_next_progress{5};
// For a person who watches the output.
constexpr milliseconds k_between_looks{150};

struct BashCall {
  std::string command;
  std::string description;
  milliseconds timeout;
  bool in_background = false;
  bool wants_no_wall = false;
};

// Only the model asks for it, and it is not the one whom the wall protects.
constexpr std::string_view k_wall_stays =
    "dangerouslyDisableSandbox had no effect: only the user can change the sandbox.";

// What is started, and what the wall around it is.
struct Started {
  platform::ProcessSpec spec;
  const CommandWall* wall = nullptr;  // null: none
};

Started prepare(const BashCall& call, const ToolContext& context) {
  // A terminal of the host has no file for it.
  const bool reports = !call.in_background && context.terminals == nullptr;
  auto shell = platform::shell_command(
      context.shell.settings().command_shell, call.command,
      reports ? platform::DirectoryReport::wanted : platform::DirectoryReport::none);
  Started started{
      .spec = {.argv = std::move(shell.argv),
               .cwd = context.shell.cwd(context.cwd, context.files),
               .environment = context.child_environment,
               .timeout = call.in_background ? std::nullopt : std::optional(call.timeout),
               .input = std::move(shell.input),
               .shell_reports_directory = reports}};
  platform::ProcessSpec& spec = started.spec;
  // What was proven is what runs.
  if (!context.proven_steps.empty() && platform::can_run_steps()) {
    spec.environment = quiet_environment(context.child_environment);
    spec.input = {};
    spec.steps = process_steps(context.proven_steps, context);
  }
  started.wall = context.shell.wall_for(call.command, spec.cwd, context.events);
  if (started.wall != nullptr) put_behind(*started.wall, spec);
  return started;
}

// Waits, and tells the host now and then that there is still something to wait for.
Result<ProcessEnd> wait_for_end(platform::RunningProcess& process, CommandOutput& kept,
                                const ToolContext& context) {
  const OnCancel on_cancel(context.cancel, [&process] { process.stop(); });
  const bool watched = context.shows_output && context.events != nullptr;
  LiveOutput live(kept, context.redactor);
  platform::ProcessOutput& output = watched ? static_cast<platform::ProcessOutput&>(live) : kept;
  const platform::SteadyTime start = context.clock.steady_now();
  const auto pause = watched ? k_between_looks : milliseconds(k_next_progress);
  for (platform::SteadyTime next = start + (watched ? pause : k_first_progress);; next += pause) {
    if (auto end = process.wait(output, next)) return *std::move(end);
    if (context.events == nullptr) continue;
    core::ToolProgress progress{.call_id = context.call_id, .tool_name = "Bash"};
    progress.elapsed = std::chrono::floor<seconds>(context.clock.steady_now() - start);
    if (watched) progress.output = live.take();
    if (!watched || !progress.output.empty()) context.events->post(std::move(progress));
  }
}

std::string seconds_text(milliseconds time) {
  const auto whole = time.count() / 1000;
  return time.count() % 1000 == 0 ? std::to_string(whole) + "s"
                                  : std::to_string(time.count()) + "ms";
}

// How a command ended, unless well.
std::string failure_text(const ProcessEnd& end, milliseconds timeout) {
  switch (end.kind) {
    case ProcessEndKind::exited:
      return "Exit code " + platform::exit_code_text(end.exit_code);
    case ProcessEndKind::signalled:
      return "Exit code " + std::to_string(128 + end.signal) + " (killed by " +
             platform::signal_name(end.signal) + ")";
    case ProcessEndKind::timed_out:
      return "Exit code 143\nCommand timed out after " + seconds_text(timeout);
    case ProcessEndKind::cancelled:
      break;
  }
  return "Command was stopped";
}

std::string join_lines(std::string first, const std::string& second) {
  if (!first.empty() && !second.empty()) first += "\n";
  return first + second;
}

// What is said below the output.
std::string notes_for(const BashCall& call, const ToolContext& context, std::string_view output,
                      const CommandWall* wall, bool stays) {
  std::string notes = wall_note(wall, output);
  if (wall != nullptr && call.wants_no_wall)
    notes = join_lines(std::move(notes), std::string(k_wall_stays));
  return join_lines(std::move(notes),
                    stays ? "" : "Shell cwd was reset to " + to_utf8(context.cwd));
}

core::ToolOutcome succeeded(const CommandOutput& output, const std::string& note) {
  core::ToolOutcome outcome;
  outcome.reports_success = true;
  outcome.content = join_lines(output.text(CommandOutput::Shown::beginning), note);
  if (outcome.content.empty()) outcome.content = "(Bash completed with no output)";
  outcome.details =
      core::CommandRan{.output = output.beginning(), .note = note, .kept = output.kept()};
  return outcome;
}

// In a terminal of the host, if there are any and the command may do all that the host may. A
// command that was proven to read only is started here, exactly as it was proven.
Result<std::unique_ptr<platform::RunningProcess>> start_in_terminal(const Started& started,
                                                                    const ToolContext& context) {
  const bool is_free = started.wall == nullptr && started.spec.steps.empty();
  if (context.terminals == nullptr || !is_free || !started.spec.input.empty()) {
    return std::unique_ptr<platform::RunningProcess>();
  }
  platform::ProcessSpec spec = started.spec;
  spec.environment = context.shell.settings().terminal_environment;
  return context.terminals->start(spec, context.call_id, context.cancel);
}

// Of a terminal it is not known where its shell ended.
bool may_move(std::string_view command) {
  constexpr std::string_view k_between = " \t\n;&|(){}`\"'$";
  while (!command.empty()) {
    const std::size_t end = command.find_first_of(k_between);
    const std::string_view word = command.substr(0, end);
    if (word == "cd" || word == "pushd" || word == "popd") return true;
    command.remove_prefix(end == std::string_view::npos ? command.size() : end + 1);
  }
  return false;
}

core::ToolOutcome run_to_end(const BashCall& call, const ToolContext& context) {
  CommandOutput output(context.files, context.output_directory, context.call_id, context.redactor);
  const Started started = prepare(call, context);
  auto process = start_in_terminal(started, context);
  if (!process.ok()) return failed_running(process.error().message);
  const bool in_terminal = *process != nullptr;
  if (!in_terminal) process = context.processes.start(started.spec);
  if (!process.ok()) return failed_running(process.error().message);
  const auto ended = wait_for_end(**process, output, context);
  output.finish();
  if (!ended.ok()) return failed_running(ended.error().message);
  bool stays = context.shell.move_to((*process)->final_cwd(), context.cwd, context.files);
  if (in_terminal && may_move(call.command)) {
    stays = false;
    (void)context.shell.move_to(context.cwd, context.cwd, context.files);
  }
  const std::string shown = output.text(CommandOutput::Shown::both_ends);
  const std::string notes = notes_for(call, context, shown, started.wall, stays);
  if (*ended == ProcessEnd{}) return succeeded(output, notes);
  const std::string text = join_lines(failure_text(*ended, call.timeout), shown);
  return failed_running(join_lines(text, notes));
}

core::ToolOutcome run_in_background(const BashCall& call, const ToolContext& context) {
  BackgroundCommands& background = context.shell.background();
  if (!background.has_room()) {
    return failed_running("There are " + std::to_string(BackgroundCommands::k_most_running) +
                          " background commands already. Stop one with KillShell first.");
  }
  auto process = context.processes.start(prepare(call, context).spec);
  if (!process.ok()) return failed_running(process.error().message);
  const std::filesystem::path file = output_file(context.output_directory, context.call_id);
  const std::string id = background.adopt({.command = call.command,
                                           .description = call.description,
                                           .call_id = context.call_id,
                                           .process = std::move(process).value(),
                                           .files = context.files,
                                           .file = file,
                                           .redactor = context.redactor,
                                           .events = context.events});
  core::ToolOutcome outcome;
  outcome.reports_success = true;
  outcome.content = "Command running in background with ID: " + id +
                    ". Output is being written to: " + to_utf8(file) +
                    ". You will be notified when it completes. To check interim output, use Read "
                    "on that file path.";
  outcome.details = core::CommandStarted{id};
  return outcome;
}

class BashTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    BashCall call;
    call.command = args.required_string("command");
    const auto timeout_ms = args.optional_integer("timeout");
    call.description = args.optional_string("description").value_or("");
    call.in_background = args.optional_bool("run_in_background", false);
    call.wants_no_wall = args.optional_bool("dangerouslyDisableSandbox", false);
    if (auto problem = args.problems()) return *problem;
    if (call.command.find('\0') != std::string::npos) {
      return refused_input("The command contains a NUL byte.");
    }
    if (call.in_background && context.output_directory.empty()) {
      return refused_input("run_in_background needs a home directory for the output.");
    }
    const ShellSettings& limits = context.shell.settings();
    call.timeout = std::clamp(milliseconds(timeout_ms.value_or(limits.default_timeout.count())),
                              milliseconds(1), limits.longest_timeout);
    return PlannedCall{
        .action = core::RunsCommand{.command = call.command,
                                    .cwd = context.shell.cwd(context.cwd, context.files)},
        .run = [call](const ToolContext& running) {
          return call.in_background ? run_in_background(call, running) : run_to_end(call, running);
        }};
  }

 private:
  ToolSpec spec_{
      .name = "Bash",
      .description = std::string(description_text("bash")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("command":{"type":"string","description":"The command to run"},)"
                       R"("timeout":{"type":"integer","description":"Milliseconds"},)"
                       R"("description":{"type":"string","description":"Five to ten words on )"
                       R"(what it does"},)"
                       R"("run_in_background":{"type":"boolean","description":"Return at once )"
                       R"(and leave the command running"}},)"
                       R"("required":["command"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_bash_tool() {
  return std::make_unique<BashTool>();
}

}  // namespace yume::tools
