// SPDX-License-Identifier: MIT
#include "agent/model_access.h"

#include <utility>

namespace yume::agent {
namespace {

constexpr std::string_view k_no_credentials =
    "API Error: failed to authenticate, no Gemini credentials found. Run `gcloud auth login`, or "
    "run `gcloud auth application-default login`, or set GEMINI_API_KEY to an API key.";

net::SecretHeader header_of(const auth::Credential& credential, bool key_as_bearer) {
  if (credential.kind != auth::CredentialKind::api_key || !key_as_bearer) return credential.header;
  return {.name = "Authorization",
          .value = Secret("Bearer " + std::string(credential.header.value.reveal()))};
}

// The header without the name of its scheme.
std::string_view value_of(const auth::Credential& credential) {
  constexpr std::string_view k_scheme = "Bearer ";
  const std::string_view header = credential.header.value.reveal();
  return header.starts_with(k_scheme) ? header.substr(k_scheme.size()) : header;
}

}  // namespace

ModelAccess::ModelAccess(auth::CredentialChain& credentials, config::AccessSpec settings,
                         Redactor& redactor)
    : credentials_(credentials), settings_(std::move(settings)), redactor_(redactor) {}

Result<Route> ModelAccess::route(core::EventSink& sink, const CancelToken& cancel) {
  YUME_TRY(auth::Obtained obtained, credentials_.obtain(cancel));
  for (std::string& notice : obtained.notices) sink.post(core::Notice{std::move(notice)});
  if (!obtained.credential) {
    return Error{.code = ErrorCode::auth, .message = std::string(k_no_credentials)};
  }
  const auth::Credential& credential = *obtained.credential;
  redactor_.learn(value_of(credential));
  const bool token = credential.kind == auth::CredentialKind::access_token;
  YUME_TRY(gemini::Endpoint endpoint,
           gemini::Endpoint::choose(settings_.endpoint,
                                    {.access_token = token, .project = credential.project}));
  Route route{.endpoint = std::move(endpoint),
              .headers = settings_.extra_headers,
              .credentials = {header_of(credential, settings_.key_as_bearer)},
              .deadlines = settings_.deadlines};
  if (token && !credential.quota_project.empty()) {
    route.headers.push_back({"x-goog-user-project", credential.quota_project});
  }
  last_ = std::move(obtained.credential);
  return route;
}

bool ModelAccess::refused(const gemini::ApiError& why, core::EventSink& sink) {
  if (!last_) return false;
  const bool token = last_->kind == auth::CredentialKind::access_token;
  if (why.remedy == gemini::Remedy::new_credential && token && !std::exchange(renewed_, true)) {
    credentials_.invalidate(*last_);
    return true;
  }
  if (why.remedy == gemini::Remedy::next_source && credentials_.pass_over(*last_)) {
    sink.post(core::Notice{
        last_->source + " was refused by the server, trying the next login: " + why.error.message});
    return true;
  }
  return false;
}

}  // namespace yume::agent
