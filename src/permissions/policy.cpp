// SPDX-License-Identifier: MIT
#include "permissions/policy.h"

#include "permissions/paths.h"
#include "util/path_text.h"

#include <algorithm>
#include <string>

namespace yume::permissions {
namespace {

using core::Allow;
using core::Ask;
using core::Decision;
using core::Deny;
using core::PermissionMode;

std::string not_granted(const std::string& what, const std::string& remedy) {
  return "Claude requested permissions to " + what + ", but you haven't granted it yet. " + remedy;
}

std::string dont_ask_text(const std::string& tool) {
  return "Permission to use " + tool +
         " has been denied because yume-cli is running in don't ask mode. Add a matching rule to "
         "--allowedTools to permit it.";
}

bool touches_protected(const core::WritesFile& write) {
  return is_protected(write.path) || is_protected(write.given);
}

bool opens_what_is_closed(const core::Action& action) {
  if (const auto* read = std::get_if<core::ReadsFile>(&action)) {
    return is_never_opened(read->path) || is_never_opened(read->given);
  }
  const auto* write = std::get_if<core::WritesFile>(&action);
  return write != nullptr && (is_never_opened(write->path) || is_never_opened(write->given));
}

// What would permit this write, told truly.
std::string write_remedy(const core::ToolCall& call, const core::WritesFile& write, bool inside) {
  if (touches_protected(write)) {
    return "It is a protected file; start with --permission-mode bypassPermissions to permit it.";
  }
  if (inside) {
    return "Start with --permission-mode acceptEdits or --allowedTools " + call.name +
           " to permit it.";
  }
  return "Start with --allowedTools \"Edit(/" + to_utf8(write.path) + ")\" to permit it.";
}

bool only_looks_up(const core::Action& action) {
  return std::holds_alternative<core::ReachesHost>(action) ||
         std::holds_alternative<core::SearchesWeb>(action);
}

}  // namespace

bool ModePolicy::inside_roots(const std::filesystem::path& path) const {
  return std::any_of(settings_.roots.begin(), settings_.roots.end(),
                     [&path](const auto& root) { return is_inside(path, root); });
}

bool ModePolicy::hides(const std::filesystem::path& real_path) const {
  const RuleScope scope{.cwd = settings_.roots.front(), .home = settings_.home};
  const core::ToolCall reading{.id = {}, .name = "Read", .input = {}};
  const core::Action action = core::ReadsFile{.path = real_path, .given = real_path};
  return is_never_opened(real_path) ||
         std::any_of(settings_.deny.begin(), settings_.deny.end(),
                     [&](const Rule& rule) { return rule_denies(rule, reading, action, scope); });
}

bool ModePolicy::names_host(std::string_view host) const {
  return std::any_of(settings_.allow.begin(), settings_.allow.end(),
                     [host](const Rule& rule) { return rule_names_host(rule, host); });
}

Decision ModePolicy::decide(const core::ToolCall& call, const core::Action& action) const {
  const RuleScope scope{.cwd = settings_.roots.front(), .home = settings_.home};
  for (const Rule& rule : settings_.deny) {
    if (rule_denies(rule, call, action, scope)) {
      const auto* run = std::get_if<core::RunsCommand>(&action);
      return Deny{run != nullptr
                      ? "Permission to use Bash with command " + run->command + " has been denied."
                      : "Permission to use " + call.name + " has been denied by the rule " +
                            rule.tool + (rule.spec.empty() ? "" : "(" + rule.spec + ")") + "."};
    }
  }
  if (opens_what_is_closed(action)) {
    return Deny{"Permission to use " + call.name +
                " has been denied: the file holds credentials or the memory of a process, which no "
                "setting opens."};
  }
  if (std::holds_alternative<core::StaysInSession>(action)) return Allow{};
  if (std::holds_alternative<core::AsksPerson>(action)) {
    return Ask{"Nobody is there who could answer."};  // in every mode: it is the user's to say
  }
  Decision decision;
  if (const auto* read = std::get_if<core::ReadsFile>(&action)) {
    decision = decide_read(*read);
  } else if (const auto* write = std::get_if<core::WritesFile>(&action)) {
    decision = decide_write(call, *write);
  } else if (const auto* reach = std::get_if<core::ReachesHost>(&action)) {
    decision = decide_web(call, call.name + "(domain:" + reach->host + ")");
  } else if (std::holds_alternative<core::SearchesWeb>(action)) {
    decision = decide_web(call, call.name);
  } else {
    decision = decide_command(std::get<core::RunsCommand>(action));
  }
  if (!std::holds_alternative<Ask>(decision)) return decision;

  const bool allowed =
      std::any_of(settings_.allow.begin(), settings_.allow.end(),
                  [&](const Rule& rule) { return rule_allows(rule, call, action, scope); });
  // A protected file is worth a question even when the tool as a whole is allowed.
  const auto* write = std::get_if<core::WritesFile>(&action);
  const bool lifts = write == nullptr || !touches_protected(*write);
  // Looking something up changes nothing, so a rule for it holds while a plan is made, too.
  const bool plans = mode_ == PermissionMode::plan && !only_looks_up(action);
  if (allowed && lifts && !plans) return Allow{};
  if (mode_ == PermissionMode::dont_ask) return Deny{dont_ask_text(call.name)};
  return decision;
}

Decision ModePolicy::decide_read(const core::ReadsFile& read) const {
  if (mode_ == PermissionMode::bypass) return Allow{};
  if (settings_.trust == HostTrust::runs_tools || inside_roots(read.path)) return Allow{};
  if (std::any_of(settings_.readable.begin(), settings_.readable.end(),
                  [&read](const auto& root) { return is_inside(read.path, root); })) {
    return Allow{};
  }
  return Ask{not_granted("read from " + to_utf8(read.path),
                         "Start with --add-dir " + to_utf8(read.path.parent_path()) +
                             " or --allowedTools Read to permit it.")};
}

Decision ModePolicy::decide_write(const core::ToolCall& call, const core::WritesFile& write) const {
  const std::string path = to_utf8(write.path);
  if (mode_ == PermissionMode::bypass) return Allow{};
  if (mode_ == PermissionMode::plan) {
    return Deny{"Cannot write to " + path + " while in plan mode."};
  }
  const bool inside = inside_roots(write.path);
  if (settings_.trust == HostTrust::runs_tools) {
    if (!inside) {
      return Deny{"Permission denied: " + path +
                  " is outside the working directory. Start with --add-dir " +
                  to_utf8(write.path.parent_path()) +
                  " or --permission-mode bypassPermissions to permit it."};
    }
    if (touches_protected(write)) {
      return Deny{"Permission denied: " + path +
                  " is a protected file (version control, shell start-up, credentials or "
                  "settings). Start with --permission-mode bypassPermissions to permit it."};
    }
    return Allow{};
  }
  if (mode_ == PermissionMode::accept_edits && inside && !touches_protected(write)) {
    return Allow{};
  }
  return Ask{not_granted("write to " + path, write_remedy(call, write, inside))};
}

Decision ModePolicy::decide_web(const core::ToolCall& call, const std::string& rule) const {
  if (mode_ == PermissionMode::bypass || settings_.trust == HostTrust::runs_tools) {
    return Allow{};
  }
  return Ask{not_granted("use " + call.name,
                         "Start with --allowedTools \"" + rule +
                             "\" or --permission-mode bypassPermissions to permit it.")};
}

Decision ModePolicy::decide_command(const core::RunsCommand& run) const {
  if (removes_something_vital(run.command, settings_.roots.front(), settings_.home)) {
    return Deny{
        "Permission denied: this command would remove the file system's root, the home directory "
        "or the working directory. Name the files to remove one by one."};
  }
  if (mode_ == PermissionMode::bypass || settings_.trust == HostTrust::runs_tools) {
    return Allow{};
  }
  return Ask{not_granted("use Bash with command " + run.command,
                         "Start with --allowedTools \"Bash(" + run.command +
                             ")\" or --permission-mode bypassPermissions to permit it.")};
}

}  // namespace yume::permissions
