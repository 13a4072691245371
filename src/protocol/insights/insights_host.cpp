// SPDX-License-Identifier: MIT
#include "protocol/insights/insights_host.h"

#include "protocol/claude/inbound.h"
#include "protocol/insights/insights_commands.h"
#include "protocol/insights/insights_fields.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

namespace yume::protocol {
namespace {

constexpr std::size_t k_payload = k_max_line_bytes - 20'000;
constexpr std::string_view k_denied = "The user refused this call.";

void explain(core::HostAnswer& answer) {
  auto* denies = std::get_if<core::HostDenies>(&answer);
  if (denies != nullptr && denies->message.empty()) denies->message = k_denied;
}

// An input that comes back as it was shown is no change, also when it was shown shortened.
void drop_shown_input(const core::MayRun& question, core::HostAnswer& answer) {
  auto* allows = std::get_if<core::HostAllows>(&answer);
  if (allows == nullptr || !allows->input) return;
  const FittedInput shown = fit_input(object_input(question.call.input), k_payload);
  if (shown.is_whole) return;
  if (read_json(shown.shown.text) == read_json(allows->input->text)) allows->input.reset();
}

std::optional<core::HostAnswer> read_may_run(const core::MayRun& question,
                                             const RawAnswer& answer) {
  auto read = read_permission(answer);
  if (!read) return read;
  explain(*read);
  drop_shown_input(question, *read);
  return read;
}

// What was asked as a call: its changed input is what the user filled in.
std::optional<core::HostAnswer> read_elicitation(const RawAnswer& answer) {
  const auto read = read_permission(answer);
  if (!read) return std::nullopt;
  std::string result;
  JsonWriter json(result);
  json.begin_object();
  if (const auto* allows = std::get_if<core::HostAllows>(&*read)) {
    json.field("action", "accept");
    if (allows->input) json.field("content", *allows->input);
  } else {
    json.field("action", "decline");
  }
  json.end_object();
  return core::Elicited{{result}};
}

}  // namespace

HostMessage InsightsHost::parse(std::string_view line) const {
  return parse_insights_line(line);
}

HostMessage InsightsHost::refuse(const LongLine& line, std::size_t limit) const {
  return refuse_insights_line(line, limit);
}

InsightsStream& InsightsHost::stream_of(const core::Address& address) {
  return streams_.try_emplace(address, output_, overflow_, clock_, address, provider_)
      .first->second;
}

void InsightsHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  const core::Address& address = envelope.address;
  if (address.parent_call_id.empty()) session_id_ = address.session_id;
  stream_of(address).on_event(envelope.event, now);
  if (const auto* ended = std::get_if<core::AgentEnded>(&envelope.event)) {
    streams_.erase({address.session_id, ended->call_id});
  }
}

// What was done shows in the events that follow; only what was not done has to be said.
void InsightsHost::reply(std::string_view reply_to, const CommandResult& result) {
  InsightsStream& stream = stream_of({session_id_});
  const std::string prefix = std::string(reply_to) + ": ";
  if (const auto* refused = std::get_if<RequestRefused>(&result)) {
    stream.write_error_text(prefix + refused->why);
  } else if (const auto* unknown = std::get_if<NotSupported>(&result)) {
    stream.write_error_text("The command '" + unknown->what + "' is not known.");
  } else if (reply_to == "kill") {
    stream.write_status("ended");
  }
}

void InsightsHost::ask(std::string_view request_id, const core::Address& from,
                       const core::HostQuestion& question) {
  // Hooks and MCP servers inside the host cannot be registered here, so nothing asks for them.
  using Never = PassOver<core::CallHook, core::McpMessage, core::ReadHostFile, core::WriteHostFile,
                         core::UseTerminal>;
  InsightsStream& stream = stream_of(from);
  std::visit(Overloaded{
                 Never{},
                 [&](const core::MayRun& may_run) {
                   stream.write_permission_request(
                       request_id, may_run,
                       fit_input(object_input(may_run.call.input), k_payload).shown);
                 },
                 [&](const core::Elicit& elicit) { stream.write_elicitation(request_id, elicit); },
             },
             question);
}

std::optional<core::HostAnswer> InsightsHost::read_answer(const core::HostQuestion& question,
                                                          const RawAnswer& answer) const {
  using Answer = std::optional<core::HostAnswer>;
  return std::visit(
      Overloaded{
          [](const core::CallHook&) { return Answer(core::HostFailed{"no hook is served"}); },
          [](const core::McpMessage&) { return Answer(core::HostFailed{"no server is here"}); },
          [](const core::ReadHostFile&) { return Answer(core::HostFailed{"it has no files"}); },
          [](const core::WriteHostFile&) { return Answer(core::HostFailed{"it has no files"}); },
          [](const core::UseTerminal&) { return Answer(core::HostFailed{"it has no terminals"}); },
          [&](const core::Elicit&) { return read_elicitation(answer); },
          [&](const core::MayRun& may_run) { return read_may_run(may_run, answer); },
      },
      question);
}

}  // namespace yume::protocol
