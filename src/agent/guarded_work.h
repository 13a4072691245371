// SPDX-License-Identifier: MIT
// Work of a tool that may throw: whatever happens, its call gets one result.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "core/tool_call.h"
#include "tools/text_file.h"
#include "tools/tool.h"

namespace yume::agent {

template <class Work>
auto guarded(const Work& work, const tools::ToolContext& context) -> decltype(work(context)) {
  try {
    return work(context);
  } catch (const std::bad_alloc&) {
    return tools::failed_running("Out of memory: this call needs more than there is.");
  } catch (const std::exception& failure) {
    return tools::failed_running(std::string("Internal error: ") + failure.what());
  }
}

// What tools bring back goes through the redactor before anybody sees it.
inline void clean(core::ToolOutcome& outcome, const Redactor& redactor) {
  redactor.clean(outcome.content);
  redactor.clean(outcome.model_note);
  core::for_each_text(outcome.details, [&](std::string& text) { redactor.clean(text); });
}

}  // namespace yume::agent
