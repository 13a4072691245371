// SPDX-License-Identifier: MIT
#include "protocol/acp/ticket.h"

#include "util/json_io.h"
#include "util/json_tree.h"

namespace yume::protocol {

std::string encode(const AcpTicket& ticket) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("id", ticket.id.json).field("method", ticket.method);
  json.field("session", ticket.session_id).field("option", ticket.option);
  json.field("value", ticket.value).end_object();
  return text;
}

AcpTicket decode_ticket(std::string_view text) {
  const nlohmann::json ticket = read_json(text);
  if (!ticket.is_object()) return {};
  return {.id = {text_at(ticket, "id")},
          .method = text_at(ticket, "method"),
          .session_id = text_at(ticket, "session"),
          .option = text_at(ticket, "option"),
          .value = text_at(ticket, "value")};
}

}  // namespace yume::protocol
