// SPDX-License-Identifier: MIT
#include "permissions/judgement.h"

#include "permissions/command_cover.h"
#include "permissions/never_opened.h"
#include "permissions/permission_texts.h"
#include "permissions/protected_paths.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;
using core::PermissionMode;

Verdict allowed(std::string reason) {
  return {.decision = core::Allow{}, .reason = std::move(reason)};
}

Verdict denied(std::string message, std::string reason) {
  return {.decision = core::Deny{std::move(message)}, .reason = std::move(reason)};
}

Verdict asked(std::string message, std::string reason) {
  return {.decision = core::Ask{.message = std::move(message)}, .reason = std::move(reason)};
}

bool is_ask(const Verdict& verdict) {
  return std::holds_alternative<core::Ask>(verdict.decision);
}

bool only_looks_up(const core::Action& action) {
  return std::holds_alternative<core::ReachesHost>(action) ||
         std::holds_alternative<core::SearchesWeb>(action);
}

// The file that a call is about; null for other calls.
const fs::path* given_path(const core::Action& action, const fs::path*& real) {
  if (const auto* read = std::get_if<core::ReadsFile>(&action)) {
    real = &read->path;
    return read->given.empty() ? &read->path : &read->given;
  }
  if (const auto* write = std::get_if<core::WritesFile>(&action)) {
    real = &write->path;
    return write->given.empty() ? &write->path : &write->given;
  }
  return nullptr;
}

}  // namespace

Closed closed_to_tools(const PolicySettings& settings, const fs::path& name) {
  if (is_never_opened(name)) return Closed::own;
  return settings.closed ? settings.closed(name) : Closed::no;
}

Judgement::Judgement(const PolicySettings& settings, const RuleBook& rules,
                     const core::ToolCall& call, const core::Action& action)
    : settings_(settings),
      rules_(rules),
      call_(call),
      action_(action),
      facts_{.call = call, .action = action} {
  const fs::path* real = nullptr;
  if (const fs::path* given = given_path(action, real)) {
    facts_.paths = names_of(*given);
    if (std::find(facts_.paths.begin(), facts_.paths.end(), *real) == facts_.paths.end()) {
      facts_.paths.push_back(*real);
    }
  }
  if (const auto* run = std::get_if<core::RunsCommand>(&action)) {
    const fs::path cwd = run->cwd.empty() ? settings.cwd() : run->cwd;
    command_ = command_facts(run->command, {.cwd = cwd, .home = settings.home}, settings.file_names,
                             settings.is_folder);
    if (settings.other_shell) {
      command_->read_only.reset();
      command_->file_change.reset();
      command_->shell.opaque = "it is for another shell than bash";
    }
    facts_.command = &*command_;
  }
}

Verdict Judgement::verdict() {
  Verdict verdict = decide();
  verdict.actions = action_lines(action_, facts_.command);
  return verdict;
}

core::Decision Judgement::decision() {
  Verdict verdict = decide();
  if (auto* ask = std::get_if<core::Ask>(&verdict.decision)) ask->why = std::move(verdict.reason);
  return std::move(verdict.decision);
}

Verdict Judgement::decide() {
  if (std::holds_alternative<core::StaysInSession>(action_)) {
    if (const Rule* rule = rules_.find_denial(facts_)) {
      return {
          .decision = core::Deny{denial_text(*rule)}, .rule = *rule, .reason = "denied by rule"};
    }
    return allowed("it touches nothing but this session");
  }
  if (auto decided = by_denial()) return *std::move(decided);
  if (auto decided = by_closed_files()) return *std::move(decided);
  if (const auto* question = std::get_if<core::AsksPerson>(&action_)) {
    // Agreed to elsewhere, a plan would end the mode that the user has chosen.
    if (question->then && settings_.mode != PermissionMode::plan) {
      return {.decision = core::Deny{"You are not in plan mode. If the user has approved your plan "
                                     "already, carry it out."},
              .reason = "there is no plan mode to leave"};
    }
    // In every mode: it is the user's to say.
    return asked("Nobody is there who could answer.", "it is itself a question");
  }
  if (auto decided = by_question()) return *std::move(decided);
  Verdict decided = by_mode();
  return is_ask(decided) ? by_allowance(std::move(decided)) : decided;
}

