// SPDX-License-Identifier: MIT
#include "permissions/closed_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;
using Variables = std::map<std::string, std::string, std::less<>>;

platform::Environment environment(Variables variables = {}, fs::path home = "/home/me") {
  return {.variables = std::move(variables),
          .home = std::move(home),
          .cwd = "/home/me/work",
          .executable = "/usr/bin/yume-cli",
          .os_name = "Linux"};
}

ClosedSet set_of(Variables variables = {}) {
  const auto around = environment(std::move(variables));
  return ClosedSet::from(
      {.environment = around, .token_caches = {"/run/user/7/yume-cli", "/tmp/yume-cli-7"}});
}

enum class Is { open, personal, own };
void PrintTo(Is is, std::ostream* out) {
  *out << (is == Is::open ? "open" : is == Is::own ? "own" : "personal");
}

Is judge(const ClosedSet& set, const fs::path& path) {
  const auto place = set.covers(path);
  if (!place) return Is::open;
  return place->own ? Is::own : Is::personal;
}

TEST(ClosedSet, KnowsThePlacesOfTheHomeFolder) {
  struct Row {
    const char* path;
    Is is;
  };
  const std::vector<Row> rows = {
      {"/home/me/.config/gcloud", Is::own},
      {"/home/me/.config/gcloud/application_default_credentials.json", Is::own},
      {"/home/me/.config/gcloud/configurations/config_default", Is::own},
      {"/run/user/7/yume-cli/token", Is::own},
      {"/tmp/yume-cli-7", Is::own},
      {"/home/me/.ssh", Is::personal},
      {"/home/me/.ssh/id_ed25519", Is::personal},
      {"/home/me/.ssh/known_hosts", Is::personal},
      {"/home/me/.ssh/id_ed25519.pub", Is::personal},
      {"/home/me/.ssh/a/b/c", Is::personal},
      {"/home/me/.gnupg/private-keys-v1.d/x.key", Is::personal},
      {"/home/me/.aws/credentials", Is::personal},
      {"/home/me/.kube/config", Is::personal},
      {"/home/me/.netrc", Is::personal},
      {"/home/me/.config/gh/hosts.yml", Is::personal},
      {"/home/me/.docker/config.json", Is::personal},
      {"/home/me/.git-credentials", Is::personal},
      {"/home/me/.config/google-chrome/Default/Cookies", Is::personal},
      {"/home/me/.config/chromium/Default/Login Data", Is::personal},
      {"/home/me/.config/BraveSoftware/Brave-Browser/Default/Cookies", Is::personal},
      {"/home/me/.config/microsoft-edge/Default/Cookies", Is::personal},
      {"/home/me/.mozilla/firefox/abc.default/logins.json", Is::personal},
      {"/home/me/snap/firefox/common/.mozilla", Is::personal},
      {"/home/me/.var/app/org.mozilla.firefox/.mozilla", Is::personal},
      {"/home/me/.local/share/keyrings/login.keyring", Is::personal},
      {"/home/me/Library/Keychains/login.keychain-db", Is::personal},
      {"/home/me/Library/Application Support/Google/Chrome/Default/Cookies", Is::personal},
      {"/home/me/Library/Application Support/Firefox/Profiles/x", Is::personal},
      {"/home/me/.gemini/oauth_creds.json", Is::personal},
      {"/home/me/.claude/.credentials.json", Is::personal},
      {"/home/me", Is::open},
      {"/home/me/.config", Is::open},
      {"/home/me/.config/git/config", Is::open},
      {"/home/me/.config/gcloud-notes", Is::open},
      {"/home/me/.sshd/x", Is::open},
      {"/home/me/.docker/daemon.json", Is::open},
      {"/home/me/.claude/settings.json", Is::open},
      {"/home/me/.npmrc", Is::open},
      {"/home/me/work/.ssh/x", Is::open},
      {"/home/you/.ssh/x", Is::open},
      {"/tmp/yume-cli-70", Is::open},
      {"/tmp", Is::open},
      {"/", Is::open},
  };
  const ClosedSet set = set_of();
  for (const Row& row : rows) EXPECT_EQ(judge(set, row.path), row.is) << row.path;
}

TEST(ClosedSet, ComparesWithoutCaseAndInEverySpelling) {
  const ClosedSet set = set_of();
  for (const char* path :
       {"/home/me/.SSH/id_rsa", "/HOME/ME/.ssh", "/home/me/.ssh/", "/home/me//.ssh/id_rsa",
        "/home/me/./.ssh/id_rsa", "/home/me/work/../.ssh/id_rsa", "/home/me/.ssh/../.ssh/id_rsa"}) {
    EXPECT_EQ(judge(set, path), Is::personal) << path;
  }
  EXPECT_EQ(judge(set, "/home/me/.Config/GCloud/adc.json"), Is::own);
  EXPECT_EQ(judge(set, "/home/me/.ssh/../notes"), Is::open);
}

