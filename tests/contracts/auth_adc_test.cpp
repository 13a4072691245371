// SPDX-License-Identifier: MIT
// Application default credentials with real files, the real transport and a token endpoint on
// loopback.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "auth/adc_source.h"
#include "auth/cached_token_source.h"
#include "auth/credential_chain.h"
#include "demo/scripted_server.h"
#include "net/curl_transport.h"
#include "platform/private_store.h"
#include "support/raw_script.h"
#include "support/temporary_directory.h"
#include "support/test_key.h"
#include "util/log.h"

namespace yume::auth {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* k_token_answer =
    R"({"access_token":"ya29.access-canary","expires_in":3599,"token_type":"Bearer"})";

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Scene {
  explicit Scene(std::vector<demo::Answer> scripts = {}) {
    server = std::move(demo::ScriptedServer::start(
                           {.responder = demo::answer_in_order(std::move(scripts))}))
                 .value();
    environment.home = scratch.path();
    environment.cwd = scratch.path();
    environment.variables["METADATA_SERVER_DETECTION"] = "none";
    environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] = file.string();
  }

  void write(const json& content) const { std::ofstream(file) << content.dump(); }
  json user() const {
    return {{"type", "authorized_user"},
            {"client_id", "id"},
            {"client_secret", "secret-canary"},
            {"refresh_token", "refresh-canary"},
            {"token_uri", server->base_url() + "/token"}};
  }

  Result<Obtained> obtain(Log& log = null_log()) const {
    net::CurlTransport transport(clock, {});
    std::vector<std::unique_ptr<CredentialSource>> sources;
    CacheSettings cache;
    cache.store = platform::make_private_store({scratch.path() / "runtime"});
    sources.push_back(std::make_unique<CachedTokenSource>(
        std::make_unique<AdcSource>(environment, *files, transport, clock), std::move(cache), clock,
        log));
    CredentialChain chain(std::move(sources), ChainMode::pinned, clock, log);
    return chain.obtain(CancelToken());
  }
  std::string outcome() const {
    const auto obtained = obtain();
    if (!obtained.ok()) return obtained.error().message;
    return std::string(obtained->credential->header.value.reveal());
  }

  test::TemporaryDirectory scratch;
  fs::path file = scratch.path() / "adc.json";
  std::unique_ptr<demo::ScriptedServer> server;
  platform::Environment environment;
  platform::SystemClock clock;
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
};

TEST(AuthAdc, FetchesOneTokenForSeveralProcesses) {
  const Scene scene({demo::plain_answer({.body = k_token_answer})});
  scene.write(scene.user());
  EXPECT_EQ(scene.outcome(), "Bearer ya29.access-canary");
  EXPECT_EQ(scene.outcome(), "Bearer ya29.access-canary");
  ASSERT_EQ(scene.server->requests().size(), 1U);
  const demo::RecordedRequest request = scene.server->requests()[0];
  EXPECT_EQ(request.method + " " + request.target, "POST /token");
  EXPECT_EQ(*request.find_header("Content-Type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(request.body,
            "grant_type=refresh_token&client_id=id&client_secret=secret-canary&refresh_token="
            "refresh-canary");
}

TEST(AuthAdc, TakesAnotherFileForAnotherLogin) {
  const Scene scene({demo::plain_answer({.body = k_token_answer}),
                     demo::plain_answer({.body = R"({"access_token":"ya29.second-login"})"})});
  scene.write(scene.user());
  (void)scene.outcome();
  json other = scene.user();
  other["account"] = "other@example.com";
  scene.write(other);
  EXPECT_EQ(scene.outcome(), "Bearer ya29.second-login");
}

TEST(AuthAdc, SignsForAServiceAccount) {
  const test::TestKey key = test::TestKey::rsa();
  const Scene scene({demo::plain_answer({.body = k_token_answer})});
  scene.write({{"type", "service_account"},
               {"client_email", "robot@p.iam.gserviceaccount.com"},
               {"private_key", key.private_pem()},
               {"private_key_id", "k"},
               {"token_uri", scene.server->base_url() + "/token"}});
  const auto obtained = scene.obtain();
  ASSERT_TRUE(obtained.ok()) << obtained.error().message;
  EXPECT_EQ(obtained->credential->account, "robot@p.iam.gserviceaccount.com");
  const std::string body = scene.server->requests()[0].body;
  const std::string jwt = body.substr(body.rfind('=') + 1);
  const std::size_t dot = jwt.rfind('.');
  EXPECT_TRUE(key.verifies(jwt.substr(0, dot), test::decode_base64_url(jwt.substr(dot + 1))));
}

TEST(AuthAdc, ExchangesAForeignTokenFromAnAddress) {
  const Scene scene({demo::plain_answer({.content_type = "text/plain", .body = "foreign-token\n"}),
                     demo::plain_answer({.body = k_token_answer}),
                     demo::plain_answer({.body = R"({"accessToken":"ya29.impersonated"})"})});
  const std::string base = scene.server->base_url();
  scene.write({{"type", "external_account"},
               {"audience", "//iam"},
               {"subject_token_type", "jwt"},
               {"token_url", base + "/sts"},
               {"service_account_impersonation_url",
                base + "/v1/projects/-/serviceAccounts/robot@p:generateAccessToken"},
               {"credential_source", {{"url", base + "/subject"}, {"headers", {{"X-Ci", "h"}}}}}});
  EXPECT_EQ(scene.outcome(), "Bearer ya29.impersonated");
  const auto requests = scene.server->requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].method + " " + requests[0].target, "GET /subject");
  EXPECT_EQ(*requests[0].find_header("X-Ci"), "h");
  EXPECT_NE(requests[1].body.find("subject_token=foreign-token"), std::string::npos);
  EXPECT_EQ(*requests[2].find_header("Authorization"), "Bearer ya29.access-canary");
}

