// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/bash.h"
#include "tools/descriptions.h"
#include "tools/search/matcher.h"

#include <algorithm>
#include <utility>

namespace yume::tools {
namespace {

using core::BackgroundStatus;
using std::chrono::milliseconds;

constexpr milliseconds k_default_wait{30'000};
constexpr milliseconds k_longest_wait{600'000};

struct OutputCall {
  std::string id;
  std::string filter;
  milliseconds longest_wait{0};
};

// The lines that match.
std::string filtered(const std::string& text, const search::Matcher& matcher) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at) + "\n";
    if (matcher.find(line, 0)) kept += line;
    at = end + 1;
  }
  if (!kept.empty()) kept.pop_back();
  return kept;
}

// Hosts look for these tags.
std::string report(const BackgroundView& view, bool waited) {
  const bool running = view.status == BackgroundStatus::running;
  std::string text = "<retrieval_status>";
  text += !running ? "success" : waited ? "timeout" : "not_ready";
  text += "</retrieval_status>\n\n<task_id>" + view.id + "</task_id>\n\n";
  text += "<task_type>local_bash</task_type>\n\n<status>";
  text += std::string(to_string(view.status)) + "</status>";
  if (view.exit_code) text += "\n\n<exit_code>" + std::to_string(*view.exit_code) + "</exit_code>";
  if (!view.new_output.empty()) text += "\n\n<output>\n" + view.new_output + "\n</output>";
  return text;
}

core::ToolOutcome read_output(const OutputCall& call, const search::Matcher* matcher,
                              const ToolContext& context) {
  BackgroundCommands& background = context.shell.background();
  if (call.longest_wait.count() > 0) {
    background.wait_for_end(call.id, call.longest_wait, context.cancel);
  }
  auto view = background.take_output(call.id);
  if (!view) return refused_input("No background command with ID " + call.id);
  core::ToolOutcome outcome;
  const std::string note = wall_note(context.shell.wall(), view->new_output);
  if (matcher != nullptr) view->new_output = filtered(view->new_output, *matcher);
  outcome.content = report(*view, call.longest_wait.count() > 0);
  if (!note.empty()) outcome.content += "\n\n" + note;
  return outcome;
}

class BashOutputTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    OutputCall call;
    call.id = args.required_string("bash_id");
    call.filter = args.optional_string("filter").value_or("");
    const bool block = args.optional_bool("block", false);
    const auto timeout = args.optional_integer("timeout");
    if (auto problem = args.problems()) return *problem;
    if (block) {
      call.longest_wait = std::clamp(milliseconds(timeout.value_or(k_default_wait.count())),
                                     milliseconds(1), k_longest_wait);
    }
    std::shared_ptr<search::Matcher> matcher;  // shared because std::function copies
    if (!call.filter.empty()) {
      auto compiled = search::Matcher::compile(call.filter, {});
      if (!compiled.ok()) return refused_input(compiled.error().message);
      matcher = std::make_shared<search::Matcher>(std::move(compiled).value());
    }
    if (!context.shell.background().look(call.id)) {
      return refused_input("No background command with ID " + call.id);
    }
    return PlannedCall{.action = core::StaysInSession{},
                       .run = [call, matcher](const ToolContext& running) {
                         return read_output(call, matcher.get(), running);
                       }};
  }

 private:
  ToolSpec spec_{
      .name = "BashOutput",
      .description = std::string(description_text("bash_output")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("bash_id":{"type":"string","description":"The ID that Bash gave"},)"
                       R"("filter":{"type":"string","description":"Regular expression; lines )"
                       R"(that do not match are left out"},)"
                       R"("block":{"type":"boolean","description":"Wait for its end"},)"
                       R"("timeout":{"type":"integer","description":"Milliseconds to wait at )"
                       R"(most"}},"required":["bash_id"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,  // what was read is not given again: in order, one by one
  };
};

}  // namespace

std::unique_ptr<Tool> make_bash_output_tool() {
  return std::make_unique<BashOutputTool>();
}

}  // namespace yume::tools
