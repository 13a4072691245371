// SPDX-License-Identifier: MIT
// Tools and a permission policy that do what a test says.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "permissions/policy.h"
#include "tools/args.h"
#include "tools/registry.h"

namespace yume::test {

// What fake tools did, in order. Thread-safe.
class ToolJournal {
 public:
  void note(std::string what) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(std::move(what));
  }
  std::vector<std::string> notes() const {
    const std::lock_guard lock(mutex_);
    return notes_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> notes_;
};

// Takes any input with the optional field `n` and answers "<name> <n>".
class FakeTool final : public tools::Tool {
 public:
  using Run = std::function<core::ToolOutcome(const std::string& n, const tools::ToolContext&)>;

  FakeTool(std::string name, tools::Effect effect, ToolJournal& journal, Run run = {})
      : journal_(journal), run_(std::move(run)) {
    spec_.name = std::move(name);
    spec_.description = "A fake.";
    spec_.input_schema = {"{}"};
    spec_.effect = effect;
  }

  const tools::ToolSpec& spec() const override { return spec_; }

  tools::Plan plan(const nlohmann::json& input, const tools::ToolContext&) const override {
    tools::ArgReader args(spec_.name, input);
    const std::string n = args.optional_string("n").value_or("");
    if (auto problem = args.problems()) return *problem;
    journal_.note("plan " + spec_.name + " " + n);
    const core::Action action = spec_.effect == tools::Effect::reads_only
                                    ? core::Action(core::ReadsFile{n})
                                    : core::Action(core::RunsCommand{n});
    return tools::PlannedCall{.action = action,
                              .run = [this, n](const tools::ToolContext& context) {
                                journal_.note("run " + spec_.name + " " + n);
                                if (run_) return run_(n, context);
                                core::ToolOutcome outcome;
                                outcome.content = spec_.name + " " + n;
                                return outcome;
                              }};
  }

 private:
  tools::ToolSpec spec_;
  ToolJournal& journal_;
  Run run_;
};

// Denies the calls whose id is listed, asks for others, allows the rest.
class FakePolicy final : public permissions::PermissionPolicy {
 public:
  core::Decision decide(const core::ToolCall& call, const core::Action&) const override {
    if (denied.contains(call.id)) return core::Deny{"denied " + call.id};
    if (asked.contains(call.id)) return core::Ask{"asked " + call.id};
    return core::Allow{};
  }

  std::set<std::string> denied;
  std::set<std::string> asked;
};

}  // namespace yume::test
