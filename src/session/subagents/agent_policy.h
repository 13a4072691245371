// SPDX-License-Identifier: MIT
// The permissions of a subagent: its parent's, as they are at the moment, or less when its
// definition names a mode that permits less. Thread-safe.
#pragma once

#include <optional>

#include "permissions/policy.h"

namespace yume::session {

class AgentPolicy final : public permissions::PermissionPolicy {
 public:
  // `parent` outlives this.
  AgentPolicy(permissions::ModePolicy& parent, std::optional<core::PermissionMode> mode)
      : parent_(parent), mode_(mode) {}

  [[nodiscard]] core::Decision decide(const core::ToolCall& call,
                                      const core::Action& action) const override {
    return mode_ ? parent_.decide_within(*mode_, call, action) : parent_.decide(call, action);
  }
  // What a host grants when it is asked holds for the whole session.
  void set_mode(core::PermissionMode mode) override { parent_.set_mode(mode); }
  permissions::UpdateOutcome apply(const core::PermissionUpdate& update) override {
    return parent_.apply(update);
  }
  [[nodiscard]] bool hides_files() const override { return parent_.hides_files(); }
  [[nodiscard]] bool hides(const std::filesystem::path& real_path) const override {
    return parent_.hides(real_path);
  }
  [[nodiscard]] bool names_host(std::string_view host) const override {
    return parent_.names_host(host);
  }

 private:
  permissions::ModePolicy& parent_;
  std::optional<core::PermissionMode> mode_;
};

}  // namespace yume::session
