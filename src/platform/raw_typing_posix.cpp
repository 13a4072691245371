// SPDX-License-Identifier: MIT
#include "platform/raw_typing.h"

#include <termios.h>
#include <unistd.h>

namespace yume::platform {
namespace {

class PosixRawTyping final : public RawTyping {
 public:
  PosixRawTyping(const termios& before, Pastes pastes)
      : before_(before), marks_pastes_(pastes == Pastes::marked) {
    termios raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    if (marks_pastes_) send("\x1b[?2004h");
  }
  ~PosixRawTyping() override {
    if (marks_pastes_) send("\x1b[?2004l");
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }

 private:
  // To the terminal of the keys. It may be open for reading alone: then pastes come as typed.
  static void send(std::string_view code) {
    const auto written = ::write(STDIN_FILENO, code.data(), code.size());
    (void)written;
  }

  termios before_;
  bool marks_pastes_;
};

}  // namespace

std::unique_ptr<RawTyping> begin_raw_typing(Pastes pastes) {
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return nullptr;
  return std::make_unique<PosixRawTyping>(before, pastes);
}

}  // namespace yume::platform
