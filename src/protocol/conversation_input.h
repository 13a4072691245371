// SPDX-License-Identifier: MIT
// Where a person types who has a conversation: prompts, and answers to questions. Main thread.
#pragma once

#include <string>

#include "protocol/typed_input.h"

namespace yume::protocol {

class ConversationInput : public TypedInput {
 public:
  // The next prompt is wanted; what was typed so far is its beginning. It comes as a TypedPrompt.
  virtual void want_prompt() = 0;
  // Something is being done. What is typed meanwhile comes as a TypedPrompt, too, and is told of as
  // it grows.
  virtual void listen() = 0;
  // Whether the prompt is shown by whoever reads the line.
  [[nodiscard]] virtual bool shows_prompt() const = 0;
  // What was typed is forgotten. False: there was nothing.
  virtual bool forget() = 0;
};

// What a person has typed.
struct TypedPrompt {
  enum class Kind {
    line,
    growing,       // what is typed while something is being done, so far
    end_of_input,  // no more will come
  };
  Kind kind = Kind::line;
  std::string text = {};
};

}  // namespace yume::protocol
