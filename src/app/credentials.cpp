// SPDX-License-Identifier: MIT
#include "app/credentials.h"

#include "auth/adc_source.h"
#include "auth/api_key_source.h"
#include "auth/cached_token_source.h"
#include "auth/gcloud_source.h"
#include "platform/private_store.h"

#include <memory>
#include <utility>

namespace yume::app {
namespace {

auth::CacheSettings cache_settings(const CredentialChoice& choice,
                                   const platform::Environment& environment) {
  auth::CacheSettings settings;
  if (choice.token_cache == TokenCacheMode::off) settings.memory = auth::TokenMemory::forget;
  if (choice.token_cache == TokenCacheMode::runtime) {
    settings.store = platform::make_private_store(platform::private_directories(environment));
  }
  settings.projects = {.project = choice.project,
                       .quota_project = environment.get("GOOGLE_CLOUD_QUOTA_PROJECT").value_or("")};
  return settings;
}

}  // namespace

CredentialChoice credential_choice(const Options& options, const config::SettingsStack& settings) {
  CredentialChoice choice{.auth = options.auth,
                          .gcloud_path = options.gcloud_path,
                          .token_cache = options.token_cache,
                          .project = options.server.endpoint.project};
  if (choice.gcloud_path.empty()) {
    choice.gcloud_path = settings.value(&config::Settings::gcloud_path).value_or("");
  }
  return choice;
}

std::vector<std::unique_ptr<auth::CredentialSource>> make_credential_sources(
    const CredentialChoice& choice, const std::vector<std::filesystem::path>& workspace,
    const CredentialDeps& deps) {
  std::vector<std::unique_ptr<auth::CredentialSource>> sources;
  const auto wanted = [&choice](AuthChoice one) {
    return choice.auth == AuthChoice::automatic || choice.auth == one;
  };
  const auto add_cached = [&](std::unique_ptr<auth::TokenSource> source) {
    sources.push_back(std::make_unique<auth::CachedTokenSource>(
        std::move(source), cache_settings(choice, deps.environment), deps.clock, deps.log));
  };
  if (wanted(AuthChoice::gcloud)) {
    add_cached(std::make_unique<auth::GcloudSource>(
        auth::GcloudSettings{.search = {.named = choice.gcloud_path, .workspace = workspace}},
        deps.environment, deps.files, deps.processes));
  }
  if (wanted(AuthChoice::adc)) {
    add_cached(std::make_unique<auth::AdcSource>(deps.environment, deps.files, deps.transport,
                                                 deps.clock));
  }
  if (wanted(AuthChoice::api_key)) {
    sources.push_back(std::make_unique<auth::ApiKeySource>(deps.environment));
  }
  return sources;
}

auth::CredentialChain make_credential_chain(const CredentialChoice& choice,
                                            const std::vector<std::filesystem::path>& workspace,
                                            const CredentialDeps& deps) {
  const auto mode =
      choice.auth == AuthChoice::automatic ? auth::ChainMode::automatic : auth::ChainMode::pinned;
  return auth::CredentialChain(make_credential_sources(choice, workspace, deps), mode, deps.clock,
                               deps.log);
}

std::string credential_source_label(const auth::CredentialChain& chain,
                                    const platform::Environment& environment) {
  if (chain.likely_origin() != auth::CredentialOrigin::api_key) return "none";
  return auth::ApiKeySource(environment).variable().value_or("none");
}

}  // namespace yume::app