std::vector<fs::path> Judgement::names_of(const fs::path& given) const {
  return all_names(given, settings_.file_names);
}

bool Judgement::is_bypassed() const {
  return settings_.mode == PermissionMode::bypass && !settings_.bypass_disabled;
}

bool Judgement::inside_roots(const std::vector<fs::path>& names) const {
  // The way to the real file may lead through links; only where it ends must be inside, and where
  // it was said to be.
  return std::all_of(names.begin(), names.end(), [this](const fs::path& name) {
    return std::any_of(settings_.roots.begin(), settings_.roots.end(),
                       [&name](const fs::path& root) { return is_inside(name, root); });
  });
}

bool Judgement::is_readable(const std::vector<fs::path>& names) const {
  if (inside_roots(names)) return true;
  return std::any_of(
      settings_.readable.begin(), settings_.readable.end(), [&](const fs::path& place) {
        return std::all_of(names.begin(), names.end(),
                           [&place](const fs::path& name) { return is_inside(name, place); });
      });
}

bool Judgement::is_protected_file(const std::vector<fs::path>& names) const {
  return std::any_of(names.begin(), names.end(), [this](const fs::path& name) {
    return is_protected(name) ||
           std::any_of(settings_.protected_places.begin(), settings_.protected_places.end(),
                       [&name](const fs::path& place) { return is_inside(name, place); });
  });
}

const fs::path* Judgement::closed_among(const std::vector<fs::path>& names, Closed& how) const {
  for (const fs::path& name : names) {
    how = closed_to_tools(settings_, name);
    if (how != Closed::no) return &name;
  }
  return nullptr;
}

std::string Judgement::denial_text(const Rule& rule) const {
  if (command_) {
    return "Permission to use Bash with command " + command_->text + " has been denied.";
  }
  return "Permission to use " + call_.name + " has been denied by the rule " + rule.text() + ".";
}

// Nothing turns a denial into a question.
std::optional<Verdict> Judgement::by_denial() const {
  if (const Rule* rule = rules_.find_denial(facts_)) {
    return Verdict{.decision = core::Deny{denial_text(*rule)},
                   .rule = *rule,
                   .reason = "denied by the rule " + rule->text()};
  }
  if (!command_ || !command_->is_opaque() || !rules_.has_scoped_denials()) return std::nullopt;
  const std::string why =
      "the command cannot be compared with the deny rules: " + *command_->shell.opaque;
  const bool nobody_asks = settings_.mode == PermissionMode::dont_ask || is_bypassed() ||
                           settings_.trust == HostTrust::runs_tools;
  if (nobody_asks) return denied(opaque_denial(command_->text, *command_->shell.opaque), why);
  return std::nullopt;  // by_allowance() will not lift the question
}

std::optional<Verdict> Judgement::by_closed_files() const {
  Closed how = Closed::no;
  const fs::path* closed = closed_among(facts_.paths, how);
  if (closed == nullptr && command_) closed = closed_among(command_->mentioned, how);
  if (closed == nullptr && command_) closed = closed_among(command_->written, how);
  if (closed == nullptr) return by_closed_files_inside();
  if (how == Closed::personal) {
    const bool writes = std::holds_alternative<core::WritesFile>(action_);
    const std::vector<fs::path> names = command_ ? std::vector{*closed} : facts_.paths;
    if (rules_.allows_path(writes ? "Edit" : "Read", names) != nullptr) return std::nullopt;
  }
  return denied(closed_denial(call_.name, *closed, how),
                to_utf8(*closed) + (how == Closed::own ? " holds yume-cli's own credentials"
                                                       : " holds credentials"));
}

// Behind the wall a command that reads or lists all of a folder does not find what is closed.
std::optional<Verdict> Judgement::by_closed_files_inside() const {
  if (!command_ || !settings_.closed_inside) return std::nullopt;
  if (command_->directories.empty() && !command_->lists_directories) return std::nullopt;
  const bool walled = settings_.walls_commands && settings_.walls_commands() && stays_in_sandbox();
  if (walled) return std::nullopt;
  for (const fs::path& folder : command_->mentioned) {
    const bool opens = settings_.closed_inside(folder);
    if (!opens || rules_.allows_path("Read", {folder}) != nullptr) continue;
    return denied(closed_inside_denial(folder), to_utf8(folder) + " contains credentials");
  }
  return std::nullopt;
}

