// SPDX-License-Identifier: MIT
#include "auth/adc_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/fake_clock.h"
#include "support/memory_file_system.h"
#include "support/scripted_transport.h"
#include "support/test_key.h"

namespace yume::auth {
namespace {

using test::Answer;
using test::error_answer;

constexpr const char* k_well_known = "/home/u/.config/gcloud/application_default_credentials.json";
constexpr const char* k_user =
    R"({"type":"authorized_user","client_id":"i d","client_secret":"client-secret",)"
    R"("refresh_token":"1//refresh","account":"a@b.c","quota_project_id":"q"})";
constexpr const char* k_impersonation =
    R"("service_account_impersonation_url":"https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/robot@p:generateAccessToken")";

Answer token(const std::string& value, int lifetime = 3599) {
  return error_answer(200, R"({"access_token":")" + value + R"(","expires_in":)" +
                               std::to_string(lifetime) + R"(,"token_type":"Bearer"})");
}

// As the metadata server marks what it says.
Answer genuine(Answer answer) {
  answer.headers = {{"Metadata-Flavor", "Google"}};
  return answer;
}

struct Scene {
  explicit Scene(std::vector<Answer> answers) : transport(std::move(answers)) {
    environment.home = "/home/u";
    environment.cwd = "/w";
  }

  // "token lifetime account project quota owner", "absent", or "error: message".
  std::string fetch(const CancelToken& cancel = {}) {
    AdcSource source(environment, files, transport, clock);
    const auto fetched = source.fetch(clock.wall_now(), cancel);
    if (!fetched.ok()) return "error: " + fetched.error().message;
    const auto* made = std::get_if<Token>(&*fetched);
    if (made == nullptr) return "absent";
    return std::string(made->value.reveal()) + " " + std::to_string(made->lifetime.count()) + " " +
           made->account + " " + made->project + " " + made->quota_project + " " +
           (made->owner == TokenOwner::user ? "user" : "service");
  }
  bool has_identity() {
    AdcSource source(environment, files, transport, clock);
    EXPECT_EQ(source.identity().has_value(), source.seems_configured());
    return source.identity().has_value();
  }

  test::ScriptedTransport transport;
  test::MemoryFileSystem files{"/w"};
  test::FakeClock clock;
  platform::Environment environment;
};

TEST(AdcSource, IsAbsentWhenNothingIsThere) {
  Scene scene({});
  EXPECT_FALSE(scene.has_identity());
  EXPECT_EQ(scene.fetch(), "absent");
  EXPECT_TRUE(scene.transport.urls.empty()) << "nobody is asked, least of all a metadata server";
}

TEST(AdcSource, ExchangesAUsersRefreshToken) {
  Scene scene({token("ya29.user-token")});
  scene.files.add_file(k_well_known, k_user);
  EXPECT_TRUE(scene.has_identity());
  EXPECT_EQ(scene.fetch(), "ya29.user-token 3599 a@b.c  q user");
  EXPECT_EQ(scene.transport.urls[0], "https://oauth2.googleapis.com/token");
  EXPECT_EQ(scene.transport.bodies[0],
            "grant_type=refresh_token&client_id=i%20d&client_secret=client-secret&refresh_token=1%"
            "2F%2Frefresh");
}

TEST(AdcSource, LooksWhereGcloudIsToldToKeepItsFiles) {
  Scene scene({token("ya29.user-token")});
  scene.files.add_file("/c/application_default_credentials.json", k_user);
  scene.environment.variables["CLOUDSDK_CONFIG"] = "/c";
  EXPECT_EQ(scene.fetch(), "ya29.user-token 3599 a@b.c  q user");
}

TEST(AdcSource, SaysWhatToDoAboutAUsersRefusal) {
  const std::string start = std::string("error: cannot use ") + k_well_known +
                            ": the token endpoint answered 400 invalid_grant";
  Scene revoked({error_answer(
      400,
      R"({"error":"invalid_grant","error_description":"Token has been expired or revoked."})")});
  revoked.files.add_file(k_well_known, k_user);
  EXPECT_EQ(revoked.fetch(), start +
                                 " (Token has been expired or revoked.); the login has expired or "
                                 "was revoked. Run: gcloud auth application-default login");
  Scene session({error_answer(
      400, R"({"error":"invalid_grant","error_description":"x","error_subtype":"invalid_rapt"})")});
  session.files.add_file(k_well_known, k_user);
  EXPECT_EQ(session.fetch(), start +
                                 " (x); your organisation asks for a new login. Run: gcloud auth "
                                 "application-default login");
}

TEST(AdcSource, SignsForAServiceAccount) {
  const test::TestKey key = test::TestKey::rsa();
  Scene scene({token("ya29.service-token")});
  const nlohmann::json file = {{"type", "service_account"},
                               {"project_id", "p"},
                               {"private_key_id", "k"},
                               {"private_key", key.private_pem()},
                               {"client_email", "robot@p"}};
  scene.files.add_file("/key.json", file.dump());
  scene.environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] = "/key.json";
  EXPECT_EQ(scene.fetch(), "ya29.service-token 3599 robot@p p  service");
  const std::string body = scene.transport.bodies[0];
  const std::string start =
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";
  ASSERT_TRUE(body.starts_with(start));
  const std::string jwt = body.substr(start.size());
  const std::size_t dot = jwt.rfind('.');
  EXPECT_TRUE(key.verifies(jwt.substr(0, dot), test::decode_base64_url(jwt.substr(dot + 1))));
}

TEST(AdcSource, SaysWhatToDoAboutAServiceAccountsRefusal) {
  const test::TestKey key = test::TestKey::rsa();
  const nlohmann::json file = {
      {"type", "service_account"}, {"private_key", key.private_pem()}, {"client_email", "robot@p"}};
  const std::map<std::string, std::string> advice = {
      {"Invalid JWT: Token must be a short-lived token and in a reasonable timeframe",
       "; the clock of this machine is wrong"},
      {"Invalid JWT Signature.", "; the key was deleted. Make a new one for the service account"},
      {"Invalid grant: account not found", "; the service account was deleted"}};
  for (const auto& [said, wanted] : advice) {
    Scene scene({error_answer(
        400, nlohmann::json({{"error", "invalid_grant"}, {"error_description", said}}).dump())});
    scene.files.add_file("/key.json", file.dump());
    scene.environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] = "/key.json";
    EXPECT_EQ(scene.fetch(),
              "error: cannot use /key.json: the token endpoint answered 400 invalid_grant (" +
                  said + ")" + wanted);
  }
}

