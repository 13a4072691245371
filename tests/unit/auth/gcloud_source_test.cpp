// SPDX-License-Identifier: MIT
#include "auth/gcloud_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "auth/gcloud_config.h"
#include "support/memory_file_system.h"
#include "support/tool_world.h"

namespace yume::auth {
namespace {

using namespace std::chrono_literals;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using test::ScriptedRun;

constexpr const char* k_token = "ya29.a0-gcloud_token";

struct Scene {
  Scene() {
    environment.home = "/home/u";
    environment.cwd = "/w";
    environment.variables = {{"HOME", "/home/u"}, {"PATH", "/w/bin:bin:.::/opt/sdk:/usr/bin"}};
    files.add_file("/opt/sdk/gcloud", "#!");
    search.workspace = {"/w"};
  }

  GcloudSource source() { return GcloudSource({.search = search}, environment, files, processes); }
  // "token account project quota owner", "absent <remember>", or "error: message".
  std::string fetch() {
    GcloudSource gcloud = source();
    const auto fetched = gcloud.fetch({}, CancelToken());
    if (!fetched.ok()) return "error: " + fetched.error().message;
    if (const auto* none = std::get_if<NoToken>(&*fetched)) {
      return "absent " + std::to_string(none->remember.count());
    }
    const Token& token = std::get<Token>(*fetched);
    EXPECT_EQ(token.lifetime, 55min);
    return std::string(token.value.reveal()) + " " + token.account + " " + token.project + " " +
           token.quota_project + " " + (token.owner == TokenOwner::user ? "user" : "service");
  }
  std::string after(ScriptedRun run) {
    processes.script.push_back(std::move(run));
    return fetch();
  }
  void configure(const std::string& text) {
    files.add_file("/home/u/.config/gcloud/configurations/config_default", text);
  }

  test::MemoryFileSystem files{"/w"};
  test::ScriptedRunner processes;
  platform::Environment environment;
  GcloudSearch search;
};

TEST(GcloudSource, RunsGcloudAndSaysWhoseTokenItIs) {
  Scene scene;
  scene.configure("[core]\naccount = a@b.c\nproject = p\n");
  EXPECT_EQ(scene.after({.output = {std::string(k_token) + "\n"}}),
            std::string(k_token) + " a@b.c p  user");
  const platform::ProcessSpec& spec = scene.processes.specs[0];
  EXPECT_EQ(spec.argv, (std::vector<std::string>{"/opt/sdk/gcloud", "auth", "print-access-token"}));
  EXPECT_EQ(spec.cwd, "/");
  EXPECT_EQ(spec.timeout, 10s);
  EXPECT_EQ(spec.stderr_mode, platform::StderrMode::apart);
}

TEST(GcloudSource, GivesGcloudWhatItNeedsAndNoSecretsOfOurs) {
  Scene scene;
  scene.environment.variables["GEMINI_API_KEY"] = "canary";
  scene.environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] = "/canary";
  scene.environment.variables["LD_PRELOAD"] = "/canary.so";
  scene.environment.variables["PYTHONPATH"] = "/w/canary";
  scene.environment.variables["CLOUDSDK_CONFIG"] = "/c";
  scene.environment.variables["HTTPS_PROXY"] = "http://proxy:1";
  (void)scene.after({.output = {k_token}});
  std::vector<std::string> seen = scene.processes.specs[0].environment;
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::string>{"CLOUDSDK_CONFIG=/c", "CLOUDSDK_CORE_DISABLE_PROMPTS=1",
                                            "HOME=/home/u", "HTTPS_PROXY=http://proxy:1",
                                            "PATH=/opt/sdk:/usr/bin"}));
}

TEST(GcloudSource, TakesOnlyAWellFormedTokenAndShowsNothingElse) {
  for (const std::string& junk :
       {std::string(), std::string("\n"), std::string("canary text"),
        "WARNING: canary\n" + std::string(k_token), std::string(k_token) + "\ncanary123\n",
        std::string("canary\0abc", 10), std::string(1'000'000, 'c'), std::string(k_token) + "\n\n",
        std::string("canary\r\nX: 1")}) {
    Scene scene;
    const std::string outcome = scene.after({.output = {junk}});
    EXPECT_EQ(outcome, "error: it printed something that is not an access token");
  }
}

TEST(GcloudSource, IgnoresWarningsBesideTheToken) {
  Scene scene;
  EXPECT_EQ(scene.after({.output = {std::string(k_token) + "\r\n"},
                         .error_output = "WARNING: active account is old\n"}),
            std::string(k_token) + "    user");
}