TEST(ClosedSet, SaysWhichPlaceItIs) {
  EXPECT_EQ(set_of().covers("/home/me/.ssh/id_rsa"), (ClosedPlace{"/home/me/.ssh", false}));
  EXPECT_EQ(set_of().covers("/home/me/.config/gcloud/x"),
            (ClosedPlace{"/home/me/.config/gcloud", true}));
}

TEST(ClosedSet, FollowsTheVariablesOfGoogle) {
  const ClosedSet set = set_of(
      {{"CLOUDSDK_CONFIG", "/data/gcloud"}, {"GOOGLE_APPLICATION_CREDENTIALS", "keys/sa.json"}});
  EXPECT_EQ(judge(set, "/data/gcloud/credentials.db"), Is::own);
  EXPECT_EQ(judge(set, "/home/me/.config/gcloud/credentials.db"), Is::own);
  EXPECT_EQ(judge(set, "/home/me/work/keys/sa.json"), Is::own);
  EXPECT_EQ(judge(set, "/home/me/work/keys/other.json"), Is::open);
  EXPECT_EQ(judge(set_of({{"GOOGLE_APPLICATION_CREDENTIALS", "/etc/sa.json"}}), "/etc/sa.json"),
            Is::own);
  EXPECT_EQ(judge(set_of({{"CLOUDSDK_CONFIG", ""}}), "/home/me/work/x"), Is::open);
}

TEST(ClosedSet, FollowsTheVariablesOfOthers) {
  const ClosedSet set = set_of({{"GNUPGHOME", "/data/gpg"},
                                {"KUBECONFIG", "/k/one:k/two::/k/three"},
                                {"AWS_SHARED_CREDENTIALS_FILE", "/aws/c"},
                                {"GH_CONFIG_DIR", "/gh"},
                                {"DOCKER_CONFIG", "/docker"},
                                {"XDG_CONFIG_HOME", "/conf"},
                                {"XDG_DATA_HOME", "/share"}});
  for (const char* path :
       {"/data/gpg/x", "/k/one", "/home/me/work/k/two", "/k/three", "/aws/c", "/gh/hosts.yml",
        "/docker/config.json", "/conf/gh/hosts.yml", "/conf/chromium/x", "/share/keyrings/x",
        "/home/me/.config/gh/x", "/home/me/.local/share/keyrings/x"}) {
    EXPECT_EQ(judge(set, path), Is::personal) << path;
  }
  for (const char* path : {"/k", "/docker/daemon.json", "/home/me/work", "/home/me/work/k"}) {
    EXPECT_EQ(judge(set, path), Is::open) << path;
  }
}

TEST(ClosedSet, DoesNotCloseTheWholeMachine) {
  for (const char* all : {"/", "/home", "/home/me", "/home/me/"}) {
    const ClosedSet set = set_of({{"CLOUDSDK_CONFIG", all},
                                  {"GNUPGHOME", all},
                                  {"KUBECONFIG", all},
                                  {"GOOGLE_APPLICATION_CREDENTIALS", all}});
    EXPECT_EQ(judge(set, "/home/me/work/main.c"), Is::open) << all;
    EXPECT_EQ(judge(set, fs::path(all) / "credentials.db"), Is::own) << all;
    EXPECT_EQ(judge(set, fs::path(all) / "legacy_credentials/me/adc.json"), Is::own) << all;
  }
}

TEST(ClosedSet, NeedsNoHome) {
  const auto around = environment({}, "");
  const ClosedSet set = ClosedSet::from({.environment = around, .token_caches = {"/tmp/t"}});
  EXPECT_EQ(set.paths(), std::vector<fs::path>{"/tmp/t"});
  EXPECT_EQ(judge(set, "/.ssh/x"), Is::open);
}

TEST(ClosedSet, CoversPlacesThatAreLinksUnderBothNames) {
  const auto around = environment();
  const ClosedSet set =
      ClosedSet::from({.environment = around, .token_caches = {}, .real_path = [](fs::path path) {
                         if (path == "/home/me/.ssh") return fs::path("/vault/keys");
                         if (path == "/home/me/.config/gcloud") return fs::path("/vault/gcloud");
                         return path;
                       }});
  EXPECT_EQ(judge(set, "/home/me/.ssh/id_rsa"), Is::personal);
  EXPECT_EQ(judge(set, "/vault/keys/id_rsa"), Is::personal);
  EXPECT_EQ(judge(set, "/vault/gcloud/credentials.db"), Is::own);
  EXPECT_EQ(judge(set, "/vault"), Is::open);
}

TEST(ClosedSet, KeepsAnOwnPlaceInsideOneOfTheUser) {
  const ClosedSet set = set_of({{"GOOGLE_APPLICATION_CREDENTIALS", "/home/me/.aws/sa.json"}});
  EXPECT_EQ(judge(set, "/home/me/.aws/sa.json"), Is::own);
  EXPECT_EQ(judge(set, "/home/me/.aws/credentials"), Is::personal);
  const ClosedSet opened = set.without({"/home/me/.aws"});
  EXPECT_EQ(judge(opened, "/home/me/.aws/sa.json"), Is::own);
  EXPECT_EQ(judge(opened, "/home/me/.aws/credentials"), Is::open);
}

