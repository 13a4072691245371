// SPDX-License-Identifier: MIT
// The thread that reads stdin: frames, parses, posts, and decides nothing. Started only when stdin
// is really needed.
#pragma once

#include <thread>

#include "app/mailbox.h"
#include "platform/stdio.h"
#include "util/cancel.h"

namespace yume::app {

enum class StdinContent { text_prompt, stream_json };

class StdinPump {
 public:
  StdinPump(platform::InputStream& input, StdinContent content, Mailbox& mailbox);
  ~StdinPump();  // wakes and joins the thread

 private:
  void read_text(const CancelToken& cancel);
  void read_lines(const CancelToken& cancel);

  platform::InputStream& input_;
  Mailbox& mailbox_;
  std::jthread thread_;  // its stop token wakes the read
};

}  // namespace yume::app
