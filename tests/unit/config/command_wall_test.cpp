// SPDX-License-Identifier: MIT
#include "config/command_wall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "config/git_worktree.h"
#include "support/memory_file_system.h"

namespace yume::config {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;
using platform::NetworkAccess;

struct Scene {
  Scene() {
    environment.home = "/home/u";
    environment.cwd = "/home/u/p";
    environment.variables = {{"TMPDIR", "/scratch"}};
  }

  tools::CommandWall wall(SandboxMode mode = SandboxMode::workspace_write) const {
    return make_command_wall({.mode = mode,
                              .settings = settings,
                              .roots = roots,
                              .closed = permissions::ClosedSet::from(
                                  {.environment = environment, .token_caches = {"/tmp/t"}}),
                              .environment = environment,
                              .files = files});
  }

  SandboxSettings settings;
  Paths roots = {"/home/u/p", "/data/more"};
  platform::Environment environment;
  test::MemoryFileSystem files;
};

bool has(const auto& list, const auto& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

TEST(CommandWall, OpensTheWorkspaceAndKeepsWhatStartsByItself) {
  const platform::Sandbox sandbox = Scene().wall().sandbox;
  for (const char* path : {"/home/u/p", "/data/more", "/dev/shm", "/home/u/p/.yume/tmp",
                           "/home/u/p/.claude/worktrees"}) {
    EXPECT_TRUE(has(sandbox.writable, fs::path(path))) << path;
  }
  EXPECT_FALSE(has(sandbox.writable, fs::path("/home/u")));
  EXPECT_FALSE(has(sandbox.writable, fs::path("/tmp")));
  for (const char* path : {"/home/u/p/.git/hooks", "/home/u/p/.git/config", "/home/u/p/.claude",
                           "/home/u/p/.vscode", "/data/more/.yume", "/data/more/.git/hooks"}) {
    EXPECT_TRUE(has(sandbox.read_only, fs::path(path))) << path;
  }
  EXPECT_EQ(sandbox.network, NetworkAccess::allowed);
}

TEST(CommandWall, OpensNothingWhenReadOnly) {
  const platform::Sandbox sandbox = Scene().wall(SandboxMode::read_only).sandbox;
  EXPECT_EQ(sandbox.writable, Paths{});
  EXPECT_FALSE(sandbox.temporary.empty());
  EXPECT_TRUE(has(sandbox.closed, fs::path("/home/u/.ssh")));
}

TEST(CommandWall, HasOneTemporaryFolderForEachWorkspace) {
  Scene scene;
  const fs::path first = scene.wall().sandbox.temporary;
  EXPECT_EQ(first.parent_path().parent_path(), "/scratch");
  EXPECT_EQ(scene.wall().sandbox.temporary, first);
  scene.roots = {"/home/u/q"};
  EXPECT_NE(scene.wall().sandbox.temporary, first);
  scene.environment.variables = {{"TMPDIR", "relative"}};
  EXPECT_EQ(scene.wall().sandbox.temporary.parent_path().parent_path(), "/tmp");
}

TEST(CommandWall, ClosesCredentialsUnlessTheUserOpensThem) {
  Scene scene;
  scene.settings.allow_read = {"~/.kube", "~/.config/gcloud"};
  scene.settings.deny_read = {"secret", "~/private", "/etc/keys"};
  const Paths closed = scene.wall().sandbox.closed;
  for (const char* path : {"/home/u/.ssh", "/home/u/.config/gcloud", "/tmp/t", "/home/u/p/secret",
                           "/home/u/private", "/etc/keys"}) {
    EXPECT_TRUE(has(closed, fs::path(path))) << path;
  }
  EXPECT_FALSE(has(closed, fs::path("/home/u/.kube")));
}

TEST(CommandWall, FollowsTheListsOfTheUser) {
  Scene scene;
  scene.settings.allow_write = {"~/.npm", ".git/config", ".vscode"};
  scene.settings.deny_write = {"generated"};
  const tools::CommandWall wall = scene.wall();
  EXPECT_TRUE(has(wall.sandbox.writable, fs::path("/home/u/.npm")));
  EXPECT_FALSE(has(wall.sandbox.read_only, fs::path("/home/u/p/.git/config")));
  EXPECT_FALSE(has(wall.sandbox.read_only, fs::path("/home/u/p/.vscode")));
  EXPECT_TRUE(has(wall.sandbox.read_only, fs::path("/home/u/p/.git/hooks")));
  EXPECT_TRUE(has(wall.sandbox.read_only, fs::path("/home/u/p/generated")));
  EXPECT_NE(wall.advice.find("~/.npm"), std::string::npos);
}

TEST(CommandWall, DeniesTheNetworkAlsoWhereOnlySomeOfItWasMeant) {
  Scene scene;
  scene.settings.denies_network = true;
  EXPECT_EQ(scene.wall().sandbox.network, NetworkAccess::denied);
  scene.settings = {};
  scene.settings.limits_domains = true;
  EXPECT_EQ(scene.wall().sandbox.network, NetworkAccess::denied);
  EXPECT_NE(scene.wall().advice.find("there is no network"), std::string::npos);
}

TEST(CommandWall, ClosesTheSocketsOfThoseWhoWouldActOutside) {
  Scene scene;
  scene.environment.variables = {{"XDG_RUNTIME_DIR", "/run/user/7"},
                                 {"SSH_AUTH_SOCK", "/agent/sock"},
                                 {"TMUX", "/tmp/tmux-7/default,1,0"}};
  const Paths sockets = scene.wall().sandbox.closed_sockets;
  for (const char* path : {"/run/docker.sock", "/run/user/7", "/agent/sock", "/tmp/tmux-7/default",
                           "/home/u/.docker/run", "/tmp/.X11-unix"}) {
    EXPECT_TRUE(has(sockets, fs::path(path))) << path;
  }
  for (const fs::path& path : sockets) EXPECT_TRUE(path.is_absolute());
  scene.settings.allow_sockets = {"/run/docker.sock", "/run/user/7/bus"};
  EXPECT_FALSE(has(scene.wall().sandbox.closed_sockets, fs::path("/run/docker.sock")));
  EXPECT_FALSE(has(scene.wall().sandbox.closed_sockets, fs::path("/run/user/7")));
  EXPECT_TRUE(has(scene.wall().sandbox.closed_sockets, fs::path("/agent/sock")));
  scene.settings.allow_all_sockets = true;
  EXPECT_EQ(scene.wall().sandbox.closed_sockets, Paths{});
}

TEST(CommandWall, PointsProgramsToItsTemporaryFolder) {
  Scene scene;
  scene.environment.variables = {{"TMPDIR", "/scratch"},
                                 {"TMP", "/x"},
                                 {"XDG_RUNTIME_DIR", "/run/user/7"},
                                 {"GOCACHE", "/my/cache"},
                                 {"JAVA_TOOL_OPTIONS", "-Xmx1g"}};
  scene.settings.allow_write = {"~/.npm"};
  const tools::CommandWall wall = scene.wall();
  const std::string own = wall.sandbox.temporary.string();
  EXPECT_EQ(wall.environment, (std::vector<std::string>{
                                  "TMPDIR=" + own, "TMP=" + own, "XDG_RUNTIME_DIR=" + own,
                                  "CCACHE_DIR=" + own + "/ccache", "UV_CACHE_DIR=" + own + "/uv",
                                  "JAVA_TOOL_OPTIONS=-Xmx1g -Djava.io.tmpdir=" + own}));
}

TEST(CommandWall, TellsTheModelWhereItCanWork) {
  EXPECT_EQ(
      Scene().wall().advice,
      "[sandbox] Commands can change files only in /home/u/p, /data/more, $TMPDIR and "
      "/dev/null, but not .git/hooks, .git/config and the settings of agents and editors in "
      "them; credentials such as ~/.ssh are closed. If that is why this failed, work inside "
      "these folders, or tell the user what is missing: --add-dir, "
      "sandbox.filesystem.allowWrite and allowRead in settings.json, or --sandbox off open more.");
  EXPECT_TRUE(Scene()
                  .wall(SandboxMode::read_only)
                  .advice.starts_with("[sandbox] Commands can change files only in $TMPDIR and "
                                      "/dev/null; credentials"));
}

TEST(SandboxPath, StartsAtTheHomeTheRootOrTheWorkspace) {
  EXPECT_EQ(sandbox_path("~/a", "/w", "/home/u"), "/home/u/a");
  EXPECT_EQ(sandbox_path("/a/../b", "/w", "/home/u"), "/b");
  EXPECT_EQ(sandbox_path("./a", "/w", "/home/u"), "/w/a");
  EXPECT_EQ(sandbox_path("a", "/w", "/home/u"), "/w/a");
}

struct Repository {
  Repository() {
    files.add_file("/main/.git/HEAD", "ref: refs/heads/main\n");
    files.add_file("/main/.git/worktrees/topic/commondir", "../..\n");
    files.add_file("/main/.git/worktrees/topic/gitdir", "/trees/topic/.git\n");
    files.add_file("/trees/topic/.git", "gitdir: /main/.git/worktrees/topic\n");
  }
  test::MemoryFileSystem files;
};

TEST(Worktree, NeedsPartsOfItsRepository) {
  const Repository repository;
  EXPECT_EQ(
      worktree_places("/trees/topic", repository.files),
      (WorktreePlaces{.writable = {"/main/.git/worktrees/topic", "/main/.git/objects",
                                   "/main/.git/refs", "/main/.git/logs"},
                      .read_only = {"/trees/topic/.git", "/main/.git/worktrees/topic/commondir",
                                    "/main/.git/worktrees/topic/gitdir",
                                    "/main/.git/worktrees/topic/config.worktree"}}));
}

TEST(Worktree, IsBelievedOnlyWhenItsRepositoryKnowsIt) {
  const WorktreePlaces nothing;
  Repository other;
  other.files.add_file("/evil/.git", "gitdir: /main/.git/worktrees/topic\n");
  EXPECT_EQ(worktree_places("/evil", other.files), nothing);
  // Its own folder in its own tree.
  other.files.add_file("/evil/.git", "gitdir: /evil/g/worktrees/x\n");
  other.files.add_file("/evil/g/worktrees/x/commondir", "/home/u\n");
  other.files.add_file("/evil/g/worktrees/x/gitdir", "/evil/.git\n");
  EXPECT_EQ(worktree_places("/evil", other.files), nothing);
  other.files.add_file("/evil/.git", "gitdir: /home/u\n");
  EXPECT_EQ(worktree_places("/evil", other.files), nothing);
  other.files.add_file("/evil/.git", "something else\n");
  EXPECT_EQ(worktree_places("/evil", other.files), nothing);
  EXPECT_EQ(worktree_places("/main", other.files), nothing);
  EXPECT_EQ(worktree_places("/nowhere", other.files), nothing);
}

}  // namespace
}  // namespace yume::config