constexpr const char* k_external_start =
    R"({"type":"external_account","audience":"//iam/pool","subject_token_type":"urn:jwt",)"
    R"("token_url":"https://sts.googleapis.com/v1/token",)";

TEST(AdcSource, ExchangesAForeignTokenFromAFile) {
  Scene scene({token("ya29.federated")});
  scene.files.add_file("/subject", "foreign-token\n");
  scene.files.add_file("/e.json",
                       std::string(k_external_start) +
                           R"("workforce_pool_user_project":"wp","client_id":"me",)" +
                           R"("client_secret":"cs","credential_source":{"file":"/subject"}})");
  scene.environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] = "/e.json";
  EXPECT_EQ(scene.fetch(), "ya29.federated 3599    service");
  EXPECT_EQ(scene.transport.urls[0], "https://sts.googleapis.com/v1/token");
  EXPECT_EQ(scene.transport.bodies[0],
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"
            "&audience=%2F%2Fiam%2Fpool"
            "&scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform"
            "&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
            "&subject_token_type=urn%3Ajwt&subject_token=foreign-token"
            "&options=%7B%22userProject%22%3A%22wp%22%7D");
  EXPECT_NE(scene.transport.headers[0].find("Authorization: Basic bWU6Y3M=\n"), std::string::npos);
}

TEST(AdcSource, ExchangesAForeignTokenFromAnAddressAndImpersonates) {
  Scene scene(
      {error_answer(200, R"({"value":"foreign-token"})"), token("ya29.federated"),
       error_answer(200, R"({"accessToken":"ya29.robot","expireTime":"1999-01-01T00:00:00Z"})")});
  scene.files.add_file(
      "/e.json",
      std::string(k_external_start) + k_impersonation +
          R"(,"credential_source":{"url":"https://ci.example/t","headers":{"X-Ci":"h"},)" +
          R"("format":{"type":"json","subject_token_field_name":"value"}}})");
  scene.environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] = "/e.json";
  EXPECT_EQ(scene.fetch(), "ya29.robot 3600 robot@p   service")
      << "whatever date the server thinks it is";
  EXPECT_EQ(scene.transport.urls[0], "https://ci.example/t");
  EXPECT_NE(scene.transport.headers[0].find("X-Ci: h\n"), std::string::npos);
  EXPECT_NE(scene.transport.bodies[1].find("subject_token=foreign-token"), std::string::npos);
  EXPECT_NE(scene.transport.headers[2].find("Authorization: Bearer ya29.federated\n"),
            std::string::npos);
  EXPECT_EQ(scene.transport.bodies[2],
            R"({"delegates":[],"scope":["https://www.googleapis.com/auth/cloud-platform"],)"
            R"("lifetime":"3600s"})");
}

TEST(AdcSource, ImpersonatesForAUser) {
  const std::string file = std::string(R"({"type":"impersonated_service_account",)") +
                           k_impersonation + R"(,"source_credentials":)" + k_user + "}";
  Scene scene({token("ya29.user-token"), error_answer(200, R"({"accessToken":"ya29.robot"})")});
  scene.files.add_file(k_well_known, file);
  EXPECT_EQ(scene.fetch(), "ya29.robot 3600 robot@p   service");
  Scene refused({token("ya29.user-token"),
                 error_answer(403, R"({"error":{"status":"PERMISSION_DENIED","message":"no"}})")});
  refused.files.add_file(k_well_known, file);
  EXPECT_EQ(refused.fetch(),
            std::string("error: cannot use ") + k_well_known +
                ": the token endpoint answered 403 PERMISSION_DENIED (no); impersonating needs the "
                "role roles/iam.serviceAccountTokenCreator");
}

