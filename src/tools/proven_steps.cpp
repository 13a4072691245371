// SPDX-License-Identifier: MIT
#include "tools/proven_steps.h"

#include "platform/program_search.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace yume::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_path = "PATH=";

platform::StepJoint joint_of(core::Joint joint) {
  switch (joint) {
    case core::Joint::first:
      return platform::StepJoint::first;
    case core::Joint::then:
      return platform::StepJoint::then;
    case core::Joint::and_then:
      return platform::StepJoint::and_then;
    case core::Joint::or_else:
      return platform::StepJoint::or_else;
    case core::Joint::pipe:
      return platform::StepJoint::pipe;
  }
  return platform::StepJoint::then;
}

// Those of PATH into which nobody else can put a program.
std::vector<fs::path> trusted_directories(const ToolContext& context) {
  std::vector<fs::path> out;
  for (const std::string& variable : context.child_environment) {
    if (!variable.starts_with(k_path)) continue;
    std::string_view rest = std::string_view(variable).substr(k_path.size());
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      const fs::path directory = path_from_utf8(rest.substr(0, colon));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
      if (!directory.is_absolute()) continue;
      const auto owner = context.files.owner_of(directory);
      if (owner.ok() && !owner->others_may_write) out.push_back(directory);
    }
  }
  return out;
}

}  // namespace

std::vector<platform::ProcessStep> process_steps(const std::vector<core::CommandStep>& steps,
                                                 const ToolContext& context) {
  const std::vector<fs::path> directories = trusted_directories(context);
  const fs::path cwd = context.shell.cwd(context.cwd, context.files);
  std::vector<platform::ProcessStep> out;
  for (const core::CommandStep& step : steps) {
    platform::ProcessStep& one =
        out.emplace_back(platform::ProcessStep{.joint = joint_of(step.joint),
                                               .argv = step.argv,
                                               .name = step.argv.front(),
                                               .drops_output = step.drops_output,
                                               .drops_errors = step.drops_errors,
                                               .errors_to_output = step.errors_to_output});
    if (one.name == "cd") {
      one.directory = cwd / path_from_utf8(step.argv.back());
      continue;
    }
    const auto programs = platform::programs_named(one.name, directories,
                                                   context.shell.settings().roots, context.files);
    if (programs.empty()) {
      one.argv.clear();
    } else {
      one.argv.front() = to_utf8(programs.front());
    }
  }
  return out;
}

std::vector<std::string> quiet_environment(const std::vector<std::string>& environment) {
  constexpr std::array<std::string_view, 6> k_dropped = {
      "GIT_",      "RIPGREP_CONFIG_PATH=", "GREP_OPTIONS=",
      "LESSOPEN=", "LESSCLOSE=",           "JQ_LIBRARY_PATH="};
  std::vector<std::string> out;
  std::copy_if(environment.begin(), environment.end(), std::back_inserter(out),
               [&](const std::string& variable) {
                 return std::none_of(
                     k_dropped.begin(), k_dropped.end(),
                     [&](std::string_view name) { return variable.starts_with(name); });
               });
  // Settings of a repository that name programs.
  for (const char* variable :
       {"GIT_PAGER=cat", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_COUNT=3",
        "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=false",
        "GIT_CONFIG_KEY_1=diff.external", "GIT_CONFIG_VALUE_1=", "GIT_CONFIG_KEY_2=core.hooksPath",
        "GIT_CONFIG_VALUE_2=/dev/null"}) {
    out.emplace_back(variable);
  }
  return out;
}

}  // namespace yume::tools
