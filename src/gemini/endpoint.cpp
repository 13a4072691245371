// SPDX-License-Identifier: MIT
#include "gemini/endpoint.h"

#include <algorithm>

namespace yume::gemini {
namespace {

constexpr std::string_view k_global = "global";

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == ':' || c == '@';
}

bool is_plain(std::string_view id) {
  return !id.empty() && id.find("..") == id.npos &&
         std::all_of(id.begin(), id.end(), is_id_character);
}

std::string vertex_host(std::string_view location) {
  if (location == k_global) return "https://aiplatform.googleapis.com";
  if (location == "us" || location == "eu") {
    return "https://aiplatform." + std::string(location) + ".rep.googleapis.com";
  }
  return "https://" + std::string(location) + "-aiplatform.googleapis.com";
}

std::string first_of(std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) {
    if (!text.empty()) return std::string(text);
  }
  return {};
}

Error bad_name(std::string_view what, std::string_view value, std::string_view flag) {
  return {.code = ErrorCode::invalid_argument,
          .message = "'" + std::string(value) + "' is not a " + std::string(what) +
                     "; choose one with " + std::string(flag)};
}

}  // namespace

Result<Endpoint> Endpoint::choose(const EndpointRequest& wish, const EndpointLogin& login) {
  const std::string project = first_of({wish.project, login.project});
  const std::string location = first_of({wish.location, k_global});
  const bool own_server = !wish.api_base.empty() || !wish.gemini_base.empty();
  const bool vertex = wish.vertex.value_or(login.access_token && !project.empty() && !own_server);
  Endpoint endpoint;
  std::string base;
  if (!vertex) {
    base = first_of({wish.api_base, wish.gemini_base, k_developer_api});
  } else {
    endpoint.backend_ = login.access_token ? Backend::vertex : Backend::vertex_express;
    base = first_of({wish.api_base, wish.vertex_base,
                     vertex_host(login.access_token ? location : std::string(k_global))});
  }
  while (base.ends_with('/')) base.pop_back();
  const std::string version = first_of({wish.version, vertex ? "v1" : "v1beta"});
  endpoint.models_ = base + "/" + version + "/";
  if (endpoint.backend_ == Backend::vertex) {
    if (project.empty()) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "Vertex needs a project; set GOOGLE_CLOUD_PROJECT or pass --project"};
    }
    if (!is_plain(project)) return bad_name("project id", project, "--project");
    if (!is_plain(location)) return bad_name("location", location, "--location");
    endpoint.models_ += "projects/" + project + "/locations/" + location + "/";
  }
  endpoint.models_ += vertex ? "publishers/google/models/" : "models/";
  return endpoint;
}

Result<std::string> Endpoint::stream_url(std::string_view model_id) const {
  if (!is_plain(model_id)) return bad_name("model id", model_id, "--model");
  return models_ + std::string(model_id) + ":streamGenerateContent?alt=sse";
}

Result<std::string> Endpoint::count_url(std::string_view model_id) const {
  if (!is_plain(model_id)) return bad_name("model id", model_id, "--model");
  return models_ + std::string(model_id) + ":countTokens";
}

std::optional<std::string> Endpoint::model_url(std::string_view model_id) const {
  if (backend_ != Backend::developer || !is_plain(model_id)) return std::nullopt;
  return models_ + std::string(model_id);
}

}  // namespace yume::gemini
