// SPDX-License-Identifier: MIT
// The host of a run, with everything that stands between it and the streams: rows that are kept
// apart for Yume's server, a copy of the lines in a file, the keyboard of a person who is asked or
// converses.
#pragma once

#include "app/conversation.h"
#include "app/keyboard.h"
#include "app/options.h"
#include "app/overflow_files.h"
#include "app/result_file.h"
#include "protocol/host.h"
#include "protocol/line_writer.h"
#include "protocol/spaced_output.h"
#include "runtime/typed_conversation.h"
#include "runtime/typed_lines.h"

#include <memory>
#include <optional>
#include <string>

namespace yume::app {

class HostParts {
 public:
  struct Deps {
    protocol::LineWriter& writer;
    OverflowFiles& overflow;
    Surroundings& around;
  };

  HostParts(const Options& options, const std::string& session_id, const Deps& deps);

  [[nodiscard]] protocol::Host& host() { return *host_; }
  // Of the person who may be asked, or has a conversation; null: nobody.
  [[nodiscard]] runtime::TypedLines* typed() { return typed_ ? &*typed_ : nullptr; }
  [[nodiscard]] runtime::TypedConversation* conversation() {
    return conversation_ ? &*conversation_ : nullptr;
  }
  // The names that this person may complete.
  [[nodiscard]] const CommandNames& commands() const { return commands_; }

 private:
  protocol::LineWriter progress_;
  protocol::SpacedOutput spaced_;
  ResultFile result_file_;
  CommandNames commands_ = std::make_shared<std::vector<std::string>>();
  std::optional<runtime::TypedLines> typed_;
  std::optional<runtime::TypedConversation> conversation_;
  std::unique_ptr<protocol::Host> host_;
};

}  // namespace yume::app