TEST(GcloudSource, TellsLoggedOutFromBroken) {
  Scene scene;
  const ProcessEnd failed{.kind = ProcessEndKind::exited, .exit_code = 1};
  EXPECT_EQ(scene.after({.end = failed,
                         .error_output = "ERROR: (gcloud.auth.print-access-token) You do not "
                                         "currently have an active account selected.\n"}),
            "absent 600");
  EXPECT_EQ(scene.after({.end = failed,
                         .error_output = "Your current active account [x] does not have any valid "
                                         "credentials\n"}),
            "absent 600");
  EXPECT_EQ(scene.after({.end = failed,
                         .error_output = "Reauthentication failed. canary\n$ gcloud auth login\n"}),
            "error: it failed with exit code 1; the login has expired. Run: gcloud auth login");
  EXPECT_EQ(scene.after({.end = ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 127},
                         .error_output = "canary: python3: not found\n"}),
            "error: it failed with exit code 127. To see why, run: gcloud auth print-access-token");
  EXPECT_EQ(
      scene.after({.output = {k_token}, .end = ProcessEnd{.kind = ProcessEndKind::timed_out}}),
      "error: it did not answer within 10 s");
  EXPECT_EQ(scene.after({.end = ProcessEnd{.kind = ProcessEndKind::signalled, .signal = 9}}),
            "error: it was killed by signal 9");
}

TEST(GcloudSource, IsAbsentWhenNotInstalled) {
  Scene scene;
  scene.environment.variables["PATH"] = "/usr/bin";
  EXPECT_EQ(scene.source().identity().has_value(), false);
  EXPECT_EQ(scene.fetch(), "absent 0");
  EXPECT_TRUE(scene.processes.specs.empty());
}

// There a program that is started from the desktop has a short PATH.
TEST(GcloudSource, LooksOnMacOSWhereInstallersPutIt) {
  for (const char* program :
       {"/home/u/google-cloud-sdk/bin/gcloud", "/opt/homebrew/bin/gcloud", "/usr/local/bin/gcloud",
        "/usr/local/share/google-cloud-sdk/bin/gcloud"}) {
    Scene scene;
    scene.environment.variables["PATH"] = "/usr/bin";
    scene.files.add_file(program, "#!");
    EXPECT_EQ(scene.fetch(), "absent 0") << "on another system";
    scene.environment.os_name = "Darwin 23.1.0 (arm64)";
    EXPECT_EQ(scene.after({.output = {k_token}}), std::string(k_token) + "    user") << program;
    EXPECT_EQ(scene.processes.specs.at(0).argv.at(0), program);
    scene.search.workspace = {std::filesystem::path(program).parent_path().parent_path()};
    EXPECT_EQ(scene.fetch(), "absent 0") << "but not in the workspace";
  }
}

// gcloud.cmd would be run by cmd.exe.
TEST(GcloudSource, RunsThePythonOfAScriptForWindowsWithoutAShell) {
  Scene scene;
  scene.files.add_file("/sdk/bin/gcloud.cmd", "@echo off");
  scene.search.named = "/sdk/bin/gcloud.cmd";
  EXPECT_TRUE(scene.fetch().starts_with("error: cannot run /sdk/bin/gcloud.cmd: there is no lib"));
  scene.files.add_file("/sdk/lib/gcloud.py", "import");
  EXPECT_EQ(scene.fetch(),
            "error: cannot run /sdk/bin/gcloud.cmd: it has no Python, and there is none on PATH");
  scene.files.add_file("/w/bin/python", "#!");
  scene.files.add_file("/opt/bin/python", "#!");
  scene.environment.variables["PATH"] = "/w/bin:/opt/bin";
  EXPECT_EQ(scene.after({.output = {k_token}}), std::string(k_token) + "    user");
  const std::vector<std::string> by_path = {"/opt/bin/python", "-S", "/sdk/lib/gcloud.py", "auth",
                                            "print-access-token"};
  EXPECT_EQ(scene.processes.specs.back().argv, by_path) << "not that of the workspace";
  scene.files.add_file("/sdk/platform/bundledpython/python.exe", "MZ");
  EXPECT_EQ(scene.after({.output = {k_token}}), std::string(k_token) + "    user");
  EXPECT_EQ(scene.processes.specs.back().argv.front(), "/sdk/platform/bundledpython/python.exe");
}

TEST(GcloudSource, NeverRunsAProgramOfTheWorkspace) {
  Scene scene;
  scene.files.add_file("/w/bin/gcloud", "#!");
  scene.files.add_file("/w/gcloud", "#!");
  scene.files.add_symlink("/w/bin", "/linked");
  scene.files.add_symlink("/w/gcloud", "/usr/bin/gcloud");
  scene.environment.variables["PATH"] = "/w/bin:.:bin::/linked:/usr/bin:/w/../w/bin";
  EXPECT_EQ(scene.fetch(), "absent 0");
  scene.search.named = "bin/gcloud";
  EXPECT_EQ(scene.fetch(),
            "error: cannot run /w/bin/gcloud: programs inside the workspace are not trusted with "
            "credentials");
  scene.search.named = "/linked/gcloud";
  EXPECT_TRUE(scene.fetch().starts_with("error: ")) << "by whatever name";
  EXPECT_TRUE(scene.processes.specs.empty());
}

