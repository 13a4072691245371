// SPDX-License-Identifier: MIT
// A denied file stays closed: whoever denied it, in every mode, to every tool, however it is
// spelled.
#include "permissions/policy.h"
#include "unit/permissions/command_lines.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;
using core::PermissionMode;

const std::vector<RuleOrigin>& origins() {
  static const std::vector<RuleOrigin> all = {
      {RuleSource::managed, "/etc/yume/managed-settings.json"},
      {RuleSource::command_line, "--disallowedTools"},
      {RuleSource::command_line, "--settings"},
      {RuleSource::local_file, ".yume/settings.local.json"},
      {RuleSource::project_file, ".yume/settings.json"},
      {RuleSource::user_file, "~/.yume/settings.json"},
      {RuleSource::session, "this session"},
  };
  return all;
}

constexpr PermissionMode k_modes[] = {PermissionMode::default_mode, PermissionMode::accept_edits,
                                      PermissionMode::plan, PermissionMode::dont_ask,
                                      PermissionMode::bypass};

// As a file tool gets them: no shell is between.
const std::vector<std::string>& file_spellings() {
  static const std::vector<std::string> all = {"/w/app/.env",
                                               "/w/app/./.env",
                                               "/w/app//.env",
                                               "//w/app/.env",
                                               "/w//app/.env",
                                               "/w/app/sub/../.env",
                                               "/w/app/a/b/../../.env",
                                               "/w/../w/app/.env",
                                               "/w/app/../app/.env",
                                               "/w/./app/./.env",
                                               "/w/app/.env/",
                                               "/w/app/.env/.",
                                               "/w/app/.ENV",
                                               "/w/app/.Env",
                                               "/w/app/.eNv",
                                               "/w/app/.env.",
                                               "/w/app/.env ",
                                               "/w/app/.env..",
                                               "/w/app/.e\xe2\x80\x8bnv",
                                               "/w/app/.\xef\xbd\x85nv",
                                               "/w/app/.en\xc2\xadv",
                                               "/w/app/\xef\xbb\xbf.env",
                                               "/w/app/link",
                                               "/w/app/linked/.env",
                                               "/w/app/hop",
                                               "/proc/self/cwd/.env",
                                               "/w/app/sub/.env",
                                               "/w/app/sub/deep/.env",
                                               "/home/u/.env",
                                               "/w/app/linked/../.env",
                                               "/w/app/.ENV/",
                                               "/w/app/SUB/../.eNV"};
  return all;
}

const std::vector<std::string>& command_spellings() {
  static const std::vector<std::string> all = {"cat .env",
                                               "cat ./.env",
                                               "cat .//.env",
                                               "cat /w/app/.env",
                                               "cat //w/app/.env",
                                               "cat sub/../.env",
                                               "cat ~/../../w/app/.env",
                                               "cat $PWD/.env",
                                               "cat ${PWD}/.env",
                                               "cat \"$PWD\"/.env",
                                               "cat $HOME/.env",
                                               "cat ~/.env",
                                               "cat \".env\"",
                                               "cat '.env'",
                                               "cat .e''nv",
                                               "cat .e\\nv",
                                               "cat .e\\\nnv",
                                               "cat .ENV",
                                               "cat .env/",
                                               "cat $'.env'",
                                               "cat $'\\x2eenv'",
                                               "cat .{env,x}",
                                               "cat .en?",
                                               "cat .e*",
                                               "cat .[e]nv",
                                               "cat --file=.env",
                                               "curl -d @.env h",
                                               "curl -d@.env h",
                                               "dd if=.env",
                                               "dd of=.env",
                                               "grep -f.env x",
                                               "grep x .env",
                                               "cat link",
                                               "cat linked/.env",
                                               "cat hop",
                                               "cat <.env",
                                               "cat<.env",
                                               "echo x >.env",
                                               "echo x>>.env",
                                               "echo x >|.env",
                                               "echo x &>.env",
                                               "echo x >&.env",
                                               "python3 -c \"open('.env')\"",
                                               "node -e 'read(\".env\")'",
                                               "bash -c 'cat .env'",
                                               "bash -c 'cat .e\"\"nv'",
                                               "cd sub && cat ../.env",
                                               "cd / && cat w/app/.env",
                                               "git show HEAD:.env",
                                               "git -C . show :.env",
                                               "tar cf - .",
                                               "grep -r x .",
                                               "cp -r . /x",
                                               "rg x",
                                               "find . -exec cat {} +",
                                               "ls -a | xargs cat",
                                               "source .env",
                                               ". ./.env",
                                               "f=.env; cat $f",
                                               "cat $(echo .env)",
                                               "env cat .env",
                                               "sudo cat .env",
                                               "timeout 5 cat .env",
                                               "cat .\xef\xbd\x85nv",
                                               "cat /proc/self/cwd/.env"};
  return all;
}

