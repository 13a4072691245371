// SPDX-License-Identifier: MIT
#include "platform/sandbox_places.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace yume::platform {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;
using Steps = std::vector<MountStep>;

const RealPath as_given = [](const fs::path& path) { return path; };

// A tree as lists of names; folders that are not named have no entries.
ListFolder folders(std::map<std::string, std::vector<std::string>> names) {
  return [names = std::move(names)](const fs::path& folder) {
    Paths entries;
    const auto found = names.find(folder.string());
    if (found == names.end()) return entries;
    for (const std::string& name : found->second) entries.push_back(folder / name);
    return entries;
  };
}

const ListFolder k_machine = folders({{"/", {"home", "usr", "dev"}},
                                      {"/home", {"me", "you"}},
                                      {"/home/me", {".ssh", ".config", "work", "notes"}},
                                      {"/home/me/.config", {"gcloud", "git"}}});

TEST(SandboxPlaces, AreRealAndThereAndEachOnce) {
  const RealPath links = [](const fs::path& path) -> fs::path {
    if (path == "/link") return "/work";
    return path == "/missing" ? fs::path() : path;
  };
  const SandboxPlaces places = real_places({.writable = {"/work", "/link", "/missing", "/a"},
                                            .read_only = {"/missing"},
                                            .closed = {"/missing"},
                                            .temporary = {}},
                                           links);
  EXPECT_EQ(places, (SandboxPlaces{.writable = {"/a", "/work"}}));
}

TEST(SandboxPlaces, AreNotOpenedByALinkThatACommandMayHaveMade) {
  const RealPath links = [](const fs::path& path) -> fs::path {
    if (path == "/w/.yume/tmp") return "/home/me";
    if (path == "/w/inner") return "/w/real";
    if (path == "/home/me/cache") return "/big/cache";
    return path;
  };
  const SandboxPlaces places =
      real_places({.writable = {"/w", "/w/.yume/tmp", "/w/inner", "/home/me/cache"},
                   .read_only = {},
                   .closed = {},
                   .temporary = {}},
                  links);
  EXPECT_EQ(places.writable, (Paths{"/big/cache", "/w", "/w/real"}));
}

TEST(SandboxPlaces, AreNeverOpenedInsideWhatIsClosed) {
  const SandboxPlaces places =
      real_places({.writable = {"/me", "/me/.ssh", "/me/.ssh/work", "/me/.sshd"},
                   .read_only = {"/me/.ssh/config", "/me/x"},
                   .closed = {"/me/.ssh"},
                   .temporary = {}},
                  as_given);
  EXPECT_EQ(places.writable, (Paths{"/me", "/me/.sshd"}));
  EXPECT_EQ(places.read_only, (Paths{"/me/x"}));
}

TEST(SandboxPlaces, AreReadOnlyWhenTheyAreNamedAsBoth) {
  const SandboxPlaces places = real_places(
      {.writable = {"/work"}, .read_only = {"/work"}, .closed = {}, .temporary = {}}, as_given);
  EXPECT_EQ(places.writable, Paths{});
}

TEST(TreesWithout, AreTheWholeWhenNothingIsLeftOut) {
  EXPECT_EQ(trees_without("/", {}, k_machine), Paths{"/"});
  EXPECT_EQ(trees_without("/home/me/work", {"/home/me/.ssh"}, k_machine), Paths{"/home/me/work"});
}

TEST(TreesWithout, AreNothingInsideWhatIsLeftOut) {
  EXPECT_EQ(trees_without("/home", {"/home"}, k_machine), Paths{});
  EXPECT_EQ(trees_without("/home/me", {"/home"}, k_machine), Paths{});
}

TEST(TreesWithout, GoAroundEachPlace) {
  EXPECT_EQ(
      trees_without("/", {"/dev", "/home/me/.ssh", "/home/me/.config/gcloud"}, k_machine),
      (Paths{"/home/me/.config/git", "/home/me/work", "/home/me/notes", "/home/you", "/usr"}));
}

