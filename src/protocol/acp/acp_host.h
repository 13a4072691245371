// SPDX-License-Identifier: MIT
// A client of the Agent Client Protocol (editors, mostly): opens several sessions in one process,
// reads what happens in each as notifications, and is asked by requests of ours (docs/acp.md).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "jsonrpc/message.h"
#include "protocol/acp/acp_session.h"
#include "protocol/acp/ticket.h"
#include "protocol/host.h"

namespace yume::protocol {

class AcpHost final : public Host {
 public:
  AcpHost(Output& output, OverflowStore& overflow, std::string version)
      : output_{output, overflow}, version_(std::move(version)) {}

  [[nodiscard]] HostMessage parse(std::string_view line) const override;
  [[nodiscard]] HostMessage refuse(const LongLine& line, std::size_t limit) const override;
  void write(const core::Envelope& envelope, platform::SteadyTime now) override;
  void reply(std::string_view reply_to, const CommandResult& result) override;
  [[nodiscard]] bool can_be_asked() const override { return true; }
  [[nodiscard]] bool wants_changes() const override { return true; }
  [[nodiscard]] bool answers(const core::HostQuestion& question) const override;
  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override;
  void withdraw(std::string_view request_id) override;
  void settle(std::string_view request_id, Settled how) override;
  [[nodiscard]] std::optional<core::HostAnswer> read_answer(const core::HostQuestion& question,
                                                            const RawAnswer& answer) const override;

 private:
  // A call that somebody decides about.
  struct AskedCall {
    std::string session_id;
    std::string call_id;
  };

  AcpSession* find(const std::string& session_id);
  void follow_reset(const core::Envelope& envelope);
  void greet(const AcpTicket& ticket, const core::Greet& said);
  void show(const AcpTicket& ticket, const SessionShown& shown);
  void set_mode(const AcpTicket& ticket, core::PermissionMode mode);
  void set_model(const AcpTicket& ticket, const std::string& model);
  void set_done(const AcpTicket& ticket);
  void list(const AcpTicket& ticket, const SessionsListed& listed);
  void forget(const AcpTicket& ticket);
  void refuse(const AcpTicket& ticket, const RequestRefused& refused);
  void send_options(const AcpTicket& ticket, const AcpSession& session);
  void send(const AcpTicket& ticket, jsonrpc::Reply reply);
  void ask_permission(std::string_view request_id, const std::string& session_id,
                      const core::MayRun& question);
  [[nodiscard]] std::string client_id(const std::string& session_id) const;

  AcpOutput output_;
  std::string version_;
  core::HostAbilities abilities_;
  std::map<std::string, AcpSession> sessions_;  // by the id that the client knows
  std::map<std::string, std::string> moved_;    // that began anew: what the client calls them
  std::map<std::string, AskedCall, std::less<>> asked_;  // by request
};

}  // namespace yume::protocol
