// SPDX-License-Identifier: MIT
// The thread that reads stdin: frames, parses, posts, and decides nothing. Started only when stdin
// is really needed.
#pragma once

#include <cstddef>

#include "platform/stdio.h"
#include "runtime/mailbox.h"
#include "util/cancel.h"
#include "util/thread.h"

namespace yume::runtime {

enum class StdinContent { text_prompt, stream_json };

class StdinPump {
 public:
  // Nothing longer than `max_message_bytes` is kept: such a message is refused. So is one for which
  // too many others wait already; requests and answers never wait.
  StdinPump(platform::InputStream& input, StdinContent content, std::size_t max_message_bytes,
            const protocol::Host& host, Mailbox& mailbox, ByteBudget& waiting);
  ~StdinPump();  // wakes and joins the thread

 private:
  void read_text(const CancelToken& cancel);
  void read_lines(const CancelToken& cancel);
  void take(protocol::HostMessage message, std::size_t bytes);

  platform::InputStream& input_;
  std::size_t max_message_bytes_;
  const protocol::Host& host_;
  Mailbox& mailbox_;
  ByteBudget& waiting_;
  Thread thread_;  // its stop token wakes the read
};

}  // namespace yume::runtime
