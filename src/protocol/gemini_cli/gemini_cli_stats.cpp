// SPDX-License-Identifier: MIT
#include "protocol/gemini_cli/gemini_cli_stats.h"

#include "core/gemini_cli_calls.h"
#include "util/overloaded.h"

#include <algorithm>

namespace yume::protocol {
namespace {

const core::Patch* patch_of(const core::ToolDetails& details) {
  using None =
      Constant<static_cast<const core::Patch*>(nullptr), core::NoDetails, core::NotebookEdited,
               core::FileRead, core::ImageRead, core::PdfRead, core::NotebookRead, core::CommandRan,
               core::CommandStarted, core::FilesFound, core::FilesMatched, core::MatchesCounted,
               core::LinesMatched, core::DirectoryListed, core::PageFetched, core::WebSearched,
               core::TodosChanged, core::PlanApproved, core::QuestionsAnswered,
               core::BlocksReturned, core::AgentFinished, core::AgentLaunched, core::CallFailed,
               core::CallRejected>;
  return std::visit(Overloaded{None{}, [](const core::FileEdited& edited) { return &edited.patch; },
                               [](const core::FileEditedInSteps& edited) { return &edited.patch; },
                               [](const core::FileWritten& written) { return &written.patch; }},
                    details);
}

// A new file has no patch: all of it is new.
std::int64_t lines_of_new_file(const core::ToolDetails& details) {
  const auto* written = std::get_if<core::FileWritten>(&details);
  if (written == nullptr || written->before || written->content.empty()) return 0;
  const auto ends = std::count(written->content.begin(), written->content.end(), '\n');
  return ends + (written->content.back() == '\n' ? 0 : 1);
}

void write_tokens(JsonWriter& json, const core::Usage& usage) {
  json.field("total_tokens", usage.prompt_tokens + usage.billed_output());
  json.field("input_tokens", usage.prompt_tokens).field("output_tokens", usage.output_tokens);
  json.field("cached", usage.cached_tokens).field("input", usage.uncached_prompt());
}

void write_full_tokens(JsonWriter& json, const core::Usage& usage) {
  json.begin_object().field("input", usage.uncached_prompt());
  json.field("prompt", usage.prompt_tokens).field("candidates", usage.output_tokens);
  json.field("total", usage.prompt_tokens + usage.billed_output());
  json.field("cached", usage.cached_tokens).field("thoughts", usage.thought_tokens);
  json.field("tool", 0).end_object();
}

core::Usage total_of(const core::UsageByModel& by_model) {
  core::Usage total;
  for (const auto& [name, model] : by_model) total += model.usage;
  return total;
}

std::int64_t count_of(std::chrono::milliseconds time) {
  return static_cast<std::int64_t>(time.count());
}

}  // namespace

void GeminiCliStats::count(const core::ToolCallReady& ready, platform::SteadyTime now) {
  calls_[ready.call.id] = {.began = now};
}

void GeminiCliStats::count(const core::PermissionRefused& refused) {
  calls_[refused.call.id].refused = true;
}

void GeminiCliStats::count(const core::ToolFinished& finished, platform::SteadyTime now) {
  Open& call = calls_[finished.call.id];
  const core::ToolDetails& details = finished.outcome.details;
  if (std::holds_alternative<core::CallRejected>(details)) call.refused = true;
  Tool& tool = tools_[core::as_gemini_cli_call(finished.call).name];
  ++tool.count;
  tool.failed += finished.outcome.is_error ? 1 : 0;
  tool.refused += call.refused ? 1 : 0;
  if (call.began != platform::SteadyTime{}) {
    tool.duration += std::chrono::duration_cast<std::chrono::milliseconds>(now - call.began);
  }
  lines_added_ += lines_of_new_file(details);
  if (const core::Patch* patch = patch_of(details)) {
    for (const core::PatchHunk& hunk : *patch) {
      for (const std::string& line : hunk.lines) {
        lines_added_ += line.starts_with('+') ? 1 : 0;
        lines_removed_ += line.starts_with('-') ? 1 : 0;
      }
    }
  }
}

bool GeminiCliStats::was_refused(const std::string& call_id) const {
  const auto found = calls_.find(call_id);
  return found != calls_.end() && found->second.refused;
}

void GeminiCliStats::write_short(JsonWriter& json, const core::TurnDone& done) const {
  std::int64_t calls = 0;
  for (const auto& [name, tool] : tools_) calls += tool.count;
  json.begin_object();
  write_tokens(json, total_of(done.by_model));
  json.field("duration_ms", count_of(done.duration)).field("tool_calls", calls);
  json.key("models").begin_object();
  for (const auto& [name, model] : done.by_model) {
    json.key(name).begin_object();
    write_tokens(json, model.usage);
    json.end_object();
  }
  json.end_object().end_object();
}

// Requests are counted for the session's own model, which is the one that has read most; of others,
// which subagents may have, only the tokens are known.
void GeminiCliStats::write_full(JsonWriter& json, const core::TurnDone& done) const {
  const auto main = std::max_element(
      done.by_model.begin(), done.by_model.end(), [](const auto& one, const auto& other) {
        return one.second.usage.prompt_tokens < other.second.usage.prompt_tokens;
      });
  json.begin_object().key("models").begin_object();
  for (auto model = done.by_model.begin(); model != done.by_model.end(); ++model) {
    const auto counts = [&] {
      const bool is_main = model == main;
      json.field("totalRequests", is_main ? requests_ + failed_requests_ : std::int64_t{0});
      json.field("totalErrors", is_main ? failed_requests_ : std::int64_t{0});
      json.field("totalLatencyMs", is_main ? count_of(done.api_duration) : std::int64_t{0});
    };
    json.key(model->first).begin_object().key("api").begin_object();
    counts();
    json.key("errorsByType").begin_object().end_object().end_object().key("tokens");
    write_full_tokens(json, model->second.usage);
    json.key("roles").begin_object().key(model == main ? "main" : "subagent").begin_object();
    counts();
    json.key("tokens");
    write_full_tokens(json, model->second.usage);
    json.end_object().end_object().end_object();
  }
  json.end_object();
  write_tools(json);
  json.key("files").begin_object().field("totalLinesAdded", lines_added_);
  json.field("totalLinesRemoved", lines_removed_).end_object().end_object();
}

void GeminiCliStats::write_tools(JsonWriter& json) const {
  Tool sum;
  for (const auto& [name, tool] : tools_) {
    sum.count += tool.count;
    sum.failed += tool.failed;
    sum.refused += tool.refused;
    sum.duration += tool.duration;
  }
  const auto decisions = [&json](const Tool& tool) {
    json.begin_object().field("accept", tool.count - tool.refused);
    json.field("reject", tool.refused).field("modify", 0).field("auto_accept", 0).end_object();
  };
  json.key("tools").begin_object().field("totalCalls", sum.count);
  json.field("totalSuccess", sum.count - sum.failed).field("totalFail", sum.failed);
  json.field("totalDurationMs", count_of(sum.duration)).key("totalDecisions");
  decisions(sum);
  json.key("byName").begin_object();
  for (const auto& [name, tool] : tools_) {
    json.key(name).begin_object().field("count", tool.count);
    json.field("success", tool.count - tool.failed).field("fail", tool.failed);
    json.field("durationMs", count_of(tool.duration)).key("decisions");
    decisions(tool);
    json.end_object();
  }
  json.end_object().end_object();
}

}  // namespace yume::protocol
