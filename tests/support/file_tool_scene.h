// SPDX-License-Identifier: MIT
// The file tools through plan and run, on a file system in memory, with outcomes as text.
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "support/event_text.h"
#include "support/tool_world.h"
#include "tools/file_tools.h"

namespace yume::test {

struct FileToolScene : ToolWorld {
  // What the call would do, then what it did.
  std::string run(const tools::Tool& tool, const nlohmann::json& input) {
    tools::Plan plan = tool.plan(input, context());
    if (const auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
      planned = "refused";
      return text_of(*outcome);
    }
    const auto& call = std::get<tools::PlannedCall>(plan);
    if (const auto* read = std::get_if<core::ReadsFile>(&call.action)) {
      planned = "reads " + read->path.string();
    } else {
      planned = "writes " + std::get<core::WritesFile>(call.action).path.string();
    }
    return text_of(call.run(context()));
  }
  std::string read(const nlohmann::json& input) { return run(*read_tool, input); }
  std::string write(const std::string& path, const std::string& content) {
    return run(*write_tool, {{"file_path", path}, {"content", content}});
  }
  std::string edit(const std::string& path, const std::string& from, const std::string& to,
                   bool all = false) {
    return run(
        *edit_tool,
        {{"file_path", path}, {"old_string", from}, {"new_string", to}, {"replace_all", all}});
  }
  std::string multi_edit(const std::string& path, const nlohmann::json& edits) {
    return run(*multi_edit_tool, {{"file_path", path}, {"edits", edits}});
  }
  std::string content(const std::string& path) {
    const auto bytes = files.read(path, 1U << 30U);
    return bytes.ok() ? *bytes : bytes.error().message;
  }

  std::unique_ptr<tools::Tool> read_tool = tools::make_read_tool();
  std::unique_ptr<tools::Tool> write_tool = tools::make_write_tool();
  std::unique_ptr<tools::Tool> edit_tool = tools::make_edit_tool();
  std::unique_ptr<tools::Tool> multi_edit_tool = tools::make_multi_edit_tool();
  std::unique_ptr<tools::Tool> notebook_edit_tool = tools::make_notebook_edit_tool();
  std::string planned;
};

inline std::string refused(const std::string& text) {
  return "error: <tool_use_error>" + text + "</tool_use_error> | " +
         nlohmann::json("Error: " + text).dump();
}
inline std::string failed(const std::string& text) {
  return "error: " + text + " | " + nlohmann::json("Error: " + text).dump();
}

}  // namespace yume::test
