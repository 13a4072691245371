// SPDX-License-Identifier: MIT
// Every line of an ACP client becomes a value, also one that is too long; whoever is to be answered
// can be; and no answer to a question of ours makes it crash.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/host_question.h"
#include "protocol/acp/inbound.h"
#include "protocol/acp/permission.h"
#include "protocol/acp/replies.h"
#include "protocol/acp/ticket.h"
#include "protocol/line_outline.h"

namespace {

using namespace yume::protocol;

void check(const HostMessage& message) {
  if (!message.reply_to.empty()) {
    // What the reply needs comes back as it went.
    const AcpTicket ticket = decode_ticket(message.reply_to);
    if (decode_ticket(encode(ticket)) != ticket || ticket.id.json.empty()) std::abort();
  }
  const auto* answer = std::get_if<RawAnswer>(&message.content);
  if (answer == nullptr) return;
  (void)read_permission_outcome({.call = {.id = "c", .name = "Bash", .input = {"{}"}}}, *answer);
  if (answer->response) (void)acp_file_text(*answer->response);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(parse_acp_line(bytes));
  constexpr std::size_t k_short = 16;  // so that some lines are too long
  yume::LineFramer framer(
      {.max_line_bytes = k_short, .outline = k_line_outline}, [](std::string_view) {},
      [](const yume::LongLine& line) { check(refuse_acp_line(line, k_short)); });
  framer.feed(bytes);
  framer.finish();
  return 0;
}