TEST(AdcSource, NamesTheFileAndItsFault) {
  Scene missing({});
  missing.environment.variables["GOOGLE_APPLICATION_CREDENTIALS"] = "/no.json";
  missing.files.add_file(k_well_known, k_user);
  EXPECT_TRUE(missing.has_identity()) << "a file that was named is not silently replaced";
  EXPECT_EQ(missing.fetch(),
            "error: cannot read /no.json: no such file or directory, named by "
            "GOOGLE_APPLICATION_CREDENTIALS");
  Scene bad({});
  bad.files.add_file(k_well_known,
                     R"({"type":"authorized_user","client_id":"i","client_secret":"s"})");
  EXPECT_EQ(bad.fetch(),
            std::string("error: cannot use ") + k_well_known + ": it has no refresh_token");
}

TEST(AdcSource, ShowsNoSecretInAnyError) {
  const std::string secrets[] = {"client-secret", "1//refresh", "foreign-token"};
  std::vector<Answer> answers = {
      error_answer(400, "client-secret 1//refresh"), error_answer(200, "client-secret"),
      error_answer(200, R"({"access_token":"client-secret foreign-token"})"),
      test::no_connection({.code = ErrorCode::timeout, .message = "slow"})};
  for (const Answer& answer : answers) {
    Scene scene({answer});
    scene.files.add_file(k_well_known, k_user);
    const std::string outcome = scene.fetch();
    ASSERT_TRUE(outcome.starts_with("error: "));
    for (const std::string& secret : secrets) {
      EXPECT_EQ(outcome.find(secret), std::string::npos) << outcome;
    }
  }
}

TEST(AdcSource, KnowsAGoogleMachineByItsSigns) {
  const auto seen = [](std::map<std::string, std::string, std::less<>> variables,
                       const char* vendor = nullptr) {
    Scene scene({});
    scene.environment.variables = std::move(variables);
    if (vendor != nullptr) scene.files.add_file("/sys/class/dmi/id/bios_vendor", vendor);
    return scene.has_identity();
  };
  EXPECT_FALSE(seen({}));
  EXPECT_FALSE(seen({}, "American Megatrends\n"));
  EXPECT_TRUE(seen({}, "Google\n"));
  EXPECT_TRUE(seen({{"K_SERVICE", "s"}}));
  EXPECT_TRUE(seen({{"CLOUD_RUN_JOB", "s"}}));
  EXPECT_TRUE(seen({{"FUNCTION_NAME", "s"}}));
  EXPECT_TRUE(seen({{"GCE_METADATA_HOST", "h"}}));
  EXPECT_TRUE(seen({{"METADATA_SERVER_DETECTION", "assume-present"}}));
  EXPECT_FALSE(seen({{"METADATA_SERVER_DETECTION", "none"}, {"K_SERVICE", "s"}}, "Google\n"));
  EXPECT_FALSE(seen({{"METADATA_SERVER_DETECTION", "bios-only"}, {"K_SERVICE", "s"}}));
}

TEST(AdcSource, AsksTheMetadataServer) {
  Scene scene({genuine(token("ya29.machine")), genuine(error_answer(200, "robot@p\n")),
               genuine(error_answer(200, "the-project"))});
  scene.environment.variables["GCE_METADATA_HOST"] = "metadata.test:8080";
  EXPECT_EQ(scene.fetch(), "ya29.machine 3599 robot@p the-project  service");
  EXPECT_EQ(scene.transport.urls[0],
            "http://metadata.test:8080/computeMetadata/v1/instance/service-accounts/default/"
            "token?scopes=https://www.googleapis.com/auth/cloud-platform");
  EXPECT_EQ(scene.transport.headers[0], "Metadata-Flavor: Google\n");
}

TEST(AdcSource, TrustsOnlyAGenuineMetadataServer) {
  Scene portal({token("ya29.machine")});
  portal.environment.variables["K_SERVICE"] = "s";
  EXPECT_EQ(portal.fetch(), "error: the metadata server's answer is not Google's");
  Scene without({genuine(error_answer(404, ""))});
  without.environment.variables["K_SERVICE"] = "s";
  EXPECT_EQ(without.fetch(), "absent");
  Scene forbidden({genuine(error_answer(403, ""))});
  forbidden.environment.variables["K_SERVICE"] = "s";
  EXPECT_EQ(forbidden.fetch(),
            "error: the metadata server answered 403; the machine lacks the scope cloud-platform");
  const Answer slow = test::no_connection({.code = ErrorCode::timeout, .message = "slow"});
  Scene silent({slow});
  silent.environment.variables["K_SERVICE"] = "s";
  EXPECT_EQ(silent.fetch(), "error: the metadata server cannot be reached: slow");
  Scene guessed({slow});
  guessed.environment.variables["METADATA_SERVER_DETECTION"] = "ping-only";
  EXPECT_EQ(guessed.fetch(), "absent");
}

}  // namespace
}  // namespace yume::auth
