// SPDX-License-Identifier: MIT
// The gcloud source with a real program in gcloud's place, real files and real processes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "auth/api_key_source.h"
#include "auth/cached_token_source.h"
#include "auth/credential_chain.h"
#include "auth/gcloud_source.h"
#include "platform/private_store.h"
#include "support/forked.h"
#include "support/temporary_directory.h"

namespace yume::auth {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A machine with a scripted gcloud that notes each of its runs.
struct Scene {
  Scene() {
    for (const fs::path& directory : {sdk(), workspace(), home()})
      fs::create_directories(directory);
    environment.home = home();
    environment.cwd = workspace();
    environment.variables = {{"HOME", home().string()},
                             {"PATH", sdk().string() + ":/usr/bin:/bin"}};
  }

  fs::path sdk() const { return scratch.path() / "sdk"; }
  fs::path workspace() const { return scratch.path() / "work"; }
  fs::path home() const { return scratch.path() / "home"; }
  fs::path runtime() const { return scratch.path() / "runtime"; }
  fs::path log() const { return scratch.path() / "runs"; }

  void install(const fs::path& directory, const std::string& script) const {
    fs::create_directories(directory);
    std::ofstream(directory / "gcloud") << "#!/bin/sh\necho run >> '" << log().string() << "'\n"
                                        << script << "\n";
    fs::permissions(directory / "gcloud", fs::perms(0755));
  }
  std::size_t runs() const {
    const std::string text = content_of(log());
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  // What one process of the program does; nothing of it is kept between calls but files.
  Result<Obtained> obtain(std::chrono::milliseconds limit = 10s) const {
    std::vector<std::unique_ptr<CredentialSource>> sources;
    CacheSettings cache;
    cache.store = platform::make_private_store({runtime()});
    sources.push_back(std::make_unique<CachedTokenSource>(
        std::make_unique<GcloudSource>(
            GcloudSettings{.search = {.named = {}, .workspace = {workspace()}}, .limit = limit},
            environment, *files, *processes),
        std::move(cache), clock, null_log()));
    sources.push_back(std::make_unique<ApiKeySource>(environment));
    CredentialChain chain(std::move(sources), ChainMode::automatic, clock, null_log());
    return chain.obtain(CancelToken());
  }
  // "source: value | notice".
  std::string outcome(std::chrono::milliseconds limit = 10s) const {
    const auto obtained = obtain(limit);
    if (!obtained.ok()) return "error: " + obtained.error().message;
    if (!obtained->credential) return "nothing";
    std::string text = obtained->credential->source + ": " +
                       std::string(obtained->credential->header.value.reveal());
    for (const std::string& notice : obtained->notices) text += " | " + notice;
    return text;
  }

  test::TemporaryDirectory scratch;
  platform::Environment environment;
  platform::SystemClock clock;
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  std::unique_ptr<platform::ProcessRunner> processes = platform::make_process_runner();
};

TEST(AuthGcloud, UsesTheTokenThatGcloudPrints) {
  const Scene scene;
  scene.install(scene.sdk(), "echo 'WARNING: old' >&2; echo ya29.real-token");
  EXPECT_EQ(scene.outcome(), "gcloud: Bearer ya29.real-token");
  EXPECT_EQ(scene.outcome(), "gcloud: Bearer ya29.real-token");
  EXPECT_EQ(scene.runs(), 1U) << "the second process finds it in the runtime directory";
}

TEST(AuthGcloud, RunsOnceForSixteenProcessesAtOnce) {
  const Scene scene;
  const fs::path gate = scene.scratch.path() / "gate";
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  const int gate_fd = ::open(gate.c_str(), O_RDWR | O_CLOEXEC);
  // Each run waits for a line of its own, so that the others arrive meanwhile.
  scene.install(scene.sdk(), "read line < '" + gate.string() + "'; echo ya29.real-token");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  std::vector<std::unique_ptr<test::Forked>> processes;
  for (int i = 0; i < 16; ++i) {
    processes.push_back(std::make_unique<test::Forked>([&] {
      const bool told = ::write(ready[1], "r", 1) == 1;
      return told && scene.outcome() == "gcloud: Bearer ya29.real-token" ? 0 : 1;
    }));
  }
  for (int i = 0; i < 16; ++i) {
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  }
  const std::string lines(16, '\n');
  ASSERT_EQ(::write(gate_fd, lines.data(), lines.size()), 16);
  for (const auto& process : processes) EXPECT_EQ(process->wait(), 0);
  EXPECT_EQ(scene.runs(), 1U);
  for (const int fd : {gate_fd, ready[0], ready[1]}) ::close(fd);
}

TEST(AuthGcloud, RemembersThatNobodyIsLoggedInUntilSomebodyIs) {
  const Scene scene;
  scene.install(scene.sdk(),
                "echo 'ERROR: (gcloud.auth.print-access-token) You do not currently have an active "
                "account selected.' >&2; exit 1");
  EXPECT_EQ(scene.outcome(), "nothing");
  EXPECT_EQ(scene.outcome(), "nothing");
  EXPECT_EQ(scene.runs(), 1U);
  // What `gcloud auth login` does.
  scene.install(scene.sdk(), "echo ya29.real-token");
  fs::create_directories(scene.home() / ".config/gcloud/configurations");
  std::ofstream(scene.home() / ".config/gcloud/configurations/config_default")
      << "[core]\naccount = me@example.com\n";
  const auto obtained = scene.obtain();
  ASSERT_TRUE(obtained.ok() && obtained->credential.has_value());
  EXPECT_EQ(obtained->credential->account, "me@example.com");
}

TEST(AuthGcloud, KillsAGcloudThatHangsAndEverythingItStarted) {
  Scene scene;
  scene.environment.variables["GEMINI_API_KEY"] = "key";
  const fs::path pid_file = scene.scratch.path() / "pid";
  scene.install(scene.sdk(), "sleep 1000 & echo $! > '" + pid_file.string() + "'; wait");
  EXPECT_EQ(scene.outcome(1s),
            "GEMINI_API_KEY: key | Passed over a credential source: gcloud: it did not answer "
            "within 1 s");
  const pid_t pid = std::stoi(content_of(pid_file));
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(AuthGcloud, NeverRunsTheWorkspacesGcloud) {
  Scene scene;
  scene.install(scene.workspace() / "bin", "echo ya29.stolen");
  fs::create_directory_symlink(scene.workspace() / "bin", scene.scratch.path() / "link");
  scene.environment.variables["PATH"] = (scene.workspace() / "bin").string() +
                                        ":bin:.:" + (scene.scratch.path() / "link").string() +
                                        ":/usr/bin:/bin";
  EXPECT_EQ(scene.outcome(), "nothing");
  EXPECT_EQ(scene.runs(), 0U);
}

TEST(AuthGcloud, PassesByAGcloudThatIsNotExecutable) {
  Scene scene;
  scene.install(scene.sdk(), "echo ya29.real-token");
  const fs::path first = scene.scratch.path() / "first";
  scene.install(first, "echo ya29.wrong");
  fs::permissions(first / "gcloud", fs::perms(0644));
  scene.environment.variables["PATH"] =
      first.string() + ":" + scene.sdk().string() + ":/usr/bin:/bin";
  EXPECT_EQ(scene.outcome(), "gcloud: Bearer ya29.real-token");
}

TEST(AuthGcloud, EchoesNothingThatIsNotAToken) {
  for (const char* script :
       {"echo canary text", "echo ya29.canary; echo second", "printf 'canary\\000token'",
        "head -c 1000000 /dev/zero | tr '\\000' c", "echo canary >&2; exit 3", "kill -9 $$"}) {
    Scene scene;
    scene.environment.variables["GEMINI_API_KEY"] = "key";
    scene.install(scene.sdk(), script);
    const std::string outcome = scene.outcome();
    EXPECT_TRUE(outcome.starts_with("GEMINI_API_KEY: key | ")) << outcome;
    EXPECT_EQ(outcome.find("canary"), std::string::npos) << outcome;
  }
}

TEST(AuthGcloud, ShowsGcloudNeitherOurKeyNorOurArguments) {
  Scene scene;
  const fs::path seen = scene.scratch.path() / "seen";
  scene.environment.variables["GEMINI_API_KEY"] = "canary";
  scene.install(scene.sdk(),
                "{ env; echo \"$0 $*\"; pwd; } > '" + seen.string() + "'; echo ya29.real-token");
  EXPECT_EQ(scene.outcome(), "gcloud: Bearer ya29.real-token");
  const std::string text = content_of(seen);
  EXPECT_EQ(text.find("canary"), std::string::npos);
  EXPECT_NE(text.find("CLOUDSDK_CORE_DISABLE_PROMPTS=1\n"), std::string::npos);
  EXPECT_NE(text.find("gcloud auth print-access-token\n/\n"), std::string::npos);
}

}  // namespace
}  // namespace yume::auth
