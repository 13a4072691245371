// SPDX-License-Identifier: MIT
// How the lines for one kind of host differ from Claude Code's own. Everything off: they do not.
#pragma once

#include <string_view>

namespace yume::protocol {

enum class PartialMessages { no, yes };

struct ClaudeLook {
  PartialMessages partial = PartialMessages::no;
  // Wants to know whether the session works, waits for an answer, or has nothing to do.
  bool reports_state = false;
  // Wants to see each prompt again when it is taken.
  bool replays_prompts = false;
  // Takes the usage of every line for the size of the context, and zeros for a compaction: the
  // result has that of the last request instead of the turn's sum, and never nothing.
  bool usage_is_context = false;
  // Shows two equal blocks once, unless each has an id.
  bool ids_on_blocks = false;
  // Shows only texts: what a person should know is one of the assistant.
  bool notices_as_text = false;
  // Shows a result's text unless the last text is the same: it is left out where it is not.
  bool result_repeats_last_text = false;
  // Drops errors: every reason is a text of the assistant, and the result says that it failed.
  bool reasons_as_text = false;
  // Takes the word "compact" in a result for a compaction.
  bool hides_the_word_compact = false;
  // Shows nothing of what subagents do, and knows their tool by its old name.
  bool hides_subagents = false;
  // Knows tool calls by their id in all conversations of a tab.
  bool tags_calls = false;
};

}  // namespace yume::protocol
