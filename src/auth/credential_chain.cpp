// SPDX-License-Identifier: MIT
#include "auth/credential_chain.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace yume::auth {
namespace {

constexpr std::chrono::seconds k_fault_remembered{60};

std::string failed(std::string_view why) {
  return "API Error: failed to authenticate, " + std::string(why);
}

// What is missing when a pinned source is absent, and how to get it.
std::string_view absence_of(CredentialOrigin origin) {
  switch (origin) {
    case CredentialOrigin::gcloud:
      return "gcloud is not installed or not logged in. Install it, or run: gcloud auth login";
    case CredentialOrigin::adc:
      return "there are no application default credentials. Run: gcloud auth application-default "
             "login";
    case CredentialOrigin::api_key:
      break;
  }
  return "there is no API key. Set GEMINI_API_KEY or GOOGLE_API_KEY";
}

}  // namespace

std::string name_of(CredentialOrigin origin) {
  switch (origin) {
    case CredentialOrigin::gcloud:
      return "gcloud";
    case CredentialOrigin::adc:
      return "application default credentials";
    case CredentialOrigin::api_key:
      break;
  }
  return "API key";
}

class CredentialChain::Turn {
 public:
  // Not taken when cancelled first.
  Turn(const CredentialChain& chain, const CancelToken& cancel) : chain_(chain) {
    std::unique_lock lock(chain_.mutex_);
    taken_ = chain_.changed_.wait(lock, cancel, [this] { return !chain_.busy_; });
    if (taken_) chain_.busy_ = true;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (!taken_) return;
    {
      const std::lock_guard lock(chain_.mutex_);
      chain_.busy_ = false;
    }
    chain_.changed_.notify_one();
  }

  [[nodiscard]] bool taken() const { return taken_; }

 private:
  const CredentialChain& chain_;
  bool taken_ = false;
};

CredentialChain::CredentialChain(std::vector<std::unique_ptr<CredentialSource>> sources,
                                 ChainMode mode, const platform::Clock& clock, Log& log)
    : mode_(mode), clock_(clock), log_(log) {
  for (auto& source : sources) entries_.push_back({.source = std::move(source)});
}

Result<Obtained> CredentialChain::obtain(const CancelToken& cancel) {
  const Turn turn(*this, cancel);
  std::vector<std::string> faults;
  for (Entry& entry : entries_) {
    if (!turn.taken() || cancel.stop_requested()) break;
    if (entry.passed_over) continue;
    auto fetched = fetch(entry, cancel);
    // Whatever the source made of being stopped: it is not broken.
    if (cancel.stop_requested()) break;
    if (!fetched.ok()) {
      faults.push_back(fetched.error().message);
      continue;
    }
    if (!*fetched) continue;
    log_.write("auth", "using " + (*fetched)->source);
    return Obtained{.credential = *std::move(fetched).value(),
                    .notices = unreported(std::move(faults))};
  }
  if (!turn.taken() || cancel.stop_requested()) {
    return Error{.code = ErrorCode::cancelled, .message = "authentication was interrupted"};
  }
  return nothing_found(faults);
}

Result<std::optional<Credential>> CredentialChain::fetch(Entry& entry, const CancelToken& cancel) {
  const auto now = clock_.steady_now();
  if (entry.fault && now < entry.fault_ends) return *entry.fault;
  auto fetched = entry.source->fetch(clock_.wall_now(), cancel);
  entry.fault.reset();
  if (!fetched.ok() && !cancel.stop_requested()) {
    entry.fault = fetched.error();
    entry.fault->message = name_of(entry.source->origin()) + ": " + fetched.error().message;
    log_.write("auth", entry.fault->message);
    entry.fault_ends = clock_.steady_now() + k_fault_remembered;
  }
  if (entry.fault) return *entry.fault;
  return fetched;
}

Result<Obtained> CredentialChain::nothing_found(const std::vector<std::string>& faults) const {
  if (faults.empty() && mode_ == ChainMode::pinned && !entries_.empty()) {
    return Error{.code = ErrorCode::auth,
                 .message = failed(absence_of(entries_.front().source->origin()))};
  }
  if (faults.empty()) return Obtained{};
  std::string all;
  for (const std::string& fault : faults) all.append(all.empty() ? "" : "; ").append(fault);
  return Error{.code = ErrorCode::auth, .message = failed(all)};
}

std::vector<std::string> CredentialChain::unreported(std::vector<std::string> notices) {
  std::erase_if(notices,
                [this](const std::string& text) { return !reported_.insert(text).second; });
  for (std::string& text : notices) text = "Passed over a credential source: " + text;
  return notices;
}

void CredentialChain::invalidate(const Credential& credential) {
  const Turn turn(*this, CancelToken());
  for (Entry& entry : entries_) {
    if (entry.source->origin() == credential.origin) entry.source->invalidate(credential);
  }
}

bool CredentialChain::pass_over(const Credential& credential) {
  const Turn turn(*this, CancelToken());
  if (mode_ == ChainMode::pinned) return false;
  const auto refused = [&](const Entry& entry) {
    return entry.source->origin() == credential.origin;
  };
  const bool others = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return !refused(entry) && !entry.passed_over && entry.source->seems_configured();
  });
  if (!others) return false;
  for (Entry& entry : entries_) entry.passed_over = entry.passed_over || refused(entry);
  return true;
}

std::optional<CredentialOrigin> CredentialChain::likely_origin() const {
  const Turn turn(*this, CancelToken());
  for (const Entry& entry : entries_) {
    if (!entry.passed_over && entry.source->seems_configured()) return entry.source->origin();
  }
  return std::nullopt;
}

}  // namespace yume::auth