TEST(GcloudSource, TrustsTheSystemWhenStartedInItsRoot) {
  Scene scene;
  scene.search.workspace = {"/"};
  EXPECT_EQ(scene.after({.output = {k_token}}), std::string(k_token) + "    user");
}

TEST(GcloudSource, TakesTheProgramItIsTold) {
  Scene scene;
  scene.files.add_file("/else/my-gcloud", "#!");
  scene.search.named = "/else/my-gcloud";
  (void)scene.after({.output = {k_token}});
  EXPECT_EQ(scene.processes.specs[0].argv[0], "/else/my-gcloud");
  scene.search.named = "/else/none";
  EXPECT_TRUE(scene.source().identity().has_value()) << "named and missing is broken, not absent";
  EXPECT_EQ(scene.fetch(), "error: cannot run /else/none: no such file; check --gcloud-path");
}

TEST(GcloudSource, TriesTheNextProgramWhenOneIsNotExecutable) {
  Scene scene;
  scene.files.add_file("/usr/bin/gcloud", "#!");
  scene.processes.script.push_back(
      {.end = Error{.code = ErrorCode::permission_denied, .message = "permission denied"}});
  EXPECT_EQ(scene.after({.output = {k_token}}), std::string(k_token) + "    user");
  EXPECT_EQ(scene.processes.specs[1].argv[0], "/usr/bin/gcloud");
}

TEST(GcloudSource, ChangesItsIdentityWithTheLogin) {
  Scene scene;
  scene.configure("[core]\naccount = a@b.c\n");
  const auto first = scene.source().identity();
  EXPECT_EQ(scene.source().identity()->version, first->version);
  scene.configure("[core]\naccount = d@e.f\n");
  const auto second = scene.source().identity();
  EXPECT_EQ(second->place, first->place);
  EXPECT_NE(second->version, first->version);
  scene.environment.variables["CLOUDSDK_AUTH_ACCESS_TOKEN_FILE"] = "/t";
  EXPECT_NE(scene.source().identity()->version, second->version);
}

TEST(GcloudSource, SeemsConfiguredWhenSomebodyIsLoggedIn) {
  Scene scene;
  EXPECT_FALSE(scene.source().seems_configured());
  scene.configure("[core]\naccount = a@b.c\n");
  EXPECT_TRUE(scene.source().seems_configured());
  scene.environment.variables["PATH"] = "/usr/bin";
  EXPECT_FALSE(scene.source().seems_configured());
}

// "file account project quota".
std::string config_text(Scene& scene) {
  const GcloudConfig config = read_gcloud_config(scene.environment, scene.files);
  return config.file.filename().string() + " " + config.account + " " + config.project + " " +
         config.quota_project;
}

TEST(GcloudConfig, ReadsTheActiveConfiguration) {
  Scene scene;
  EXPECT_EQ(config_text(scene), "config_default   ");
  scene.configure(
      "# comment\n; another\n[core]\r\naccount=a@b.c\r\n project =  p \n"
      "[billing]\nquota_project = q\n[other]\nproject = wrong\nnonsense\n[\n=\n");
  EXPECT_EQ(config_text(scene), "config_default a@b.c p q");
  scene.files.add_file("/home/u/.config/gcloud/active_config", "work\n");
  scene.files.add_file("/home/u/.config/gcloud/configurations/config_work",
                       "[core]\naccount = w@b.c\n[auth]\nimpersonate_service_account = robot@p\n");
  EXPECT_EQ(config_text(scene), "config_work robot@p  ");
  scene.environment.variables["CLOUDSDK_ACTIVE_CONFIG_NAME"] = "../../evil";
  EXPECT_EQ(config_text(scene), "config_default a@b.c p q");
}

TEST(GcloudConfig, LetsVariablesWin) {
  Scene scene;
  scene.configure(
      "[core]\naccount = a@b.c\nproject = p\n[billing]\nquota_project = CURRENT_PROJECT\n");
  EXPECT_EQ(config_text(scene), "config_default a@b.c p ");
  scene.environment.variables["CLOUDSDK_CORE_ACCOUNT"] = "v@b.c";
  scene.environment.variables["CLOUDSDK_CORE_PROJECT"] = "v";
  scene.environment.variables["CLOUDSDK_BILLING_QUOTA_PROJECT"] = "vq";
  EXPECT_EQ(config_text(scene), "config_default v@b.c v vq");
}

}  // namespace
}  // namespace yume::auth
