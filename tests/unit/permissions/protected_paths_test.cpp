// SPDX-License-Identifier: MIT
#include "permissions/protected_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

TEST(IsInside, ComparesWholeComponents) {
  EXPECT_TRUE(is_inside("/w/app", "/w/app"));
  EXPECT_TRUE(is_inside("/w/app/x/y", "/w/app"));
  EXPECT_TRUE(is_inside("/w/app/x", "/w/app/"));
  EXPECT_TRUE(is_inside("/anything", "/"));
  EXPECT_TRUE(is_inside("/", "/"));
  EXPECT_FALSE(is_inside("/w/app-secret", "/w/app"));
  EXPECT_FALSE(is_inside("/w/app-secret/x", "/w/app"));
  EXPECT_FALSE(is_inside("/w/ap", "/w/app"));
  EXPECT_FALSE(is_inside("/w", "/w/app"));
  EXPECT_FALSE(is_inside("/", "/w"));
  EXPECT_FALSE(is_inside("/W/app", "/w/app"));
  EXPECT_FALSE(is_inside("/x/w/app", "/w/app"));
}

TEST(IsProtected, KnowsDirectoriesAtAnyDepth) {
  for (const char* path : {"/w/.git/config",
                           "/w/.git",
                           "/w/sub/.git/hooks/pre-commit",
                           "/home/u/.ssh/authorized_keys",
                           "/w/.claude/settings.json",
                           "/w/.yume/settings.json",
                           "/w/.gemini/x",
                           "/w/.vscode/tasks.json",
                           "/w/.idea/x",
                           "/w/.husky/pre-push",
                           "/w/.cargo/config.toml",
                           "/home/u/.gnupg/x",
                           "/home/u/.aws/credentials",
                           "/home/u/.kube/config",
                           "/home/u/.config/gcloud/adc.json",
                           "/w/.devcontainer/x",
                           "/w/.codex/x",
                           "/w/.cursor/x",
                           "/w/.yarn/x",
                           "/w/.mvn/x"}) {
    EXPECT_TRUE(is_protected(path)) << path;
  }
}

TEST(IsProtected, KnowsFilesByName) {
  for (const char* path :
       {"/w/.gitconfig", "/w/.gitmodules", "/home/u/.bashrc", "/home/u/.profile", "/home/u/.zshenv",
        "/w/.envrc", "/w/.npmrc", "/w/.mcp.json", "/home/u/.claude.json", "/w/.yume.json",
        "/home/u/.netrc", "/w/bunfig.toml", "/w/.pre-commit-config.yaml", "/w/.devcontainer.json",
        "/w/.ripgreprc"}) {
    EXPECT_TRUE(is_protected(path)) << path;
  }
}

// Written in acceptEdits by an earlier version.
TEST(IsProtected, KnowsWhatRunsLater) {
  for (const char* path : {"/home/u/.config/autostart/x.desktop",
                           "/home/u/.config/systemd/user/x.service", "/home/u/.local/bin/git",
                           "/w/.vimrc", "/w/.gradle/init.gradle", "/w/.github/workflows/ci.yml",
                           "/w/CLAUDE.md", "/w/sub/AGENTS.md", "/w/GEMINI.md", "/w/.bashrc.d/x"}) {
    EXPECT_TRUE(is_protected(path)) << path;
  }
}

// Look-alikes that a file system may take for the name itself.
TEST(IsProtected, FoldsLookAlikes) {
  for (const char* path : {"/w/.\uFF47it/config", "/w/.g\u200Bit/config", "/w/.git./config",
                           "/w/.git /config", "/w/.\U0001D420it/x", "/w/.ba\u017Fhrc"}) {
    EXPECT_TRUE(is_protected(path)) << path;
  }
}

TEST(IsProtected, LeavesWorkInsideSettingsFoldersOpen) {
  EXPECT_FALSE(is_protected("/w/.claude/worktrees/x/src/a.cpp"));
  EXPECT_FALSE(is_protected("/w/.yume/tmp/a"));
  EXPECT_TRUE(is_protected("/w/.claude/worktrees/x/.git/config"));
  EXPECT_TRUE(is_protected("/w/.claude/worktrees/x/.envrc"));
  EXPECT_TRUE(is_protected("/w/.claude/other/worktrees"));
}

TEST(IsProtected, FoldsCase) {
  for (const char* path : {"/w/.GIT/config", "/w/.Git", "/home/u/.SSH/x", "/home/u/.BashRC",
                           "/home/u/.Config/GCloud/x", "/w/.ENVRC"}) {
    EXPECT_TRUE(is_protected(path)) << path;
  }
}

TEST(IsProtected, LeavesOrdinaryFilesAlone) {
  for (const char* path :
       {"/w/git/config", "/w/.github/ISSUE_TEMPLATE.md", "/w/.gitignore", "/w/.gitattributes",
        "/w/src/bashrc", "/w/.env", "/w/gcloud/x", "/w/.config/app/x", "/w/my.git", "/w/.sshx/y",
        "/w/.profile/data.txt", "/", "/w"}) {
    EXPECT_FALSE(is_protected(path)) << path;
  }
}

}  // namespace
}  // namespace yume::permissions
