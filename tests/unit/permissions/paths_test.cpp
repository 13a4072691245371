// SPDX-License-Identifier: MIT
#include "permissions/paths.h"

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
       {"/w/git/config", "/w/.github/workflows/x.yml", "/w/.gitignore", "/w/.gitattributes",
        "/w/src/bashrc", "/w/.env", "/w/gcloud/x", "/w/.config/app/x", "/w/.bashrc.d/x",
        "/w/my.git", "/w/.sshx/y", "/w/.profile/data.txt", "/", "/w"}) {
    EXPECT_FALSE(is_protected(path)) << path;
  }
}

bool vital(std::string_view command) {
  return removes_something_vital(command, "/home/u/code/app", "/home/u");
}

TEST(RemovesSomethingVital, SeesWhatMustNeverGo) {
  for (const char* command : {
           // the root and what lies directly below it
           "rm -rf /",
           "rm -rf /*",
           "rm -rf /.",
           "rm -rf //",
           "rm -rf /etc",
           "rm -rf /usr/",
           "rm -rf /home",
           "rm -rf /home/*",
           "rm -rf /*/",
           "rm -rf /home/*/",
           "rm -rf --no-preserve-root /",
           "rm -rf -- /",
           "rm -r -f /tmp/../",
           "rm -rf /tmp",
           "rm / -rf",
           "rm -rf build /",
           "rmdir /opt",
           // the home directory
           "rm -rf ~",
           "rm -rf ~/",
           "rm -rf ~/*",
           "rm -rf ~/.*",
           "rm -rf ~/*/",
           "rm -rf $HOME",
           "rm -rf \"$HOME\"",
           "rm -rf \"${HOME}\"/*",
           "rm -rf ${HOME:?}",
           "rm -rf /home/u",
           "rm -rf /home/u/../u/",
           "rm -rf ~u",
           "rm -rf ~root",
           // the working directory and those above it
           "rm -rf .",
           "rm -rf ./",
           "rm -rf ./*",
           "rm -rf *",
           "rm -rf .*",
           "rm -rf **",
           "rm -rf * .*",
           "rm -rf */",
           "rm -rf {*,.*}",
           "rm -rf .[!.]* *",
           "rm -rf ..",
           "rm -rf ../..",
           "rm -rf ../app",
           "rm -rf ../*",
           "rm -rf src/..",
           "rm -rf $PWD",
           "rm -rf \"$PWD\"/*",
           "rm -rf ${PWD}",
           "rm -rf $(pwd)",
           "rm -rf `pwd`",
           "rm -rf \"`pwd`\"",
           "rm -rf ~+",
           "rm -rf /home/u/code/app",
           "rm -rf /home/u/code",
           "rmdir ../app",
           "git rm -rf .",
           // an unknown variable may be empty
           "rm -rf $DIR",
           "rm -rf \"$DIR\"/",
           "rm -rf \"$DIR\"/*",
           "rm -rf ${DIR}/*",
           // hidden behind something
           // after a change of directory
           "cd / && rm -rf *",
           "cd ..; rm -rf app",
           "cd .. && rm -rf *",
           "cd && rm -rf *",
           "cd ~ && rm -rf .",
           "pushd /home; rm -rf u",
           "cd \"$X\" && rm -rf build",
           "cd - && rm -rf build",
           "cd src && rm -rf ../*",
           // past a redirection
           "rm -rf >/dev/null /",
           "rm -rf build 2>&1 /",
           "rm -rf build &>log /",
           "sudo rm -rf /",
           "/bin/rm -rf /",
           "\\rm -rf /",
           "'rm' -rf /",
           "r\"m\" -rf /",
           "command rm -rf /",
           "env X=1 rm -rf /",
           "cd /tmp; rm -rf /",
           "true && rm -rf ~",
           "false || rm -rf ~",
           "sleep 1 & rm -rf ~",
           "echo x | xargs rm -rf /",
           "(rm -rf /)",
           "{ rm -rf /; }",
           "if true; then rm -rf /; fi",
           "bash -c 'rm -rf /'",
           "echo $(rm -rf /)",
           "echo `rm -rf ~`",
           "cat <(rm -rf ~)",
           "ls\nrm -rf /\n",
           "rm\t-rf\t/",
           "rm -rf \\\n/",
           "rm -rf {/,build}",
           "rm -rf /{bin,etc}",
           "busybox rm -rf /",
       }) {
    EXPECT_TRUE(vital(command)) << command;
  }
}

TEST(RemovesSomethingVital, LeavesOrdinaryRemovalsAlone) {
  for (const char* command : {
           "",
           "ls -la /",
           "rm file.txt",
           "rm -f a b c",
           "rm -rf build",
           "rm -rf ./build/",
           "rm -rf build/*",
           "rm -rf {build,dist}",
           "rm -rf src/{a,b}",
           "rm -rf node_modules dist .cache",
           "rm -rf /home/u/code/app/build",
           "rm -rf \"$PWD/build\"",
           "rm -rf ${PWD}/build",
           "rm -rf ~/other",
           "rm -rf $HOME/.cache/thing",
           "rm -rf /tmp/scratch",
           "rm -rf /tmp/scratch/*",
           "rm -rf \"$TMPDIR/scratch\"",
           "rm -rf ../other",
           "rm -rf ../app2",
           "rm *.o",
           "rm -f src/*.tmp",
           "rm -- -weird-name",
           "rmdir empty",
           "git rm old.txt",
           "docker rm container",
           "npm rm left-pad",
           "grep -rm 1 x /etc",
           "echo / > out.txt",
           "find . -name '*.o'",
           "rm -rf build; ls /",
           "rm -rf build && cd / && ls",
           "rm -rf build | tee /dev/null",
           "rm -rf build > /dev/null 2>&1",
           "cp -r / /mnt/backup/copy",
           "mv a b",
           "rm -rf /var/tmp/x/..y",
           "cd src && rm -rf *",
           "cd /tmp/scratch && rm -rf *",
           "cd src; rm -rf ./build",
           "rm -rf build > / 2>&1",
           "charm /",
           "rmx /",
           "cat rm.txt /etc/passwd",
           "rm -rf /home/u2",
       }) {
    EXPECT_FALSE(vital(command)) << command;
  }
}

TEST(RemovesSomethingVital, WorksWithoutAHomeDirectory) {
  EXPECT_TRUE(removes_something_vital("rm -rf /", "/w/app", ""));
  EXPECT_TRUE(removes_something_vital("rm -rf ~", "/w/app", ""));
  EXPECT_FALSE(removes_something_vital("rm -rf build", "/w/app", ""));
}

}  // namespace
}  // namespace yume::permissions