// Asked for in every mode: critical removals, ask rules.
std::optional<Verdict> Judgement::by_question() const {
  const bool nobody =
      settings_.mode == PermissionMode::dont_ask || settings_.trust == HostTrust::runs_tools;
  if (command_ && command_->removes_vital) {
    if (nobody) return denied(std::string(k_vital_removal), "it removes something vital");
    Verdict verdict = asked(std::string(k_vital_removal), "it removes something vital");
    std::get<core::Ask>(verdict.decision).in_every_mode = true;
    return verdict;
  }
  const Rule* rule = rules_.find_question(facts_);
  if (rule == nullptr) return std::nullopt;
  const std::string text = question_denial(call_.name, *rule);
  Verdict verdict = nobody ? denied(text, "the rule " + rule->text() + " wants a question")
                           : asked(text, "the rule " + rule->text() + " wants a question");
  verdict.rule = *rule;
  return verdict;
}

Verdict Judgement::by_mode() {
  if (settings_.nothing_unasked) {
    return asked(not_granted("use " + call_.name,
                             "The permission mode is deny: nothing runs unless "
                             "a rule of --allowedTools names it."),
                 "the mode is deny");
  }
  return std::visit(Overloaded{
                        [&](const core::ReadsFile&) { return judge_read(); },
                        [&](const core::WritesFile&) { return judge_write(); },
                        [&](const core::RunsCommand&) { return judge_command(); },
                        [&](const core::ReachesHost& reach) {
                          return judge_web(call_.name + "(domain:" + reach.host + ")");
                        },
                        [&](const core::SearchesWeb&) { return judge_web(call_.name); },
                        [&](const core::CallsServer&) { return judge_remote(); },
                        [&](const core::StaysInSession&) { return allowed(""); },
                        [&](const core::StartsAgent&) {
                          return allowed("each call of the subagent is decided by itself");
                        },
                        [&](const core::AsksPerson&) { return asked("", ""); },
                    },
                    action_);
}

Verdict Judgement::judge_read() const {
  if (is_bypassed()) return allowed("the mode is bypassPermissions");
  if (settings_.trust == HostTrust::runs_tools) return allowed("Yume expects tools to run");
  if (is_readable(facts_.paths)) return allowed("it reads inside the working directories");
  const fs::path& path = std::get<core::ReadsFile>(action_).path;
  return asked(not_granted("read from " + to_utf8(path),
                           "Start with --add-dir " + to_utf8(path.parent_path()) +
                               " or --allowedTools Read to permit it."),
               "it reads outside the working directories");
}

Verdict Judgement::judge_write() const {
  const fs::path& real = std::get<core::WritesFile>(action_).path;
  const std::string path = to_utf8(real);
  if (is_bypassed()) return allowed("the mode is bypassPermissions");
  const bool inside = inside_roots(facts_.paths);
  const bool is_protected_one = is_protected_file(facts_.paths);
  if (settings_.mode == PermissionMode::plan) {
    return asked("Cannot write to " + path + " while in plan mode.", "the mode is plan");
  }
  if (settings_.trust == HostTrust::runs_tools) {
    if (!inside) return denied(outside_denial(real), "it writes outside the working directories");
    if (is_protected_one) return denied(protected_denial(real), "the file is protected");
    return allowed("Yume expects tools to run");
  }
  if (settings_.mode == PermissionMode::accept_edits && inside && !is_protected_one) {
    return allowed("the mode is acceptEdits");
  }
  return asked(not_granted("write to " + path,
                           write_remedy(call_.name, real,
                                        {.inside = inside, .is_protected = is_protected_one})),
               is_protected_one ? "the file is protected"
               : inside         ? "writing must be asked for"
                                : "it writes outside the working directories");
}