TEST(ClosedSet, OpensPlacesOfTheUserOnly) {
  const ClosedSet set = set_of().without({"/home/me/.SSH/", "/home/me/.config", "/tmp"});
  EXPECT_EQ(judge(set, "/home/me/.ssh/id_rsa"), Is::open);
  EXPECT_EQ(judge(set, "/home/me/.config/gh/hosts.yml"), Is::open);
  EXPECT_EQ(judge(set, "/home/me/.config/gcloud/x"), Is::own);
  EXPECT_EQ(judge(set, "/tmp/yume-cli-7/x"), Is::own);
  EXPECT_EQ(judge(set, "/home/me/.aws/x"), Is::personal);
  EXPECT_EQ(judge(set_of().without({"/home/me/.ssh/known_hosts"}), "/home/me/.ssh/known_hosts"),
            Is::personal);
  EXPECT_EQ(judge(set_of().without({"/proc/1"}), "/proc/1/environ"), Is::own);
}

TEST(ClosedSet, ClosesWhatProcTellsOfProcesses) {
  const ClosedSet set;
  for (const char* path :
       {"/proc/self/environ", "/proc/1/environ", "/proc/1/mem", "/proc/42/maps", "/proc/42/fd",
        "/proc/42/fd/3", "/proc/thread-self/environ", "/proc/1/task/1/environ",
        "/proc/1/task/2/fd/0", "/PROC/1/Environ", "/proc/1/smaps", "/proc/1/map_files/a-b",
        "/proc/1/auxv", "/proc/kcore", "/proc/./1/environ", "/proc/1/cwd/../environ"}) {
    EXPECT_EQ(judge(set, path), Is::own) << path;
  }
  for (const char* path :
       {"/proc/cpuinfo", "/proc/self/status", "/proc/1/cmdline", "/proc", "/proc/self",
        "/proc/sys/fs/file-max", "/proc/sys/kernel/environ", "/w/proc/1/environ", "/proc/environ",
        "/processes/1/environ", "/proc/1/environment"}) {
    EXPECT_EQ(judge(set, path), Is::open) << path;
  }
}

TEST(ClosedSet, LooksThroughTheRootOfAnotherProcess) {
  const ClosedSet set = set_of();
  EXPECT_EQ(judge(set, "/proc/1/root/home/me/.ssh/id_rsa"), Is::personal);
  EXPECT_EQ(judge(set, "/proc/self/root/proc/1/root/home/me/.config/gcloud/x"), Is::own);
  EXPECT_EQ(judge(set, "/proc/1/task/1/root/home/me/.aws/x"), Is::personal);
  EXPECT_EQ(judge(set, "/proc/1/root/proc/1/environ"), Is::own);
  EXPECT_EQ(judge(set, "/proc/1/root/etc/passwd"), Is::open);
  EXPECT_EQ(judge(set, "/proc/1/root"), Is::open);
}

TEST(ClosedSet, KnowsInWhichFoldersSomethingIsClosed) {
  const ClosedSet set = set_of();
  for (const char* folder :
       {"/", "/home", "/home/me", "/home/me/.config", "/home/me/.ssh", "/HOME/me/", "/tmp",
        "/run/user", "/proc", "/proc/1", "/home/me/.docker"}) {
    EXPECT_TRUE(set.has_inside(folder)) << folder;
  }
  for (const char* folder : {"/home/me/work", "/home/you", "/usr", "/hom", "/home/me/.co",
                             "/home/me/.config/git/x", "/home/me/.s"}) {
    EXPECT_FALSE(set.has_inside(folder)) << folder;
  }
}

TEST(ClosedSet, KnowsWhatAPatternOfTheShellFinds) {
  const ClosedSet set = set_of();
  for (const char* pattern :
       {"/home/me/.s*/id*", "/home/*/.ssh/id_rsa", "/home/me/.ss?", "/h*/m*/.aws/*",
        "/home/me/.[st]sh/x", "/HOME/me/.S*", "/home/me/.*/id_rsa"}) {
    EXPECT_TRUE(set.matched_by(pattern)) << pattern;
  }
  for (const char* pattern : {"/home/you/*/id_rsa", "/home/me/.s*x/id", "/home/you/.s*/id",
                              "/home/*", "/home/me/.ssh/id_rsa", "/home/me/work/*.c"}) {
    EXPECT_FALSE(set.matched_by(pattern)) << pattern;
  }
}

TEST(ClosedSet, ListsEveryPlaceOnce) {
  const std::vector<fs::path> paths = set_of({{"XDG_CONFIG_HOME", "/home/me/.config"}}).paths();
  std::vector<fs::path> once = paths;
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  EXPECT_EQ(once.size(), paths.size());
  for (const char* place : {"/home/me/.ssh", "/home/me/.config/gcloud", "/tmp/yume-cli-7"}) {
    EXPECT_EQ(std::count(paths.begin(), paths.end(), place), 1) << place;
  }
  for (const fs::path& path : paths) EXPECT_TRUE(path.is_absolute()) << path;
}

}  // namespace
}  // namespace yume::permissions
