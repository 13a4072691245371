// SPDX-License-Identifier: MIT
#include "platform/raw_typing.h"

#include <termios.h>
#include <unistd.h>

namespace yume::platform {
namespace {

class PosixRawTyping final : public RawTyping {
 public:
  explicit PosixRawTyping(const termios& before) : before_(before) {
    termios raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  }
  ~PosixRawTyping() override { ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_); }

 private:
  termios before_;
};

}  // namespace

std::unique_ptr<RawTyping> begin_raw_typing() {
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return nullptr;
  return std::make_unique<PosixRawTyping>(before);
}

}  // namespace yume::platform
