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

auth::CacheSettings cache_settings(const Options& options,
                                   const platform::Environment& environment) {
  auth::CacheSettings settings;
  if (options.token_cache == TokenCacheMode::off) settings.memory = auth::TokenMemory::forget;
  if (options.token_cache == TokenCacheMode::runtime) {
    settings.store = platform::make_private_store(platform::private_directories(environment));
  }
  settings.projects = {.project = options.server.endpoint.project,  // of a flag or a variable
                       .quota_project = environment.get("GOOGLE_CLOUD_QUOTA_PROJECT").value_or("")};
  return settings;
}

}  // namespace

std::vector<std::unique_ptr<auth::CredentialSource>> make_credential_sources(
    const Options& options, const std::vector<std::filesystem::path>& workspace,
    const CredentialWorld& world) {
  std::vector<std::unique_ptr<auth::CredentialSource>> sources;
  const auto wanted = [&options](AuthChoice choice) {
    return options.auth == AuthChoice::automatic || options.auth == choice;
  };
  const auto add_cached = [&](std::unique_ptr<auth::TokenSource> source) {
    sources.push_back(std::make_unique<auth::CachedTokenSource>(
        std::move(source), cache_settings(options, world.environment), world.clock, world.log));
  };
  if (wanted(AuthChoice::gcloud)) {
    add_cached(std::make_unique<auth::GcloudSource>(
        auth::GcloudSettings{.search = {.named = options.gcloud_path, .workspace = workspace}},
        world.environment, world.files, world.processes));
  }
  if (wanted(AuthChoice::adc)) {
    add_cached(std::make_unique<auth::AdcSource>(world.environment, world.files, world.transport,
                                                 world.clock));
  }
  if (wanted(AuthChoice::api_key)) {
    sources.push_back(std::make_unique<auth::ApiKeySource>(world.environment));
  }
  return sources;
}

auth::CredentialChain make_credential_chain(const Options& options,
                                            const std::vector<std::filesystem::path>& workspace,
                                            const CredentialWorld& world) {
  const auto mode =
      options.auth == AuthChoice::automatic ? auth::ChainMode::automatic : auth::ChainMode::pinned;
  return auth::CredentialChain(make_credential_sources(options, workspace, world), mode,
                               world.clock, world.log);
}

std::string credential_source_label(const auth::CredentialChain& chain,
                                    const platform::Environment& environment) {
  if (chain.likely_origin() != auth::CredentialOrigin::api_key) return "none";
  return auth::ApiKeySource(environment).variable().value_or("none");
}

}  // namespace yume::app
