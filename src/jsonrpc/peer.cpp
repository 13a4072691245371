// SPDX-License-Identifier: MIT
#include "jsonrpc/peer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "jsonrpc/codec.h"
#include "util/byte_size.h"
#include "util/overloaded.h"

namespace yume::jsonrpc {
namespace {

// What must be known of a message that is too long, so that nobody waits for it in vain.
constexpr OutlineMember k_id{.object = {}, .key = "id"};
constexpr OutlineMember k_method{.object = {}, .key = "method"};
constexpr std::array k_outline{k_id, k_method};

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

// Where lines leave, one at a time, until it is closed.
class Outbox {
 public:
  explicit Outbox(SendLine send) : send_(std::move(send)) {}

  Result<void> send(std::string line) {
    line += '\n';
    const std::lock_guard lock(mutex_);
    if (why_closed_) return *why_closed_;
    return send_(line);
  }

  // Nothing is being sent any more when this returns. The first reason stays.
  void close(Error why) {
    const std::lock_guard lock(mutex_);
    if (!why_closed_) why_closed_ = std::move(why);
  }

  std::optional<Error> why_closed() {
    const std::lock_guard lock(mutex_);
    return why_closed_;
  }

 private:
  std::mutex mutex_;
  SendLine send_;
  std::optional<Error> why_closed_;
};

Responder::Responder(std::shared_ptr<Outbox> outbox, Id id)
    : outbox_(std::move(outbox)), id_(std::move(id)) {}

Responder::~Responder() {
  reply(ErrorObject{.code = k_internal_error, .message = "Internal error: nobody answered"});
}

void Responder::reply(Reply reply) {
  const auto outbox = std::exchange(outbox_, nullptr);
  if (!outbox) return;
  // When it cannot be sent there is nobody to tell: the connection is broken, which its owner sees.
  [[maybe_unused]] const auto sent =
      outbox->send(encode(Response{.id = std::move(id_), .reply = std::move(reply)}));
}

Peer::Peer(PeerOptions options, SendLine send, PeerHandler& handler)
    : options_(std::move(options)),
      handler_(handler),
      outbox_(std::make_shared<Outbox>(std::move(send))),
      framer_(
          {.max_line_bytes = options_.max_message_bytes, .outline = k_outline},
          [this](std::string_view line) { take(line); },
          [this](const LongLine& line) { refuse(line); }),
      calls_(options_.most_open_calls) {}

Peer::~Peer() {
  close({.code = ErrorCode::io, .message = "the connection to " + options_.name + " is closed"});
}

Result<Reply> Peer::call(const std::string& method, RawJson params,
                         std::optional<std::chrono::milliseconds> timeout,
                         const CancelToken& cancel) {
  AbandonedCall call{.id = {std::to_string(++last_id_)}, .method = method};
  const std::string& name = options_.name;
  const Error cancelled{.code = ErrorCode::cancelled,
                        .message = "cancelled before " + name + " answered " + method};
  if (cancel.stop_requested()) return cancelled;
  const std::string line =
      encode(Request{.id = call.id, .method = method, .params = std::move(params)});
  Result<void> sent;
  auto outcome = calls_.ask(call.id.json, method, timeout, cancel, [&] {
    sent = outbox_->send(line);
    return sent.ok();
  });
  if (auto* reply = std::get_if<Result<Reply>>(&outcome)) return std::move(*reply);
  switch (std::get<Unanswered>(outcome)) {
    case Unanswered::closed:
      return outbox_->why_closed().value_or(Error{});
    case Unanswered::not_sent:
      return sent.error();
    case Unanswered::busy:
      return Error{.code = ErrorCode::busy,
                   .message = name + " has " + std::to_string(options_.most_open_calls) +
                              " calls to answer already"};
    case Unanswered::moot:  // nobody looks again here
    case Unanswered::cancelled:
      abandon(call);
      return cancelled;
    case Unanswered::timed_out:
      break;
  }
  call.timed_out = true;
  abandon(call);
  return Error{.code = ErrorCode::timeout,
               .message = name + " did not answer " + method + " within " +
                          std::to_string(timeout->count()) + " ms"};
}

void Peer::abandon(const AbandonedCall& call) {
  if (!options_.cancel_notice) return;
  const auto notice = options_.cancel_notice(call);
  if (!notice) return;
  if (const auto sent = notify(*notice); !sent) debug("not told: " + sent.error().message);
}

Result<void> Peer::notify(const Notification& notification) {
  return outbox_->send(encode(notification));
}

void Peer::receive(std::string_view bytes) {
  unread_ += bytes.size();
  framer_.feed(bytes);
  if (!options_.most_junk_bytes) return;
  const std::size_t most = *options_.most_junk_bytes;
  if (junk_ <= most && unread_ <= options_.max_message_bytes + most) return;
  close({.code = ErrorCode::protocol,
         .message = options_.name + " was given up: it has sent " + byte_size_text(unread_) +
                    " that are no message"});
}

void Peer::count_as_read(std::size_t bytes) {
  unread_ -= std::min(unread_, bytes);
}

std::optional<Error> Peer::why_closed() const {
  return outbox_->why_closed();
}

void Peer::finish() {
  framer_.finish();
}

void Peer::close(Error why) {
  outbox_->close(std::move(why));
  calls_.close();
}

void Peer::take(std::string_view line) {
  if (is_blank(line)) return;
  std::visit(Overloaded{[&](Request request) {
                          count_as_read(line.size() + 1);
                          Responder responder(outbox_, request.id);
                          handler_.on_request(std::move(request), std::move(responder));
                        },
                        [&](Notification notification) {
                          count_as_read(line.size() + 1);
                          handler_.on_notification(std::move(notification));
                        },
                        [&](Response response) {
                          count_as_read(line.size() + 1);
                          take_response(std::move(response));
                        },
                        [&](Malformed malformed) {
                          junk_ += line.size() + 1;
                          debug("malformed: " + encode(malformed.answer));
                          if (!options_.answers_malformed) return;
                          [[maybe_unused]] const auto sent =
                              outbox_->send(encode(malformed.answer));
                        }},
             decode(line));
}

void Peer::take_response(Response response) {
  const bool awaited = calls_.answer(response.id.json, [&](const std::string& /*method*/) {
    return std::optional<Result<Reply>>(std::move(response.reply));
  });
  // Never asked, not waited for any more, or answered before; or the other side could not read one
  // of our lines and does not know which.
  if (!awaited) debug("passed over the answer to " + response.id.json);
}

// Whoever waits for an answer to it, on either side, gets an error instead.
void Peer::refuse(const LongLine& line) {
  const std::string sizes = std::to_string(line.bytes) + " bytes, and at most " +
                            byte_size_text(options_.max_message_bytes) + " are read";
  const std::string id(line.outline.value(k_id));
  const bool is_call = !line.outline.value(k_method).empty();
  if (!is_call && !id.empty()) {
    const bool awaited = calls_.answer(id, [&](const std::string& method) {
      return std::optional<Result<Reply>>(
          Error{.code = ErrorCode::too_large,
                .message = "the answer of " + options_.name + " to " + method + " has " + sizes});
    });
    if (awaited) return count_as_read(line.bytes + 1);
  }
  debug("too long: " + sizes);
  if (!options_.answers_malformed && !is_call) return;
  if (is_call && id.empty()) return;
  [[maybe_unused]] const auto sent = outbox_->send(encode(
      Response{.id = is_call ? Id{id} : Id{},
               .reply = ErrorObject{.code = k_invalid_request,
                                    .message = "Invalid request: the message has " + sizes}}));
}

void Peer::debug(const std::string& message) const {
  options_.log->write("jsonrpc", options_.name + ": " + message);
}

}  // namespace yume::jsonrpc