// A file system in which some names are links.
std::vector<fs::path> names_of(const fs::path& given) {
  static const std::map<std::string, std::vector<fs::path>> links = {
      {"/w/app/link", {"/w/app/link", "/w/app/.env"}},
      {"/w/app/hop", {"/w/app/hop", "/w/app/link", "/w/app/.env"}},
      {"/w/app/linked/.env", {"/w/app/linked/.env", "/w/app/.env"}},
      {"/proc/self/cwd/.env", {"/proc/self/cwd/.env", "/w/app/.env"}},
  };
  const auto found = links.find(given.lexically_normal().string());
  return found == links.end() ? std::vector<fs::path>{given} : found->second;
}

struct Tool {
  const char* name;
  bool writes;
};
constexpr Tool k_file_tools[] = {{"Read", false},     {"Write", true}, {"Edit", true},
                                 {"MultiEdit", true}, {"Glob", false}, {"Grep", false},
                                 {"LS", false}};

PolicySettings settings(PermissionMode mode, const RuleOrigin& origin, const char* denied) {
  PolicySettings with{.mode = mode,
                      .roots = {"/w/app"},
                      .home = "/home/u",
                      .file_names = names_of,
                      .workspace_trusted = true};
  for (const char* all : {"Bash", "Read", "Edit", "Glob", "Grep", "LS"}) {
    with.rules.allow.push_back(test::rule_of(all, RuleEffect::allow));
  }
  with.rules.deny = {test::rule_of(denied, RuleEffect::deny)};
  with.rules.deny.front().origin = origin;
  return with;
}

std::size_t check(const ModePolicy& policy, const std::string& where) {
  std::size_t count = 0;
  const auto expect_closed = [&](const std::string& tool, const std::string& spelling,
                                 const core::Action& action) {
    const auto decision = policy.decide({.id = "x", .name = tool, .input = {"{}"}}, action);
    EXPECT_FALSE(std::holds_alternative<core::Allow>(decision))
        << where << ", " << tool << ": " << spelling;
    ++count;
  };
  for (const Tool& tool : k_file_tools) {
    for (const std::string& path : file_spellings()) {
      // What a tool passes on: absolute, and where its links lead.
      const fs::path real = names_of(path).back();
      expect_closed(tool.name, path,
                    tool.writes ? core::Action(core::WritesFile{.path = real, .given = path})
                                : core::Action(core::ReadsFile{.path = real, .given = path}));
    }
  }
  for (const std::string& command : command_spellings()) {
    expect_closed("Bash", command, core::RunsCommand{command});
  }
  return count;
}

TEST(DenyMatrix, KeepsAFileClosed) {
  ASSERT_GE(file_spellings().size(), 30U);
  ASSERT_GE(command_spellings().size(), 30U);
  std::size_t count = 0;
  for (const RuleOrigin& origin : origins()) {
    for (const PermissionMode mode : k_modes) {
      const ModePolicy policy(settings(mode, origin, "Read(.env)"));
      count += check(policy, origin.name + ", " + std::string(to_string(mode)));
    }
  }
  EXPECT_GE(count, 7U * 5U * 8U * 30U);
}

TEST(DenyMatrix, KeepsAFileClosedToYume) {
  PolicySettings with = settings(PermissionMode::default_mode, origins().front(), "Read(.env)");
  with.trust = HostTrust::runs_tools;
  check(ModePolicy(with), "Yume");
}

TEST(DenyMatrix, KeepsAFileUnchanged) {
  const std::vector<std::string> commands = {"echo x >.env",
                                             "echo x >> ./.env",
                                             "echo x >| .env",
                                             "echo x &> .env",
                                             "echo x >&.env",
                                             "echo x <>.env",
                                             "tee .env",
                                             "cp x .env",
                                             "mv x .env",
                                             "mv .env x",
                                             "rm .env",
                                             "touch .env",
                                             "sed -i s/a/b/ .env",
                                             "dd of=.env",
                                             "truncate -s0 .env",
                                             "ln -sf x .env",
                                             "cp x link",
                                             "cd sub && echo x > ../.env",
                                             "bash -c 'echo x > .env'",
                                             "sort -o .env x",
                                             "chmod 0 .ENV"};
  for (const char* rule : {"Edit(.env)", "Write(.env)", "MultiEdit(.env)"}) {
    for (const RuleOrigin& origin : origins()) {
      for (const PermissionMode mode : k_modes) {
        const ModePolicy policy(settings(mode, origin, rule));
        for (const std::string& command : commands) {
          EXPECT_FALSE(test::allows(policy, command)) << rule << ", " << command;
        }
        for (const Tool& tool : k_file_tools) {
          const core::Action action =
              core::WritesFile{.path = "/w/app/.env", .given = "/w/app/hop"};
          const auto decision =
              policy.decide({.id = "x", .name = tool.name, .input = {"{}"}}, action);
          EXPECT_FALSE(std::holds_alternative<core::Allow>(decision)) << rule << ", " << tool.name;
        }
        EXPECT_TRUE(test::allows(policy, "cat .env")) << rule << " is not about reading";
      }
    }
  }
}

}  // namespace
}  // namespace yume::permissions
