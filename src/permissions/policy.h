// SPDX-License-Identifier: MIT
// May this call run? Pure decisions on facts: the call, what it would do (real paths), the mode,
// the rules. Nothing here touches a file or asks anyone. Thread-safe.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/permission.h"
#include "core/tool_call.h"
#include "permissions/rules.h"

namespace yume::permissions {

class PermissionPolicy {
 public:
  virtual ~PermissionPolicy() = default;
  [[nodiscard]] virtual core::Decision decide(const core::ToolCall& call,
                                              const core::Action& action) const = 0;
  // What a host or a person has since chosen.
  virtual void set_mode(core::PermissionMode /*mode*/) {}
  // Searching a directory must not show what reading it would be denied.
  [[nodiscard]] virtual bool hides_files() const { return false; }  // whether any could be
  [[nodiscard]] virtual bool hides(const std::filesystem::path& /*real_path*/) const {
    return false;
  }
  // A rule allows this very host by its name: then it may be one of this machine or its network.
  [[nodiscard]] virtual bool names_host(std::string_view /*host*/) const { return false; }
};

// Who is behind an unanswered question.
enum class HostTrust {
  ask,         // Claude's rules: what is not allowed must be asked for
  runs_tools,  // Yume passes no flag and no channel and expects tools to run in its project
};

struct PolicySettings {
  core::PermissionMode mode = core::PermissionMode::default_mode;
  HostTrust trust = HostTrust::ask;
  std::vector<std::filesystem::path> roots;  // real paths; the first is the working directory
  // Where long outputs are kept, which the model is told to read.
  std::vector<std::filesystem::path> readable = {};
  std::filesystem::path home;
  std::vector<Rule> allow;
  std::vector<Rule> deny;
};

class ModePolicy final : public PermissionPolicy {
 public:
  explicit ModePolicy(PolicySettings settings)
      : settings_(std::move(settings)), mode_(settings_.mode) {}
  // Any thread; holds from the next decision on.
  void set_mode(core::PermissionMode mode) override { mode_ = mode; }
  [[nodiscard]] core::PermissionMode mode() const { return mode_; }
  [[nodiscard]] core::Decision decide(const core::ToolCall& call,
                                      const core::Action& action) const override;
  [[nodiscard]] bool hides_files() const override { return !settings_.deny.empty(); }
  [[nodiscard]] bool hides(const std::filesystem::path& real_path) const override;
  [[nodiscard]] bool names_host(std::string_view host) const override;

 private:
  [[nodiscard]] core::Decision decide_read(const core::ReadsFile& read) const;
  [[nodiscard]] core::Decision decide_write(const core::ToolCall& call,
                                            const core::WritesFile& write) const;
  [[nodiscard]] core::Decision decide_command(const core::RunsCommand& run) const;
  [[nodiscard]] core::Decision decide_web(const core::ToolCall& call,
                                          const std::string& rule) const;
  [[nodiscard]] bool inside_roots(const std::filesystem::path& path) const;

  PolicySettings settings_;  // its mode is only the first
  std::atomic<core::PermissionMode> mode_;
};

}  // namespace yume::permissions