TEST(TreesWithout, CompareWholeNames) {
  const ListFolder list = folders({{"/", {"a", "ab", "abc"}}});
  EXPECT_EQ(trees_without("/", {"/ab"}, list), (Paths{"/a", "/abc"}));
}

TEST(ChangeableTrees, AreWholeRootsUnlessSomethingIsClosedInThem) {
  SandboxPlaces places{.writable = {"/home/me/work"},
                       .read_only = {"/home/me/work/.git/hooks"},
                       .closed = {"/home/me/.ssh"}};
  EXPECT_EQ(changeable_trees(places, k_machine), Paths{"/home/me/work"});
  places.writable = {"/home/me"};
  places.read_only = {"/home/me/notes", "/home/me/work/.git/hooks"};
  EXPECT_EQ(changeable_trees(places, k_machine), (Paths{"/home/me/.config", "/home/me/work"}));
}

TEST(PlannedMounts, OpenWhatIsWritableAndCoverWhatIsClosed) {
  EXPECT_EQ(plan_mounts({.writable = {"/home/me/work", "/tmp/own"},
                         .closed = {"/home/me/.ssh"},
                         .closed_sockets = {"/run/docker.sock"}}),
            (Steps{{MountKind::closed, "/home/me/.ssh"},
                   {MountKind::writable, "/home/me/work"},
                   {MountKind::closed, "/run/docker.sock"},
                   {MountKind::writable, "/tmp/own"}}));
}

TEST(PlannedMounts, PinTheFoldersOnTheWayToWhatIsReadOnly) {
  EXPECT_EQ(plan_mounts({.writable = {"/w"}, .read_only = {"/w/.git/hooks", "/w/.vscode"}}),
            (Steps{{MountKind::writable, "/w"},
                   {MountKind::pinned, "/w/.git"},
                   {MountKind::read_only, "/w/.git/hooks"},
                   {MountKind::read_only, "/w/.vscode"}}));
}

TEST(PlannedMounts, OpenAgainWhatIsWritableInsideWhatIsReadOnly) {
  EXPECT_EQ(plan_mounts({.writable = {"/w", "/w/.yume/tmp"}, .read_only = {"/w/.yume"}}),
            (Steps{{MountKind::writable, "/w"},
                   {MountKind::read_only, "/w/.yume"},
                   {MountKind::writable, "/w/.yume/tmp"}}));
  EXPECT_EQ(plan_mounts({.writable = {"/w", "/w/a/b"}, .read_only = {"/w/a", "/w/a/b/c"}}),
            (Steps{{MountKind::writable, "/w"},
                   {MountKind::read_only, "/w/a"},
                   {MountKind::writable, "/w/a/b"},
                   {MountKind::read_only, "/w/a/b/c"}}));
}

TEST(PlannedMounts, LeaveOutWhatIsSoAnyway) {
  EXPECT_EQ(plan_mounts({.writable = {"/w", "/w/inner"}, .read_only = {"/elsewhere"}}),
            (Steps{{MountKind::writable, "/w"}}));
  EXPECT_EQ(plan_mounts({.writable = {"/w"}, .read_only = {"/w/a", "/w/a/b"}}),
            (Steps{{MountKind::writable, "/w"}, {MountKind::read_only, "/w/a"}}));
  EXPECT_EQ(plan_mounts({.closed = {"/c", "/c/d"}, .closed_sockets = {"/c/s"}}),
            (Steps{{MountKind::closed, "/c"}}));
}

TEST(PlannedMounts, CloseWhatIsInsideAWritableFolder) {
  EXPECT_EQ(
      plan_mounts({.writable = {"/home/me"}, .closed = {"/home/me/.config/gcloud"}}),
      (Steps{{MountKind::writable, "/home/me"}, {MountKind::closed, "/home/me/.config/gcloud"}}));
}

}  // namespace
}  // namespace yume::platform
