// SPDX-License-Identifier: MIT
#include "app/doctor/login_checks.h"

#include "app/doctor/time_limit.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace yume::app::doctor {
namespace {

constexpr std::chrono::seconds k_patience{5};

std::string check_name(auth::CredentialOrigin origin) {
  switch (origin) {
    case auth::CredentialOrigin::gcloud:
      return "gcloud";
    case auth::CredentialOrigin::adc:
      return "adc";
    case auth::CredentialOrigin::api_key:
      break;
  }
  return "api key";
}

std::string way_to(auth::CredentialOrigin origin) {
  switch (origin) {
    case auth::CredentialOrigin::gcloud:
      return "run: gcloud auth login";
    case auth::CredentialOrigin::adc:
      return "correct it, or run: gcloud auth application-default login";
    case auth::CredentialOrigin::api_key:
      break;
  }
  return "set GEMINI_API_KEY to an API key";
}

std::string describe(const auth::Credential& credential, platform::WallTime now) {
  std::string text = credential.kind == auth::CredentialKind::api_key ? credential.source : "works";
  if (!credential.account.empty()) text += ", " + credential.account;
  if (!credential.project.empty()) text += ", project " + credential.project;
  if (credential.expires) {
    const auto left = std::chrono::floor<std::chrono::minutes>(*credential.expires - now);
    text += ", for another " + std::to_string(left.count()) + " min";
  }
  return text;
}

// Broken sources are passed over when another one works: then it is no more than a warning.
Finding check_source(auth::CredentialSource& source, const platform::Clock& clock,
                     const CancelToken& cancel, bool& works) {
  const TimeLimit limit(clock, k_patience, cancel);
  Finding finding{.check = check_name(source.origin())};
  const auto fetched = source.fetch(clock.wall_now(), limit.token());
  works = fetched.ok() && fetched->has_value();
  if (works) {
    finding.detail = describe(**fetched, clock.wall_now());
  } else if (fetched.ok()) {
    finding.detail = "not set up";
  } else {
    finding.verdict = Verdict::warn;
    finding.detail = limit.expired() ? "no answer within 5 s" : fetched.error().message;
    finding.advice = way_to(source.origin());
  }
  return finding;
}

Finding nothing_works(const Findings& findings, std::optional<std::string> named_way) {
  bool broken = false;
  for (const Finding& finding : findings) broken |= finding.verdict != Verdict::ok;
  return {.check = "login",
          .verdict = Verdict::fail,
          .detail = broken ? "no source works" : "none",
          .advice = std::move(named_way).value_or(
              "run gcloud auth login, or gcloud auth application-default "
              "login, or set GEMINI_API_KEY")};
}

}  // namespace

Logins check_logins(std::vector<std::unique_ptr<auth::CredentialSource>> sources, Choice choice,
                    const platform::Clock& clock, const CancelToken& cancel) {
  Logins logins;
  std::optional<std::string> named_way;
  for (auto& source : sources) {
    if (cancel.stop_requested()) break;
    if (choice == Choice::named) named_way = way_to(source->origin());
    bool works = false;
    logins.findings.push_back(check_source(*source, clock, cancel, works));
    if (works && !logins.used) logins.used = std::move(source);
  }
  if (logins.used) {
    logins.findings.push_back(
        {.check = "login", .detail = check_name(logins.used->origin()) + " is used"});
  } else {
    logins.findings.push_back(nothing_works(logins.findings, std::move(named_way)));
  }
  return logins;
}

}  // namespace yume::app::doctor
