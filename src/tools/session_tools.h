// SPDX-License-Identifier: MIT
// Tools that touch nothing but the conversation itself: the todo list, and questions to the user.
#pragma once

#include <memory>

#include "tools/tool.h"

namespace yume::tools {

std::unique_ptr<Tool> make_todo_write_tool();
// These two need a host that can answer.
std::unique_ptr<Tool> make_exit_plan_mode_tool();
std::unique_ptr<Tool> make_ask_user_question_tool();

}  // namespace yume::tools
