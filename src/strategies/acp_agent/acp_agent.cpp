// SPDX-License-Identifier: MIT
#include "strategies/acp_agent/acp_agent.h"

#include "foreign/acp_decoder.h"
#include "foreign/acp_reply.h"
#include "strategies/acp_agent/acp_connection.h"
#include "strategies/acp_agent/agent_requests.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <utility>

namespace yume::strategies {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

// Agents load all that they are made of before they answer.
constexpr milliseconds k_start_patience{120'000};
constexpr milliseconds k_cancel_patience{1'500};
constexpr milliseconds k_short{10'000};

RawJson initialize_params() {
  return {R"({"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,)"
          R"("writeTextFile":true},"terminal":true},)"
          R"("clientInfo":{"name":"yume-cli","title":"yume-cli","version":"1"}})"};
}

RawJson session_params(const std::string& id) {
  RawJson params;
  JsonWriter(params.text).begin_object().field("sessionId", id).end_object();
  return params;
}

const json& member(const json& object, const char* key) {
  static const json k_none;
  if (!object.is_object()) return k_none;
  const auto found = object.find(key);
  return found == object.end() ? k_none : *found;
}

RawJson prompt_params(const std::string& session, const std::string& text,
                      const core::UserMessage& message, bool with_pictures) {
  RawJson params;
  JsonWriter writer(params.text);
  writer.begin_object().field("sessionId", session).key("prompt").begin_array();
  writer.begin_object().field("type", "text").field("text", text).end_object();
  for (const core::UserBlock& block : message.blocks) {
    const auto* media = std::get_if<core::Media>(&block);
    if (media == nullptr || !with_pictures || !media->mime_type.starts_with("image/")) continue;
    writer.begin_object().field("type", "image").field("data", media->base64);
    writer.field("mimeType", media->mime_type).end_object();
  }
  writer.end_array().end_object();
  return params;
}

bool has_media(const core::UserMessage& message) {
  for (const core::UserBlock& block : message.blocks) {
    if (std::holds_alternative<core::Media>(block)) return true;
  }
  return false;
}

core::TurnDone interrupted_turn() {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::interrupted;
  done.stop = core::StopReason::aborted;
  return done;
}

}  // namespace

AcpAgent::AcpAgent(core::Conversation past, StrategyDeps deps)
    : WrappedStrategy(std::move(past), std::move(deps)) {}

AcpAgent::~AcpAgent() = default;

std::string AcpAgent::agent() const {
  return "The agent (" + deps().spec.wrap.argv.front() + ")";
}

// The result, or the turn that it comes to.
std::variant<RawJson, core::TurnDone> AcpAgent::call(const std::string& method, RawJson params,
                                                     milliseconds timeout,
                                                     const CancelToken& cancel) {
  auto reply = connection_->call(method, std::move(params), timeout, cancel);
  if (!reply.ok()) {
    if (cancel.stop_requested()) return interrupted_turn();
    return failed_turn(agent() + " could not be used: " + reply.error().message);
  }
  if (auto* result = std::get_if<RawJson>(&*reply)) return std::move(*result);
  const auto& error = std::get<jsonrpc::ErrorObject>(*reply);
  const core::FailureKind kind = foreign::failure_kind_of(error);
  std::string why = agent() + " refused " + method + ": " + foreign::error_text(error);
  if (kind == core::FailureKind::authentication) {
    why += ". Start it once in a terminal and sign in, or set the key that it needs.";
  }
  return failed_turn(std::move(why), kind);
}

// nullopt: it runs, and has a session.
std::optional<core::TurnDone> AcpAgent::connect(const CancelToken& cancel) {
  auto started = AcpConnection::start({.argv = deps().spec.wrap.argv,
                                       .cwd = deps().spec.cwd,
                                       .environment = deps().spec.wrap.environment},
                                      deps().log);
  if (!started.ok()) {
    return failed_turn(agent() + " could not be started: " + started.error().message +
                           ". Install it, or name its file with --agent-command.",
                       core::FailureKind::invalid_request);
  }
  connection_ = std::move(started).value();
  auto hello = call("initialize", initialize_params(), k_start_patience, cancel);
  if (auto* failed = std::get_if<core::TurnDone>(&hello)) return std::move(*failed);
  const json about = read_json(std::get<RawJson>(hello).text);
  const json& info = member(about, "agentInfo");
  connection_->agent_name = info.is_object() ? text_at(info, "name") : "";
  connection_->takes_pictures =
      member(member(member(about, "agentCapabilities"), "promptCapabilities"), "image") == true;
  hello_ = std::get<RawJson>(hello);
  RawJson params;
  JsonWriter(params.text)
      .begin_object()
      .field("cwd", to_utf8(deps().spec.cwd))
      .field("mcpServers", RawJson{"[]"})
      .end_object();
  auto opened = call("session/new", std::move(params), k_start_patience, cancel);
  if (auto* failed = std::get_if<core::TurnDone>(&opened)) return std::move(*failed);
  const json session = read_json(std::get<RawJson>(opened).text);
  connection_->session_id = session.is_object() ? text_at(session, "sessionId") : "";
  knows_earlier_ = false;
  model_ = choose_model(std::get<RawJson>(opened).text, cancel);
  modes_ = member(member(session, "modes"), "availableModes").is_array()
               ? write_json(member(member(session, "modes"), "availableModes"))
               : "[]";
  return std::nullopt;
}

// Ours, where the agent offers it; else its own. Offered are models by older agents, and options by
// newer ones.
std::string AcpAgent::choose_model(const std::string& session, const CancelToken& cancel) {
  const std::string& wanted = deps().spec.model.info.id;
  const json opened = read_json(session);
  const auto choose = [&](const char* method, const char* option, const char* key) {
    RawJson params;
    JsonWriter writer(params.text);
    writer.begin_object().field("sessionId", connection_->session_id);
    if (option != nullptr) writer.field("configId", option);
    writer.field(key, wanted).end_object();
    const auto reply = connection_->call(method, std::move(params), k_short, cancel);
    return reply.ok() && std::holds_alternative<RawJson>(*reply);
  };
  const json& models = member(opened, "models");
  for (const json& model : member(models, "availableModels")) {
    const bool is_it = model.is_object() && text_at(model, "modelId") == wanted;
    if (is_it && choose("session/set_model", nullptr, "modelId")) return wanted;
  }
  for (const json& option : member(opened, "configOptions")) {
    if (!option.is_object() || text_at(option, "id") != "model") continue;
    for (const json& value : member(option, "options")) {
      const bool is_it = value.is_object() && text_at(value, "value") == wanted;
      if (is_it && choose("session/set_config_option", "model", "value")) return wanted;
    }
  }
  return models.is_object() ? text_at(models, "currentModelId") : "";
}

// Whether a call may run is for us to say, so that the agent's own mode matters only where it is to
// plan.
void AcpAgent::follow_mode(const CancelToken& cancel) {
  const bool plans = mode() == core::PermissionMode::plan;
  if (plans == connection_->in_plan_mode) return;
  const auto wanted = plans ? core::PermissionMode::plan : core::PermissionMode::default_mode;
  for (const json& offered : read_json(modes_)) {
    const std::string id = offered.is_object() ? text_at(offered, "id") : "";
    if (foreign::acp_mode(id) != wanted) continue;
    RawJson params;
    JsonWriter(params.text)
        .begin_object()
        .field("sessionId", connection_->session_id)
        .field("modeId", id)
        .end_object();
    (void)connection_->call("session/set_mode", std::move(params), k_short, cancel);
    connection_->in_plan_mode = plans;
    return;
  }
}

core::TurnDone AcpAgent::ask(const Question& question, core::TurnPort& port,
                             const CancelToken& cancel) {
  if (connection_ && !connection_->is_open()) connection_.reset();
  if (!connection_) {
    if (auto failed = connect(cancel)) {
      connection_.reset();
      return *std::move(failed);
    }
  }
  follow_mode(cancel);
  if (has_media(question.message) && !connection_->takes_pictures) {
    port.post(core::Notice{"The agent takes no pictures: they were left out."});
  }
  const std::string text =
      std::exchange(knows_earlier_, true) ? question.text : question.earlier + question.text;
  core::TurnDone done = converse(
      prompt_params(connection_->session_id, text, question.message, connection_->takes_pictures),
      port, cancel);
  if (!connection_->is_open()) connection_.reset();
  return done;
}

core::TurnDone AcpAgent::converse(RawJson params, core::TurnPort& port, const CancelToken& cancel) {
  foreign::AcpDecoder decoder(decoder_options());
  decoder.reserve_call_ids(used_call_ids_);
  decoder.reserve_call_ids(earlier_call_ids());
  decoder.on_initialized(hello_);
  decoder.set_model(model_);
  std::optional<core::TurnDone> done;
  const foreign::Emit emit = [&](core::Event event) {
    if (const auto* ready = std::get_if<core::ToolCallReady>(&event)) {
      used_call_ids_.push_back(ready->call.id);
    }
    forward(std::move(event), port, done);
  };
  decoder.set_terminal_output(
      [this](const std::string& id) { return connection_->terminals.output(id); });
  AgentRequests requests(deps(), connection_->agent_name, connection_->terminals);
  const AgentRequests::Turn turn{.port = port, .decoder = decoder, .emit = emit, .cancel = cancel};
  decoder.on_prompt(params, emit);
  connection_->prompt(std::move(params));
  bool stopping = false;
  while (!done) {
    const bool stop = cancel.stop_requested() || requests.stopped();
    if (stop && !std::exchange(stopping, true)) {
      connection_->notify("session/cancel", session_params(connection_->session_id));
    }
    auto said =
        stopping ? connection_->next(CancelToken(), k_cancel_patience) : connection_->next(cancel);
    if (!said) {
      if (!stopping) continue;  // the token has fired
      connection_->kill();
      break;
    }
    std::visit(Overloaded{
                   [&](AgentRequest& asked) { requests.answer(asked, turn); },
                   [&](AgentUpdate& update) { decoder.on_update(update.params, emit); },
                   [&](PromptAnswered& answered) {
                     if (answered.reply.ok()) {
                       decoder.on_prompt_reply(*answered.reply, emit);
                     } else {
                       decoder.finish({.why = answered.reply.error().message}, emit);
                     }
                   },
               },
               *said);
  }
  if (stopping) connection_->terminals.kill_all();
  connection_->terminals.forget_released();
  if (stopping && (!done || done->outcome != core::TurnOutcome::interrupted)) {
    if (!done) {
      decoder.finish({.outcome = core::TurnOutcome::interrupted, .why = ""}, emit);
    } else {
      done->outcome = core::TurnOutcome::interrupted;
      done->stop = core::StopReason::aborted;
      done->failure = core::FailureKind::none;
    }
  }
  return done ? *std::move(done) : failed_turn("The agent ended without an answer.");
}

}  // namespace yume::strategies