Verdict Judgement::judge_web(const std::string& rule) const {
  if (is_bypassed()) return allowed("the mode is bypassPermissions");
  if (settings_.trust == HostTrust::runs_tools) return allowed("Yume expects tools to run");
  return asked(not_granted("use " + call_.name,
                           "Start with --allowedTools \"" + rule +
                               "\" or --permission-mode bypassPermissions to permit it."),
               "the web must be asked for");
}

Verdict Judgement::judge_remote() const {
  if (is_bypassed()) return allowed("the mode is bypassPermissions");
  if (settings_.trust == HostTrust::runs_tools) return allowed("Yume expects tools to run");
  return asked(not_granted("use " + call_.name,
                           "Start with --allowedTools \"" + call_.name +
                               "\" or --permission-mode bypassPermissions to permit it."),
               "the tool of a server must be asked for");
}

bool Judgement::may_read(const fs::path& given) const {
  const std::vector<fs::path> names = names_of(given);
  Closed how = Closed::no;
  if (closed_among(names, how) != nullptr) return false;
  if (std::any_of(names.begin(), names.end(),
                  [this](const fs::path& name) { return rules_.hides(name); })) {
    return false;
  }
  return is_readable(names) || rules_.allows_path("Read", names) != nullptr;
}

bool Judgement::may_write(const fs::path& given) const {
  const std::vector<fs::path> names = names_of(given);
  Closed how = Closed::no;
  if (closed_among(names, how) != nullptr || is_protected_file(names)) return false;
  if (rules_.allows_path("Edit", names) != nullptr) return true;
  return settings_.mode == PermissionMode::accept_edits && inside_roots(names);
}

Verdict Judgement::judge_hosted_command() const {
  for (const fs::path& path : command_->written) {
    if (path == "/dev/null") continue;
    if (is_protected_file({path})) return denied(protected_denial(path), "the file is protected");
  }
  return allowed("Yume expects tools to run");
}

bool Judgement::runs_sandboxed() const {
  return settings_.sandboxed_commands_run && stays_in_sandbox();
}

bool Judgement::stays_in_sandbox() const {
  const fs::path& cwd = std::get<core::RunsCommand>(action_).cwd;
  return !settings_.leaves_sandbox ||
         !settings_.leaves_sandbox(command_->text, cwd.empty() ? settings_.cwd() : cwd);
}

Verdict Judgement::judge_command() {
  const auto with_steps = [](std::string reason, const std::vector<PlainStep>& steps) {
    return Verdict{.decision = core::Allow{.steps = steps}, .reason = std::move(reason)};
  };
  const auto readable = [this](const fs::path& path) { return may_read(path); };
  const bool undecidable = command_->is_opaque() && rules_.has_scoped_denials();
  if (is_bypassed()) return allowed("the mode is bypassPermissions");
  if (settings_.trust == HostTrust::runs_tools) return judge_hosted_command();
  if (const auto& proven = command_->read_only; proven && !undecidable) {
    const bool git_may_run = !proven->uses_git || settings_.workspace_trusted;
    if (git_may_run && std::all_of(proven->reads.begin(), proven->reads.end(), readable)) {
      return with_steps("it only reads, inside the working directories", proven->steps);
    }
  }
  if (const auto& change = command_->file_change;
      change && settings_.mode == PermissionMode::accept_edits && !undecidable) {
    const bool writable = std::all_of(change->writes.begin(), change->writes.end(),
                                      [this](const fs::path& path) { return may_write(path); });
    if (writable && std::all_of(change->reads.begin(), change->reads.end(), readable)) {
      return with_steps("the mode is acceptEdits", change->steps);
    }
  }
  if (runs_sandboxed() && settings_.mode != PermissionMode::plan && !undecidable &&
      settings_.mode != PermissionMode::dont_ask) {
    return allowed("it runs behind the sandbox");
  }
  return asked(not_granted("use Bash with command " + command_->text,
                           "Start with --allowedTools \"Bash(" + command_->text +
                               ")\" or --permission-mode bypassPermissions to permit it."),
               command_->is_opaque() ? *command_->shell.opaque : "the command must be asked for");
}

