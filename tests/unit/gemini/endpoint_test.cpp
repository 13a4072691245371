// SPDX-License-Identifier: MIT
#include "gemini/endpoint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::gemini {
namespace {

struct Row {
  EndpointRequest wish;
  EndpointLogin login;
  Backend backend;
  std::string url;  // up to the model
};

const EndpointLogin k_key{.access_token = false};
const EndpointLogin k_token{.access_token = true};
const EndpointLogin k_token_with_project{.access_token = true, .project = "theirs"};

TEST(Endpoint, IsChosenByCredentialAndEnvironment) {
  const std::vector<Row> rows = {
      {{}, k_key, Backend::developer, "https://generativelanguage.googleapis.com/v1beta/models/"},
      {{}, k_token, Backend::developer, "https://generativelanguage.googleapis.com/v1beta/models/"},
      {{},
       k_token_with_project,
       Backend::vertex,
       "https://aiplatform.googleapis.com/v1/projects/theirs/locations/global/publishers/google/"
       "models/"},
      {{.project = "mine", .location = "us-central1"},
       k_token_with_project,
       Backend::vertex,
       "https://us-central1-aiplatform.googleapis.com/v1/projects/mine/locations/us-central1/"
       "publishers/google/models/"},
      {{.project = "mine", .location = "eu"},
       k_token,
       Backend::vertex,
       "https://aiplatform.eu.rep.googleapis.com/v1/projects/mine/locations/eu/publishers/google/"
       "models/"},
      {{.project = "mine", .location = "us"},
       k_token,
       Backend::vertex,
       "https://aiplatform.us.rep.googleapis.com/v1/projects/mine/locations/us/publishers/google/"
       "models/"},
      // A project alone does not send a key to Vertex.
      {{.project = "mine"},
       k_key,
       Backend::developer,
       "https://generativelanguage.googleapis.com/v1beta/models/"},
      {{.vertex = true, .project = "mine", .location = "eu"},
       k_key,
       Backend::vertex_express,
       "https://aiplatform.googleapis.com/v1/publishers/google/models/"},
      {{.vertex = false},
       k_token_with_project,
       Backend::developer,
       "https://generativelanguage.googleapis.com/v1beta/models/"},
      {{.api_base = "http://127.0.0.1:8080/gateway//"},
       k_token_with_project,
       Backend::developer,
       "http://127.0.0.1:8080/gateway/v1beta/models/"},
      {{.gemini_base = "https://g.example"},
       k_key,
       Backend::developer,
       "https://g.example/v1beta/models/"},
      {{.api_base = "https://a.example", .gemini_base = "https://g.example"},
       k_key,
       Backend::developer,
       "https://a.example/v1beta/models/"},
      {{.vertex_base = "https://v.example", .project = "p", .version = "v1beta1"},
       k_token,
       Backend::vertex,
       "https://v.example/v1beta1/projects/p/locations/global/publishers/google/models/"},
      {{.api_base = "https://a.example", .vertex = true, .project = "p"},
       k_token,
       Backend::vertex,
       "https://a.example/v1/projects/p/locations/global/publishers/google/models/"},
  };
  for (const Row& row : rows) {
    const auto endpoint = Endpoint::choose(row.wish, row.login);
    ASSERT_TRUE(endpoint.ok()) << row.url;
    EXPECT_EQ(endpoint->backend(), row.backend) << row.url;
    EXPECT_EQ(*endpoint->stream_url("m-1"), row.url + "m-1:streamGenerateContent?alt=sse");
  }
}

TEST(Endpoint, NeedsAProjectForVertex) {
  const auto endpoint = Endpoint::choose({.vertex = true}, k_token);
  ASSERT_FALSE(endpoint.ok());
  EXPECT_EQ(endpoint.error().message,
            "Vertex needs a project; set GOOGLE_CLOUD_PROJECT or pass --project");
}

TEST(Endpoint, RefusesNamesThatCouldChangeThePath) {
  const Endpoint endpoint = *Endpoint::choose({}, k_key);
  for (const char* name :
       {"", "a/b", "../x", "a..b", "a?b", "a#b", "a b", "a%2f", "\xC3\xA9", "a\nb", "a&b"}) {
    const auto url = endpoint.stream_url(name);
    ASSERT_FALSE(url.ok()) << name;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(url.error().message,
              "'" + std::string(name) + "' is not a model id; choose one with --model");
    EXPECT_FALSE(endpoint.model_url(name)) << name;
    if (*name == '\0') continue;
    EXPECT_FALSE(Endpoint::choose({.project = name}, k_token).ok()) << name;
    EXPECT_FALSE(Endpoint::choose({.project = "p", .location = name}, k_token).ok()) << name;
  }
}

TEST(Endpoint, AsksOnlyTheDeveloperApiAboutModels) {
  EXPECT_EQ(Endpoint::choose({}, k_key)->model_url("m"),
            "https://generativelanguage.googleapis.com/v1beta/models/m");
  EXPECT_FALSE(Endpoint::choose({.project = "p"}, k_token)->model_url("m"));
}

}  // namespace
}  // namespace yume::gemini
