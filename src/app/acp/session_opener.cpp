// SPDX-License-Identifier: MIT
#include "app/acp/session_opener.h"

#include "app/credentials.h"
#include "app/known_secrets.h"
#include "app/session_setup.h"
#include "app/sessions/remove_session.h"
#include "config/settings_stack.h"
#include "net/curl_transport.h"
#include "transcript/session_summary.h"
#include "util/breakdown.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <new>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using protocol::CommandResult;
using protocol::RequestRefused;

constexpr std::size_t k_page = 100;

RequestRefused refused(const Error& error) {
  return {error.message, error.code == ErrorCode::not_found ? "not_found" : "invalid_request"};
}

transcript::SessionStore store_of(const fs::path& cwd, const HostingDeps& deps) {
  const auto real = deps.around.files->real_path(cwd);
  return make_session_store(config::HostKind::claude, real.ok() ? *real : cwd, *deps.around.files,
                            deps.environment, deps.around.clock);
}

// Newest first.
std::vector<transcript::FoundSession> sessions_of(const std::string& cwd,
                                                  const transcript::SessionStore& store) {
  if (cwd.empty()) return store.all();
  std::vector<transcript::FoundSession> found;
  for (const fs::path& root : store.settings().roots) {
    auto here = store.here(root);
    std::move(here.begin(), here.end(), std::back_inserter(found));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& one, const auto& other) {
    return one.modified_ns > other.modified_ns;
  });
  return found;
}

}  // namespace

SessionOpener::SessionOpener(const HostingDeps& deps)
    : deps_(deps), environments_{deps.environment}, thread_([this] { run(); }) {}

SessionOpener::~SessionOpener() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    cancel_.request_stop();
    wake_.notify_one();
  }
  thread_.join();
}

void SessionOpener::enqueue(Work work) {
  const std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  wake_.notify_one();
}

void SessionOpener::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || !work_.empty(); });
    if (ending_) return;
    const Work work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    try {
      work();
    } catch (const std::bad_alloc&) {
      deps_.mailbox.post_control(runtime::OutOfMemory{});
    }
    lock.lock();
  }
}

HostingDeps SessionOpener::deps() const {
  return {.options = deps_.options,
          .around = deps_.around,
          .environment = environments_.back(),
          .port = deps_.port,
          .mailbox = deps_.mailbox,
          .log = deps_.log};
}

void SessionOpener::reply(const std::string& reply_to, CommandResult result) {
  deps_.mailbox.post_control(runtime::ReplyReady{reply_to, std::move(result)});
}

void SessionOpener::open(core::OpenSession wanted, const core::HostAbilities& abilities,
                         std::string reply_to) {
  enqueue([this, wanted = std::move(wanted), abilities, reply_to = std::move(reply_to)] {
    deps_.mailbox.post_control(
        runtime::SessionOpened{reply_to, open_conversation_for(wanted, abilities, deps())});
  });
}

void SessionOpener::close(std::unique_ptr<runtime::HostedSession> hosted, std::string reply_to) {
  // Shared, because a std::function must be copyable; it has one owner all the same.
  enqueue([this, reply_to = std::move(reply_to),
           last = std::make_shared<std::unique_ptr<runtime::HostedSession>>(std::move(hosted))] {
    const std::string id = (*last)->session().id();
    last->reset();
    deps_.mailbox.flush(cancel_.get_token());  // what it said is written before that it is gone
    deps_.mailbox.post_control(runtime::SessionClosed{id, reply_to});
  });
}

void SessionOpener::list(core::ListSessions wanted, std::string reply_to) {
  enqueue([this, wanted = std::move(wanted), reply_to = std::move(reply_to)] {
    reply(reply_to, find_sessions(wanted));
  });
}

void SessionOpener::remove(core::DeleteSession wanted, std::string reply_to) {
  enqueue([this, wanted = std::move(wanted), reply_to = std::move(reply_to)] {
    reply(reply_to, delete_session(wanted));
  });
}

void SessionOpener::authenticate(core::Authenticate wanted, std::string reply_to) {
  enqueue([this, wanted = std::move(wanted), reply_to = std::move(reply_to)] {
    reply(reply_to, try_credentials(wanted));
  });
}

// A cursor is the number of those that came before.
CommandResult SessionOpener::find_sessions(const core::ListSessions& wanted) const {
  std::size_t from = 0;
  const std::string& cursor = wanted.cursor;
  const auto [end, failure] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), from);
  if (!cursor.empty() && (failure != std::errc() || end != cursor.data() + cursor.size())) {
    return RequestRefused{"the cursor is none of ours", "invalid_params"};
  }
  const HostingDeps now = deps();
  const auto all = sessions_of(
      wanted.cwd, store_of(wanted.cwd.empty() ? now.environment.cwd : fs::path(wanted.cwd), now));
  from = std::min(from, all.size());
  const std::size_t until = std::min(from + k_page, all.size());
  protocol::SessionsListed listed;
  const std::vector<transcript::FoundSession> page(
      all.begin() + static_cast<std::ptrdiff_t>(from),
      all.begin() + static_cast<std::ptrdiff_t>(until));
  for (const transcript::SessionSummary& one : transcript::summarise(page, {})) {
    listed.sessions.push_back(
        {.id = one.id, .cwd = one.cwd, .title = one.title, .updated = one.updated});
  }
  if (until < all.size()) listed.next_cursor = std::to_string(until);
  return listed;
}

CommandResult SessionOpener::delete_session(const core::DeleteSession& wanted) const {
  const HostingDeps now = deps();
  const auto found = store_of(now.environment.cwd, now).find(wanted.id);
  if (!found) return RequestRefused{"there is no session " + wanted.id, "not_found"};
  const auto removed = remove_session(*found, views_folder(now.environment), now.around.clock);
  if (!removed) return refused(removed.error());
  return protocol::CommandDone{};
}

CommandResult SessionOpener::try_credentials(const core::Authenticate& wanted) {
  if (!wanted.api_key.empty()) {
    platform::Environment with_key = environments_.back();
    with_key.variables["GEMINI_API_KEY"] = wanted.api_key;
    learn_secrets(with_key, deps_.around.redactor);
    environments_.push_back(std::move(with_key));
  }
  const HostingDeps now = deps();
  net::CurlTransport transport(now.around.clock, curl_options(now.environment));
  auth::CredentialChain chain =
      make_credential_chain(credential_choice(now.options, config::SettingsStack()), {},
                            {.environment = now.environment,
                             .files = *now.around.files,
                             .processes = *now.around.processes,
                             .clock = now.around.clock,
                             .transport = transport,
                             .log = now.log});
  const auto obtained = chain.obtain(cancel_.get_token());
  if (!obtained.ok()) return RequestRefused{obtained.error().message, "authentication"};
  if (obtained->credential) return protocol::CommandDone{};
  return RequestRefused{"no credentials were found: set GEMINI_API_KEY, or run `gcloud auth login`",
                        "authentication"};
}

}  // namespace yume::app
