// SPDX-License-Identifier: MIT
#include "app/acp/hosted_conversation.h"

#include "app/acp/past_events.h"
#include "app/credentials.h"
#include "app/model_choice.h"
#include "app/session_setup.h"
#include "net/curl_transport.h"
#include "session/open_conversation.h"
#include "session/services.h"
#include "session/session.h"
#include "transcript/shown_session.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using Past = core::OpenSession::Past;

constexpr std::uint64_t k_largest_past = 512U << 20U;
// A choice among several answers, which the protocol has no question for.
constexpr std::string_view k_choice_tool = "AskUserQuestion";

// Our messages to people at a shell begin with a word that clients put there themselves.
Error without_prefix(Error error) {
  constexpr std::string_view k_prefix = "Error: ";
  if (error.message.starts_with(k_prefix)) error.message.erase(0, k_prefix.size());
  return error;
}

Error unusable(Error error) {
  error.code = ErrorCode::invalid_argument;
  return without_prefix(std::move(error));
}

Options options_for(const core::OpenSession& wanted, const Options& given) {
  Options options = given;
  options.cwd = wanted.cwd;
  options.add_dirs.insert(options.add_dirs.end(), wanted.more_directories.begin(),
                          wanted.more_directories.end());
  options.session = {.persisted = given.session.persisted};
  if (wanted.past != Past::none) options.session.resume_id = wanted.id;
  // Whoever chooses a mode is the person at the editor.
  options.bypass_permitted = true;
  return options;
}

// The host's servers come before those of the same name from elsewhere.
void add_servers(const core::OpenSession& wanted, std::vector<core::McpServerConfig>& servers) {
  std::erase_if(servers, [&](const core::McpServerConfig& one) {
    return std::any_of(
        wanted.servers.begin(), wanted.servers.end(),
        [&](const core::McpServerConfig& theirs) { return theirs.name == one.name; });
  });
  servers.insert(servers.begin(), wanted.servers.begin(), wanted.servers.end());
}

class HostedConversation final : public runtime::HostedSession {
 public:
  HostedConversation(const core::OpenSession& wanted, const HostingDeps& deps)
      : options_(options_for(wanted, deps.options)),
        deps_(deps),
        credential_transport_(deps.around.clock, curl_options(deps.environment)) {}

  session::Session& session() override { return *session_; }

  Result<runtime::Opening> open(const core::OpenSession& wanted,
                                const core::HostAbilities& abilities) {
    auto models = read_model_choice(options_, *deps_.around.files, deps_.environment);
    if (!models.ok()) return unusable(models.error());
    models_.emplace(std::move(models).value());
    auto spec = make_session_spec(options_, *models_,
                                  {.files = *deps_.around.files,
                                   .environment = deps_.environment,
                                   .clock = deps_.around.clock});
    if (!spec.ok()) return unusable(spec.error());
    adapt(*spec, wanted);
    store_.emplace(make_session_store(options_.session.host, spec->cwd, *deps_.around.files,
                                      deps_.environment, deps_.around.clock));
    YUME_TRY(transcript::OpenedSession opened, open_on_disk(wanted, *spec));
    runtime::Opening opening{.may_bypass = !spec->permissions.bypass_disabled};
    if (wanted.past == Past::replayed) opening.past = past_of(opened);
    start(std::move(*spec), std::move(opened), abilities);
    return opening;
  }

 private:
  static void adapt(config::SessionSpec& spec, const core::OpenSession& wanted) {
    add_servers(wanted, spec.mcp.servers);
    spec.tools.host_answers = true;
    spec.agents.hold_turn = true;  // nothing may be said between turns
    permissions::Rule choices;
    choices.tool = k_choice_tool;
    spec.permissions.rules.deny.push_back(std::move(choices));
  }

  Result<transcript::OpenedSession> open_on_disk(const core::OpenSession& wanted,
                                                 const config::SessionSpec& spec) {
    if (wanted.past != Past::none && !store_->find(wanted.id)) {
      return Error{.code = ErrorCode::not_found, .message = "there is no session " + wanted.id};
    }
    auto opened = session::open_conversation(options_.session, *store_,
                                             {.files = *deps_.around.files,
                                              .clock = deps_.around.clock,
                                              .cwd = spec.cwd,
                                              .model = spec.model.info.id});
    if (!opened.ok()) return unusable(opened.error());
    return opened;
  }

  // All that was said, also what has been summed up since.
  [[nodiscard]] std::vector<core::Event> past_of(const transcript::OpenedSession& opened) const {
    const auto bytes = deps_.around.files->read(opened.file, k_largest_past);
    if (!bytes.ok()) return {};
    return past_events(transcript::read_shown(*bytes));
  }

  void start(config::SessionSpec spec, transcript::OpenedSession opened,
             const core::HostAbilities& abilities) {
    Surroundings& around = deps_.around;
    // Made in its place: it can be neither copied nor moved.
    credentials_.reset(new auth::CredentialChain(make_credential_chain(
        credential_choice(options_, models_->settings()), spec.permissions.roots,
        {.environment = deps_.environment,
         .files = *around.files,
         .processes = *around.processes,
         .clock = around.clock,
         .transport = credential_transport_,
         .log = deps_.log})));
    spec.credential_source = credential_source_label(*credentials_, deps_.environment);
    const auto persistence = options_.session.persisted ? transcript::Persistence::kept
                                                        : transcript::Persistence::memory_only;
    services_.emplace(session::Services{
        .files = *around.files,
        .processes = *around.processes,
        .clock = around.clock,
        .make_transport =
            [this] {
              return std::make_unique<net::CurlTransport>(deps_.around.clock,
                                                          curl_options(deps_.environment));
            },
        .credentials = *credentials_,
        .redactor = around.redactor,
        .log = deps_.log,
        .host = abilities,
        .open_new = [this, persistence] { return store_->create(make_uuid(), persistence); }});
    const std::string id = opened.id;
    session_ = std::make_unique<session::Session>(
        std::move(spec), std::move(opened), *services_, deps_.port,
        [&mailbox = deps_.mailbox, id](std::uint64_t prompts) {
          mailbox.post_idle({id, prompts});
        });
  }

  Options options_;
  HostingDeps deps_;
  std::optional<ModelChoice> models_;
  std::optional<transcript::SessionStore> store_;
  net::CurlTransport credential_transport_;
  std::unique_ptr<auth::CredentialChain> credentials_;
  std::optional<session::Services> services_;
  std::unique_ptr<session::Session> session_;  // last: it uses all of the above
};

}  // namespace

Result<runtime::Opening> open_conversation_for(const core::OpenSession& wanted,
                                               const core::HostAbilities& abilities,
                                               const HostingDeps& deps) {
  auto conversation = std::make_unique<HostedConversation>(wanted, deps);
  YUME_TRY(runtime::Opening opening, conversation->open(wanted, abilities));
  opening.hosted = std::move(conversation);
  return opening;
}

}  // namespace yume::app
