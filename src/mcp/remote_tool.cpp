// SPDX-License-Identifier: MIT
#include "mcp/remote_tool.h"

#include "mcp/call_result.h"
#include "mcp/tool_names.h"
#include "tools/text_file.h"
#include "util/json_tree.h"

#include <mutex>
#include <utility>

namespace yume::mcp {
namespace {

// Between two reports to the host, however often the server reports.
constexpr std::chrono::milliseconds k_report_gap{1'000};

// Tells the host how long a call has been running, whenever its server reports progress.
class ProgressReport {
 public:
  ProgressReport(Server& server, const std::string& tool, const tools::ToolContext& context)
      : server_(server) {
    if (context.events == nullptr) return;
    auto last = std::make_shared<Last>();
    last->start = last->told = context.clock.steady_now();
    // The sink and the clock are the session's and outlive the connection.
    token_ = server.watch_progress([last, tool, call_id = context.call_id, &clock = context.clock,
                                    events = context.events](const Progress&) {
      const auto now = clock.steady_now();
      {
        const std::lock_guard lock(last->mutex);
        if (now - last->told < k_report_gap) return;
        last->told = now;
      }
      events->post(core::ToolProgress{
          .call_id = call_id,
          .tool_name = tool,
          .elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - last->start)});
    });
  }
  ~ProgressReport() {
    if (!token_.empty()) server_.forget_progress(token_);
  }
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;

  [[nodiscard]] const std::string& token() const { return token_; }

 private:
  struct Last {
    std::mutex mutex;
    platform::SteadyTime start;
    platform::SteadyTime told;
  };

  Server& server_;
  std::string token_;
};

class RemoteTool final : public tools::Tool {
 public:
  RemoteTool(std::shared_ptr<Server> server, const ToolInfo& info)
      : server_(std::move(server)),
        remote_name_(info.name),
        needs_task_(info.needs_task),
        spec_{.name = tool_name(server_->config().name, info.name),
              .description = info.description,
              .input_schema = info.input_schema,
              .effect = info.facts.read_only ? tools::Effect::reads_only
                                             : tools::Effect::changes_things} {}

  [[nodiscard]] const tools::ToolSpec& spec() const override { return spec_; }

  [[nodiscard]] tools::Plan plan(const nlohmann::json& input,
                                 const tools::ToolContext& /*context*/) const override {
    return tools::PlannedCall{
        .action = core::CallsServer{.server = server_->config().name, .tool = remote_name_},
        .run = [server = server_, name = spec_.name,
                call = CallParams{.tool = remote_name_,
                                  .arguments = {write_json(input)},
                                  .call_id = {},
                                  .progress_token = {},
                                  .as_task = needs_task_}](const tools::ToolContext& context) {
          return run(*server, name, call, context);
        }};
  }

 private:
  static core::ToolOutcome run(Server& server, const std::string& name, CallParams call,
                               const tools::ToolContext& context) {
    const ProgressReport progress(server, name, context);
    call.call_id = context.call_id;
    call.progress_token = progress.token();
    auto result = server.ask("tools/call", call_params(call), context.cancel);
    // Answered when the task has ended.
    if (const std::string task = result.ok() ? read_task(*result) : ""; !task.empty()) {
      result = server.ask("tasks/result", task_params(task), context.cancel);
    }
    if (result.ok()) return read_call_result(*result, server.config().name, context);
    std::string text = result.error().message;
    if (result.error().code == ErrorCode::timeout) text += " (MCP_TOOL_TIMEOUT raises the limit)";
    return tools::failed_running(std::move(text));
  }

  std::shared_ptr<Server> server_;
  std::string remote_name_;
  bool needs_task_;
  tools::ToolSpec spec_;
};

}  // namespace

std::unique_ptr<tools::Tool> make_remote_tool(std::shared_ptr<Server> server,
                                              const ToolInfo& info) {
  return std::make_unique<RemoteTool>(std::move(server), info);
}

}  // namespace yume::mcp
