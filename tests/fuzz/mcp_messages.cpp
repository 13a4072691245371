// SPDX-License-Identifier: MIT
// Whatever an MCP server answers is read without harm: lists stay bounded, and what comes out of a
// result is text that can be written.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mcp/call_result.h"
#include "mcp/config_reader.h"
#include "mcp/messages.h"
#include "support/tool_world.h"

namespace {

using namespace yume;

void require(bool good) {
  if (!good) std::abort();
}

void check_outcome(const core::ToolOutcome& outcome) {
  std::string written;
  append_json_string(written, outcome.content);
  require(check_json(written).ok());
  require(outcome.media.size() <= 20);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;
  const RawJson text{std::string(reinterpret_cast<const char*>(data), size)};
  (void)mcp::read_hello(text);
  if (const auto tools = mcp::read_tools(text); tools.ok()) require(tools->items.size() <= 1000);
  (void)mcp::read_prompts(text);
  (void)mcp::read_resources(text);
  (void)mcp::read_prompt(text);
  (void)mcp::read_progress(text);
  (void)mcp::log_text(text);
  (void)mcp::read_elicitation(text);
  (void)mcp::read_config(text.text, "user", [](std::string_view) { return std::nullopt; });
  test::ToolWorld world;
  check_outcome(mcp::read_call_result(text, "s", world.context()));
  check_outcome(mcp::read_resource_result(text, "s", world.context()));
  return 0;
}
