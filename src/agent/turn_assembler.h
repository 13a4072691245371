// SPDX-License-Identifier: MIT
// Puts one model reply together from the chunks of its stream: text and thoughts go on to the host
// at once, calls wait until the stream has ended well, and what must be sent back is kept verbatim.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/call_ids.h"
#include "agent/call_stages.h"
#include "core/event.h"
#include "gemini/partial_args.h"
#include "gemini/stream_decoder.h"

namespace yume::agent {

struct ModelReply {
  std::string message_id;
  std::vector<std::string> parts;  // raw JSON, for the history
  std::vector<AskedCall> calls;
  std::string last_text;  // the last text block
  std::optional<gemini::Finish> finish;
  std::optional<std::string> prompt_blocked;
  std::optional<std::string> continuation;  // asks for the rest of the reply
  std::optional<std::string> model_notice;  // the server's word on the model's end
  std::optional<std::string> bad_call;      // why a call that came in pieces cannot be used
  gemini::Grounding grounding;              // of a reply that the server searched for
  std::string cut_call;                     // the tool whose call the output limit cut off
  core::Usage usage;                        // of the try that gave the reply: the context's size
  std::vector<core::Usage> billed;          // every try that was counted
  std::size_t text_bytes = 0;               // of all tries, thoughts included
  bool announced = false;                   // the host has seen something of this reply
};

class TurnAssembler {
 public:
  TurnAssembler(std::string model, CallIds& ids, core::EventSink& sink);

  // False when the host is gone.
  bool add(gemini::Chunk chunk);

  // The stream broke or was interrupted: calls and signatures are dropped, the text that the host
  // already has stays as the only part. Ready for another attempt at the same reply.
  void keep_text_only();

  // One hop of a long reply has ended well; the next chunks continue it.
  void next_hop();

  // Nothing of the reply has come since it began, or since its last hop.
  [[nodiscard]] bool untouched() const { return untouched_; }
  // Such a try is made again as if it had not been.
  void try_again();

  // The reply has ended: a call without its terminator is complete, or lost. False when the host is
  // gone.
  bool end_of_reply();

  // The reply is as it will be.
  void finish_parts();

  // Tells the host that this message has begun; once, before the first thing of it. A reply that is
  // all calls announces itself only when its stream has ended well.
  bool announce();
  // Shows hosts that watch the calls that came whole, as if they had come in pieces.
  bool announce_calls();

  [[nodiscard]] const ModelReply& reply() const { return reply_; }
  ModelReply take() { return std::move(reply_); }

 private:
  // A call that arrives in pieces.
  struct OpenCall {
    std::string id;  // the host's
    ProviderName provider;
    std::string signature;
    gemini::PartialArgs args;
  };

  bool add_part(gemini::Part part);
  bool add_text(std::string text, std::string raw);
  bool add_thought(gemini::Part part);
  void add_call(gemini::Part part);
  bool add_piece(gemini::CallPiece piece);
  bool open_call(gemini::CallPiece& piece);
  bool apply(const gemini::CallPiece& piece);
  bool close_call();
  void drop_open_call();
  void keep_part(std::string raw, bool is_call, bool is_signed);
  void close_text_part();
  std::string take_text();
  void count_usage();

  std::string model_;
  CallIds& ids_;
  core::EventSink& sink_;
  ModelReply reply_;
  std::string open_text_;                // unsigned text deltas, as the beginning of a part
  std::vector<std::size_t> text_parts_;  // which parts of this attempt are text
  bool in_text_block_ = false;
  bool call_kept_ = false;  // a call of this reply is among the parts
  std::optional<OpenCall> open_call_;
  bool untouched_ = true;
  std::optional<std::size_t> first_hop_;  // its place in the bill, of a reply in several
};

}  // namespace yume::agent
