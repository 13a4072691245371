// SPDX-License-Identifier: MIT
// Any bytes become messages, the same however they are cut; what was read is written on one line of
// ASCII and read again as what it was; and whatever cannot be read has an answer that can.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "jsonrpc/codec.h"
#include "jsonrpc/peer.h"
#include "util/overloaded.h"

namespace {

using namespace yume;

void require(bool good) {
  if (!good) std::abort();
}

bool is_line(std::string_view line) {
  for (const char c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E) return false;
  }
  return !line.empty();
}

template <class Message>
void check_again(const Message& message) {
  const std::string line = jsonrpc::encode(message);
  require(is_line(line) && jsonrpc::decode(line) == jsonrpc::Incoming(message));
}

void check_message(std::string_view text) {
  std::visit(
      Overloaded{[](const jsonrpc::Request& request) { check_again(request); },
                 [](const jsonrpc::Notification& notification) { check_again(notification); },
                 [](const jsonrpc::Response& response) { check_again(response); },
                 [](const jsonrpc::Malformed& malformed) { check_again(malformed.answer); }},
      jsonrpc::decode(text));
}

// What a peer does with the bytes: each call of the handler, each line sent.
class Recorder final : public jsonrpc::PeerHandler {
 public:
  Recorder(std::string_view first, std::string_view second) {
    jsonrpc::Peer peer(
        {.name = "p", .max_message_bytes = 64},
        [this](std::string_view line) {
          seen.emplace_back(line);
          return Result<void>();
        },
        *this);
    peer.receive(first);
    peer.receive(second);
    peer.finish();
  }
  void on_request(jsonrpc::Request request, jsonrpc::Responder responder) override {
    seen.push_back(request.method);
    responder.reply(jsonrpc::method_not_found(request.method));
  }
  void on_notification(jsonrpc::Notification notification) override {
    seen.push_back(notification.method);
  }
  std::vector<std::string> seen;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_message(text);
  const std::size_t cut = size == 0 ? 0 : data[size / 2] % (size + 1);
  require(Recorder(text, "").seen == Recorder(text.substr(0, cut), text.substr(cut)).seen);
  return 0;
}
