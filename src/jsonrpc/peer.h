// SPDX-License-Identifier: MIT
// One end of a JSON-RPC connection that carries a message on each line: calls that wait for their
// answers, many at once, and the other side's requests, each of which gets exactly one. Knows
// neither the protocol nor who carries the bytes: the owner reads them and hands them to receive(),
// and gives a function that sends.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "jsonrpc/message.h"
#include "util/cancel.h"
#include "util/line_framer.h"
#include "util/log.h"
#include "util/pending_table.h"
#include "util/result.h"

namespace yume::jsonrpc {

// Takes one line with its end. Never blocks, least of all until the other side reads, and calls
// nothing of the peer's. Called by one thread at a time.
using SendLine = std::function<Result<void>(std::string_view line)>;

class Outbox;

// The one answer to a request, from any thread and at any time, also after the peer's end. One that
// is destroyed without having answered says that the request failed.
class Responder {
 public:
  // Shared with the peer, because either may end first.
  Responder(std::shared_ptr<Outbox> outbox, Id id);
  Responder(Responder&& other) noexcept = default;
  Responder& operator=(Responder&& other) = delete;
  ~Responder();

  // The first answer counts.
  void reply(Reply reply);

 private:
  std::shared_ptr<Outbox> outbox_;  // none: answered, or moved from
  Id id_;
};

// Called on the thread that calls receive(), which it must not hold up: an answer that it waited
// for could not come.
class PeerHandler {
 public:
  virtual ~PeerHandler() = default;
  virtual void on_request(Request request, Responder responder) = 0;
  virtual void on_notification(Notification notification) = 0;
  // Nothing more will come, and nothing is sent any more. Called by peers that know (ChildPeer).
  virtual void on_closed(const Error& /*why*/) {}
};

// A call that is not waited for any more.
struct AbandonedCall {
  Id id;
  std::string method;
  bool timed_out = false;  // else it was cancelled
};

struct PeerOptions {
  std::string name;  // for messages: "the server x"
  std::size_t max_message_bytes = std::size_t{32} << 20U;
  std::size_t most_open_calls = 1024;
  // How the other side is told, in the protocol's words; nullopt: not at all.
  std::function<std::optional<Notification>(const AbandonedCall& call)> cancel_notice = {};
  // How much may come that is no message, beside one that is not complete yet, before the
  // connection is given up; nullopt: any amount.
  std::optional<std::size_t> most_junk_bytes = std::nullopt;
  bool answers_malformed = true;  // what cannot be read is answered, as the standard wants it
  Log* log = &null_log();
};

class Peer {
 public:
  Peer(PeerOptions options, SendLine send, PeerHandler& handler);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();  // no call may be under way

  // Any thread but that of receive(). Blocks until the answer is there. Errors: cancelled; timeout;
  // busy when too many calls are open; too_large when the answer was; what `send` said; what
  // close() was given.
  Result<Reply> call(const std::string& method, RawJson params,
                     std::optional<std::chrono::milliseconds> timeout, const CancelToken& cancel);
  // Any thread. Never blocks.
  Result<void> notify(const Notification& notification);

  // What came from the other side, cut anywhere. One thread at a time.
  void receive(std::string_view bytes);
  // The other side has sent all: an unfinished last line counts. The thread of receive().
  void finish();

  // Any thread. Whoever waits for an answer, now or later, gets the error; nothing more is sent.
  // The first one counts.
  void close(Error why);
  // Any thread. Why it is closed; nullopt: it is open.
  [[nodiscard]] std::optional<Error> why_closed() const;

 private:
  void take(std::string_view line);
  void take_response(Response response);
  void refuse(const LongLine& line);
  void count_as_read(std::size_t bytes);
  void abandon(const AbandonedCall& call);
  void debug(const std::string& message) const;

  PeerOptions options_;
  PeerHandler& handler_;
  std::shared_ptr<Outbox> outbox_;
  LineFramer framer_;
  PendingTable<std::string, Result<Reply>> calls_;  // the question is the name of the method
  std::atomic<std::int64_t> last_id_ = 0;
  std::size_t unread_ = 0;  // bytes that have not been part of a message
  std::size_t junk_ = 0;    // of them, whole lines
};

}  // namespace yume::jsonrpc