Verdict Judgement::by_allowance(Verdict verdict) const {
  // Looking something up changes nothing, so a rule for it holds while a plan is made, too. A rule
  // for a server's tool names that very tool or server, and is meant in every mode.
  const bool plans = settings_.mode == PermissionMode::plan && !only_looks_up(action_) &&
                     !std::holds_alternative<core::ReadsFile>(action_) &&
                     !std::holds_alternative<core::CallsServer>(action_);
  const bool protected_write =
      (std::holds_alternative<core::WritesFile>(action_) && is_protected_file(facts_.paths)) ||
      (command_ && std::any_of(command_->written.begin(), command_->written.end(),
                               [this](const fs::path& path) { return is_protected_file({path}); }));
  const bool undecidable = command_ && command_->is_opaque() && rules_.has_scoped_denials();
  const bool rules_count = !plans && !protected_write && !undecidable;
  if (rules_count) {
    if (command_) {
      const Cover cover =
          cover_of(*command_, rules_,
                   {.cwd = std::get<core::RunsCommand>(action_).cwd.empty()
                               ? settings_.cwd()
                               : std::get<core::RunsCommand>(action_).cwd,
                    .home = settings_.home},
                   {.may_read = [this](const fs::path& path) { return may_read(path); },
                    .may_write = [this](const fs::path& path) { return may_write(path); }});
      if (cover.whole) {
        Verdict covered = allowed("allow rules cover it");
        if (!cover.rules.empty()) covered.rule = *cover.rules.front();
        return covered;
      }
      const bool only_git_is_in_the_way =
          command_->read_only && command_->read_only->uses_git && !settings_.workspace_trusted;
      if (only_git_is_in_the_way) {
        verdict.reason = "git runs unasked only in a trusted workspace; see yume-cli trust";
      } else if (!cover.missing.empty()) {
        verdict.reason = cover.missing;
      }
    } else if (const Rule* rule = rules_.find_allowance(facts_)) {
      Verdict covered = allowed("the rule " + rule->text() + " covers it");
      covered.rule = *rule;
      return covered;
    }
  }
  if (settings_.mode == PermissionMode::dont_ask) {
    return denied(dont_ask_text(call_.name), verdict.reason);
  }
  auto& ask = std::get<core::Ask>(verdict.decision);
  ask.may_be_lifted = rules_count;
  // What would not hold is not suggested.
  if (rules_count) ask.suggestions = suggestions();
  return verdict;
}

// What would make this question the last of its kind. Nothing that covers more than was shown.
std::vector<core::PermissionUpdate> Judgement::suggestions() const {
  if (std::holds_alternative<core::WritesFile>(action_)) {
    if (is_protected_file(facts_.paths) || settings_.mode == PermissionMode::plan) return {};
    if (inside_roots(facts_.paths)) {
      return {core::ModeUpdate{.mode = PermissionMode::accept_edits}};
    }
    const fs::path directory = std::get<core::WritesFile>(action_).path.parent_path();
    return {core::DirectoriesUpdate{.directories = {to_utf8(directory)}}};
  }
  if (std::holds_alternative<core::ReadsFile>(action_)) {
    const fs::path directory = std::get<core::ReadsFile>(action_).path.parent_path();
    return {core::RulesUpdate{.rules = {"Read(/" + to_utf8(directory) + "/**)"}}};
  }
  if (const auto* reach = std::get_if<core::ReachesHost>(&action_)) {
    return {core::RulesUpdate{.rules = {call_.name + "(domain:" + reach->host + ")"}}};
  }
  if (std::holds_alternative<core::SearchesWeb>(action_)) {
    return {core::RulesUpdate{.rules = {call_.name}}};
  }
  if (std::holds_alternative<core::CallsServer>(action_)) {
    return {core::RulesUpdate{.rules = {call_.name},
                              .destination = core::UpdateDestination::local_settings}};
  }
  // The exact text, and only when a rule can say it: a `*` in it would mean more.
  const bool exact = command_ && !command_->is_opaque() &&
                     command_->text.find_first_of("*()\n") == std::string::npos &&
                     !command_->text.ends_with(":");
  if (!exact) return {};
  return {core::RulesUpdate{.rules = {"Bash(" + command_->text + ")"},
                            .destination = core::UpdateDestination::local_settings}};
}

}  // namespace yume::permissions
