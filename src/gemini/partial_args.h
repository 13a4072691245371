// SPDX-License-Identifier: MIT
// A function call's arguments that arrive in pieces (`partialArgs`): each piece names a place by an
// RFC 9535 path and brings a value or more of a string. Collects them into one JSON object and can
// show the text as it grows. One object per call; pure, not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "util/result.h"

namespace yume::gemini {

struct NumberText {
  std::string text = {};  // as the wire spelled it
};

struct PartialArg {
  std::string path = {};  // "$.recipe.steps[4]", "$['a b']", "$.tags[]"
  // monostate: no value. That is an empty object (or array, with a path ending in `[]`) at a new
  // place, and the end of a string at an old one.
  std::variant<std::monostate, std::string, NumberText, bool, std::nullptr_t> value = {};
  bool will_continue = false;
};

class PartialArgs {
 public:
  PartialArgs();
  ~PartialArgs();
  PartialArgs(PartialArgs&&) noexcept;
  PartialArgs& operator=(PartialArgs&&) noexcept;

  // protocol error for a path that is none or does not fit what is there (a gap in an array, a
  // member of a number, an array for the whole), too_large over the limits on depth and size. The
  // call is lost then: what was collected is not to be run.
  Result<void> apply(const PartialArg& arg);

  // The last string was announced to go on. When the reply ends like this, it was cut.
  [[nodiscard]] bool awaits_more() const;

  // The arguments as compact ASCII JSON, keys in the order in which they came. Ends the collecting;
  // the error is that of an earlier apply.
  Result<std::string> finish();

  // What to append to the text shown so far (Claude's `input_json_delta`). Strings grow piece by
  // piece, containers close when a piece goes elsewhere. After finish() the last call returns what
  // closes the text.
  //
  // All deltas together are exactly finish()'s text, unless a piece changed a place that was
  // already closed. Then no more text comes until finish(), which repeats the changed members of
  // the outermost object: still valid JSON, and the same value to all readers that let the last of
  // equal keys win. streams_exactly() tells which it is.
  std::string take_delta();
  [[nodiscard]] bool streams_exactly() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yume::gemini
