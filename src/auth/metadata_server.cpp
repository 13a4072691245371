// SPDX-License-Identifier: MIT
#include "auth/metadata_server.h"

#include <chrono>
#include <utility>

#include "auth/token_fetchers.h"

namespace yume::auth {
namespace {

using std::chrono::milliseconds;

constexpr const char* k_bios_vendor = "/sys/class/dmi/id/bios_vendor";
// The address, because no name server knows it elsewhere.
constexpr const char* k_default_host = "169.254.169.254";
constexpr const char* k_root = "/computeMetadata/v1/";
constexpr std::uint64_t k_largest_vendor = 4096;

bool made_by_google(const platform::FileSystem& files) {
  const auto vendor = files.read(k_bios_vendor, k_largest_vendor);
  return vendor.ok() && vendor->find("Google") != std::string::npos;
}

bool any_set(const platform::Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (environment.get(name)) return true;
  }
  return false;
}

std::string base_url(const platform::Environment& environment) {
  std::string host = environment.get("GCE_METADATA_IP")
                         .value_or(environment.get("GCE_METADATA_HOST").value_or(k_default_host));
  while (host.ends_with('/')) host.pop_back();
  return host.starts_with("http://") || host.starts_with("https://") ? host : "http://" + host;
}

net::HttpRequest get(const MetadataServer& server, const std::string& path) {
  net::HttpRequest request = get_request(server.base_url + k_root + path);
  request.headers = {{"Metadata-Flavor", "Google"}};
  request.deadlines = {.connect = milliseconds(1'000),
                       .first_byte = milliseconds(1'000),
                       .idle = milliseconds(1'000)};
  return request;
}

// Anything else on that address (a router, a captive portal) does not say so.
bool is_genuine(const HttpAnswer& answer) {
  return answer.head.header("Metadata-Flavor") == "Google";
}

// Good to know, not needed: empty when it cannot be had.
std::string ask_text(const MetadataServer& server, const std::string& path, OauthClient& client,
                     const CancelToken& cancel) {
  const auto answer = client.send(get(server, path), cancel);
  if (!answer.ok() || answer->head.status != 200 || !is_genuine(*answer)) return {};
  std::string text = printable(answer->body.reveal());
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

std::optional<MetadataServer> find_metadata_server(const platform::Environment& environment,
                                                   const platform::FileSystem& files) {
  const std::string detection = environment.get("METADATA_SERVER_DETECTION").value_or("");
  const MetadataServer server{.base_url = base_url(environment), .certain = true};
  if (detection == "none") return std::nullopt;
  if (detection == "assume-present") return server;
  if (detection == "ping-only") return MetadataServer{server.base_url, false};
  const bool by_variables = detection != "bios-only" &&
                            any_set(environment, {"GCE_METADATA_HOST", "GCE_METADATA_IP",
                                                  "K_SERVICE", "CLOUD_RUN_JOB", "FUNCTION_NAME"});
  if (by_variables || made_by_google(files)) return server;
  return std::nullopt;
}

Result<std::variant<Token, NoToken>> fetch_metadata_token(const MetadataServer& server,
                                                          OauthClient& client,
                                                          const CancelToken& cancel) {
  using Answer = std::variant<Token, NoToken>;
  const std::string account = "instance/service-accounts/default/";
  const auto answer = client.send(get(server, account + "token?scopes=" + k_cloud_scope), cancel);
  if (!answer.ok()) {
    if (!server.certain && !cancel.stop_requested()) return Answer(NoToken{});
    return Error{.code = ErrorCode::auth,
                 .message = "the metadata server cannot be reached: " + answer.error().message};
  }
  if (!is_genuine(*answer)) {
    if (!server.certain) return Answer(NoToken{});
    return Error{.code = ErrorCode::auth,
                 .message = "the metadata server's answer is not Google's"};
  }
  if (answer->head.status == 404) return Answer(NoToken{});  // a machine without service account
  if (answer->head.status != 200) {
    std::string why = "the metadata server answered " + std::to_string(answer->head.status);
    if (answer->head.status == 403) why += "; the machine lacks the scope cloud-platform";
    return Error{.code = ErrorCode::auth, .message = why, .http_status = answer->head.status};
  }
  YUME_TRY(AccessToken token, read_access_token(*answer));
  return Answer(Token{.value = std::move(token.value),
                      .lifetime = token.lifetime,
                      .account = ask_text(server, account + "email", client, cancel),
                      .project = ask_text(server, "project/project-id", client, cancel),
                      .owner = TokenOwner::service});
}

}  // namespace yume::auth
