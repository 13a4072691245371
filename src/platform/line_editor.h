// SPDX-License-Identifier: MIT
// A person types a line at the terminal, and edits it: arrows, history, search, completion. A line
// may have line ends of its own, typed with Ctrl-J or pasted. One thread; nobody else writes to the
// terminal meanwhile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "util/cancel.h"

namespace yume::platform {

struct LineEditorSpec {
  std::vector<std::string> history = {};  // oldest first
  // What the word at the end of this text, which stands before the cursor, may become.
  std::function<std::vector<std::string>(std::string_view before)> complete = {};
};

class LineEditor {
 public:
  enum class End {
    line,
    end_of_input,  // Ctrl-D, or the terminal is gone
    cancelled,     // by the token; nothing of the line is left on the screen
  };
  struct Typed {
    End end = End::line;
    std::string text = {};  // also of a line that was cancelled
    // Of a cancelled one: what was typed behind it. It may end in the beginning of a pasted text,
    // behind its mark, of which the rest is still to come.
    std::string unread = {};
  };

  virtual ~LineEditor() = default;
  // Blocks. `begun` was typed before, and can be changed. It may end in the beginning of a pasted
  // text, behind its mark (raw_typing.h), of which the rest comes first.
  virtual Typed read(std::string_view prompt, std::string_view begun,
                     const CancelToken& cancel) = 0;
  virtual void remember(std::string_view line) = 0;
};

// nullptr where the terminal cannot do that; then lines can only be read as they are typed.
std::unique_ptr<LineEditor> make_line_editor(LineEditorSpec spec);

}  // namespace yume::platform
