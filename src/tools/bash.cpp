// SPDX-License-Identifier: MIT
#include "tools/bash.h"

#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/text_file.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::tools {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds k_default_timeout{120'000};
constexpr milliseconds k_longest_timeout{600'000};
constexpr std::size_t k_kept_at_each_end = 15'000;  // 30,000 characters are shown in all

// The first and the last part of the output; memory stays the same however much is printed.
class OutputEnds final : public platform::ProcessOutput {
 public:
  void on_output(std::string_view bytes) override {
    const std::size_t room = k_kept_at_each_end - std::min(head_.size(), k_kept_at_each_end);
    head_.append(bytes.substr(0, room));
    tail_.append(bytes.substr(std::min(room, bytes.size())));
    if (tail_.size() > 4 * k_kept_at_each_end) drop_from_tail();
  }

  std::string text() {
    drop_from_tail();
    std::string all = head_;
    if (dropped_ > 0) {
      all += "\n\n... [" + std::to_string(dropped_) + " bytes of output left out] ...\n\n";
    }
    all += tail_;
    while (!all.empty() && (all.back() == '\n' || all.back() == '\r')) all.pop_back();
    return to_valid_utf8(all);
  }

 private:
  void drop_from_tail() {
    if (tail_.size() <= k_kept_at_each_end) return;
    const std::size_t excess = tail_.size() - k_kept_at_each_end;
    tail_.erase(0, excess);
    dropped_ += excess;
  }

  std::string head_;
  std::string tail_;
  std::uint64_t dropped_ = 0;
};

std::string seconds_text(milliseconds time) {
  const auto whole = time.count() / 1000;
  return time.count() % 1000 == 0 ? std::to_string(whole) + "s"
                                  : std::to_string(time.count()) + "ms";
}

std::string with_output(std::string first_line, const std::string& output) {
  if (!output.empty()) first_line += "\n" + output;
  return first_line;
}

core::ToolOutcome succeeded(const std::string& output) {
  core::ToolOutcome outcome;
  outcome.reports_success = true;
  outcome.content = output.empty() ? "(Bash completed with no output)" : output;
  std::string details;
  JsonWriter json(details);
  json.begin_object().field("stdout", output).field("stderr", "").field("interrupted", false);
  json.field("isImage", false).field("noOutputExpected", false).end_object();
  outcome.details = RawJson{std::move(details)};
  return outcome;
}

core::ToolOutcome run_bash(const std::string& command, milliseconds timeout,
                           const ToolContext& context) {
  OutputEnds output;
  const auto ended =
      context.processes.run({.argv = {"/bin/bash", "--noprofile", "--norc", "-c", command},
                             .cwd = context.cwd,
                             .environment = context.child_environment,
                             .timeout = timeout},
                            output, context.cancel);
  if (!ended.ok()) return failed_running(ended.error().message);
  const std::string text = output.text();
  switch (ended->kind) {
    case platform::ProcessEndKind::exited:
      if (ended->exit_code == 0) return succeeded(text);
      return failed_running(with_output("Exit code " + std::to_string(ended->exit_code), text));
    case platform::ProcessEndKind::signalled:
      return failed_running(with_output("Exit code " + std::to_string(128 + ended->signal), text));
    case platform::ProcessEndKind::timed_out:
      return failed_running(
          with_output("Exit code 143\nCommand timed out after " + seconds_text(timeout), text));
    case platform::ProcessEndKind::cancelled:
      return failed_running(with_output("Command was stopped", text));
  }
  return failed_running("Command ended in an unknown way");
}

class BashTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& /*context*/) const override {
    ArgReader args(spec_.name, input);
    std::string command = args.required_string("command");
    const auto timeout_ms = args.optional_integer("timeout");
    (void)args.optional_string("description");
    if (auto problem = args.problems()) return *problem;
    if (command.find('\0') != std::string::npos) {
      return refused_input("The command contains a NUL byte.");
    }
    const milliseconds timeout =
        std::clamp(milliseconds(timeout_ms.value_or(k_default_timeout.count())), milliseconds(1),
                   k_longest_timeout);
    return PlannedCall{.action = core::RunsCommand{command},
                       .run = [command, timeout](const ToolContext& running) {
                         return run_bash(command, timeout, running);
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
                       R"(what it does"}},"required":["command"],"additionalProperties":false})"},
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_bash_tool() {
  return std::make_unique<BashTool>();
}

}  // namespace yume::tools
