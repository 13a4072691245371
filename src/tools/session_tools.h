// SPDX-License-Identifier: MIT
// Tools that touch nothing but the conversation itself: the todo list, skills, and questions to the
// user.
#pragma once

#include <memory>

#include "core/tool_names.h"
#include "tools/skill_book.h"
#include "tools/tool.h"
#include "util/json_schema.h"
#include "util/result.h"

namespace yume::tools {

std::unique_ptr<Tool> make_todo_write_tool();
// Lists the skills that there are when it is made. `book` outlives it.
std::unique_ptr<Tool> make_skill_tool(const SkillBook& book);
// By which the model answers in the form of this schema. The error's message completes "the
// schema".
Result<std::unique_ptr<Tool>> make_structured_output_tool(const RawJson& schema);
// These two need a host that can answer.
std::unique_ptr<Tool> make_exit_plan_mode_tool();
std::unique_ptr<Tool> make_ask_user_question_tool();

}  // namespace yume::tools