TEST(AuthAdc, AsksTheMetadataServer) {
  const auto answer = [](const std::string& body) {
    demo::Script script = demo::plain_answer({.content_type = "application/text", .body = body});
    script.headers.push_back({"Metadata-Flavor", "Google"});
    return script;
  };
  Scene scene({answer(k_token_answer), answer("robot@p"), answer("the-project")});
  const std::string host = scene.server->base_url().substr(std::string("http://").size());
  scene.environment.variables = {{"GCE_METADATA_HOST", host}};
  const auto obtained = scene.obtain();
  ASSERT_TRUE(obtained.ok()) << obtained.error().message;
  EXPECT_EQ(obtained->credential->account, "robot@p");
  EXPECT_EQ(obtained->credential->project, "the-project");
  EXPECT_EQ(*scene.server->requests()[0].find_header("Metadata-Flavor"), "Google");
}

TEST(AuthAdc, RepeatsWhenTheConnectionBreaks) {
  const Scene scene({test::raw_answer({{demo::ResetConnection{}}}),
                     demo::plain_answer({.status = 503}),
                     demo::plain_answer({.body = k_token_answer})});
  scene.write(scene.user());
  EXPECT_EQ(scene.outcome(), "Bearer ya29.access-canary");
}

TEST(AuthAdc, FollowsNoRedirectWithASecret) {
  const Scene scene({demo::Script{
      .status = 307, .headers = {{"Location", "http://127.0.0.1:1/"}, {"Content-Length", "0"}}}});
  scene.write(scene.user());
  EXPECT_NE(scene.outcome().find("answered 307"), std::string::npos);
  EXPECT_EQ(scene.server->requests().size(), 1U);
}

TEST(AuthAdc, NamesTheFileAndWhatIsWrongWithIt) {
  const Scene scene;
  const auto fault = [&scene] {
    const std::string text = scene.outcome();
    EXPECT_NE(text.find(scene.file.string()), std::string::npos) << text;
    EXPECT_EQ(text.find("Bearer"), std::string::npos);
    return text.substr(
        std::min(text.size(), text.find(scene.file.string()) + scene.file.string().size()));
  };
  const std::string named = ", named by GOOGLE_APPLICATION_CREDENTIALS";
  EXPECT_EQ(fault(), ": no such file or directory" + named);
  fs::create_directory(scene.file);
  EXPECT_EQ(fault(), ": is a directory" + named);
  fs::remove(scene.file);
  ASSERT_EQ(::mkfifo(scene.file.c_str(), 0600), 0);
  EXPECT_EQ(fault(), ": not a regular file" + named) << "and no wait for a writer";
  fs::remove(scene.file);
  std::ofstream(scene.file) << "x";
  fs::resize_file(scene.file, 1U << 30U);
  EXPECT_EQ(fault(), ": larger than 65536 bytes" + named);
  std::ofstream(scene.file) << "{\"type\":";
  EXPECT_EQ(fault(), ": it is not valid JSON");
  scene.write({{"type", "authorized_user"}, {"client_id", "i"}, {"client_secret", "s"}});
  EXPECT_EQ(fault(), ": it has no refresh_token");
  if (::geteuid() != 0) {
    fs::permissions(scene.file, fs::perms(0000));
    EXPECT_EQ(fault(), ": permission denied" + named);
  }
}

TEST(AuthAdc, LeavesNoSecretInLogCacheOrErrors) {
  const Scene scene({demo::plain_answer({.body = k_token_answer})});
  scene.write(scene.user());
  const fs::path log_file = scene.scratch.path() / "debug.log";
  {
    auto log = open_file_log(log_file);
    ASSERT_TRUE(log.ok());
    ASSERT_TRUE(scene.obtain(**log).ok());
    // A second login, which the exhausted server refuses.
    json other = scene.user();
    other["account"] = "other@example.com";
    scene.write(other);
    const auto refused = scene.obtain(**log);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message.find("canary"), std::string::npos);
  }
  EXPECT_FALSE(content_of(log_file).empty());
  EXPECT_EQ(content_of(log_file).find("canary"), std::string::npos);
  for (const auto& entry : fs::directory_iterator(scene.scratch.path() / "runtime")) {
    const std::string text = content_of(entry.path());
    EXPECT_EQ(text.find("refresh-canary"), std::string::npos);
    EXPECT_EQ(text.find("secret-canary"), std::string::npos);
  }
}

}  // namespace
}  // namespace yume::auth
