// SPDX-License-Identifier: MIT
// Asking the host, and through it a person, whether a call may run. Hosts that cannot be asked have
// none of this.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/permission.h"
#include "util/cancel.h"
#include "util/json_io.h"

namespace yume::core {

struct HostQuestion {
  std::string tool_name;
  RawJson input;  // exactly what would run
  std::string tool_use_id;
  std::string reason = {};    // why it is asked; for people
  bool needs_person = false;  // the answer is the person's own, not a permission
  bool edits_file = false;    // "allow all edits" is worth offering
};

struct HostAllows {
  std::optional<RawJson> input = std::nullopt;        // to run with instead
  std::optional<PermissionMode> mode = std::nullopt;  // from now on

  friend bool operator==(const HostAllows&, const HostAllows&) = default;
};
struct HostDenies {
  std::string message;     // for the model, word for word
  bool interrupt = false;  // and the turn ends

  friend bool operator==(const HostDenies&, const HostDenies&) = default;
};
// Nobody will answer: the channel is closed, or the turn was interrupted meanwhile.
struct NoAnswer {
  std::string why;

  friend bool operator==(const NoAnswer&, const NoAnswer&) = default;
};
using HostAnswer = std::variant<HostAllows, HostDenies, NoAnswer>;

class HostQuestions {
 public:
  virtual ~HostQuestions() = default;
  // Blocks until there is an answer, for as long as a person may think. One question at a time.
  virtual HostAnswer ask(const HostQuestion& question, const CancelToken& cancel) = 0;
};

}  // namespace yume::core
