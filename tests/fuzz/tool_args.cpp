// SPDX-License-Identifier: MIT
// The first line is a tool's name or alias, the rest its arguments. Any JSON object gets a plan or
// a refusal; planning changes nothing, so nothing is run.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "platform/file_system.h"
#include "platform/process.h"
#include "tools/aliases.h"
#include "tools/registry.h"
#include "util/json_io.h"

namespace {

using namespace yume;

class NoProcesses final : public platform::ProcessRunner {
 public:
  Result<std::unique_ptr<platform::RunningProcess>> start(const platform::ProcessSpec&) override {
    return Error{.code = ErrorCode::permission_denied, .message = "nothing runs here"};
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tools::Registry registry = tools::make_builtin_tools();
  static const auto files = platform::make_system_file_system();
  static const platform::SystemClock clock;
  static NoProcesses processes;
  static tools::FileMemory memory;
  static tools::Shell shell;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view called = input.substr(0, end);
  const std::string_view arguments = input.substr(end + 1);
  constexpr int k_deepest = 64;
  if (!check_json(arguments, k_deepest).ok()) return 0;
  auto parsed = nlohmann::json::parse(arguments, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) return 0;
  const tools::Tool* tool = registry.find(called);
  const auto before = parsed;
  const bool changed = tools::rename_fields(called, parsed);
  if (changed != (parsed != before)) std::abort();
  if (tool == nullptr) return 0;
  const tools::ToolContext context{.cwd = "/nonexistent/cwd",
                                   .home = "/nonexistent/home",
                                   .child_environment = {},
                                   .files = *files,
                                   .processes = processes,
                                   .clock = clock,
                                   .memory = memory,
                                   .cancel = {},
                                   .shell = shell};
  const tools::Plan plan = tool->plan(parsed, context);
  if (const auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
    if (!outcome->is_error || outcome->content.empty()) std::abort();
  }
  return 0;
}
