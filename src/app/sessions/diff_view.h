// SPDX-License-Identifier: MIT
// What a call changed, as lines: from the patch that its result carries, else from its input. Pure.
#pragma once

#include <string>
#include <vector>

#include "transcript/shown_session.h"

namespace yume::app {

struct DiffLine {
  enum class Kind { header, same, added, removed };
  Kind kind = Kind::same;
  std::string text;  // without its sign
};

// Empty for calls that change no file, and for those that failed.
std::vector<DiffLine> diff_of(const transcript::ShownItem& call);
char sign_of(DiffLine::Kind kind);

}  // namespace yume::app
