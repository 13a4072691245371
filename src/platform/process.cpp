// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace yume::platform {

Result<ProcessEnd> ProcessRunner::run(const ProcessSpec& spec, ProcessOutput& output,
                                      const CancelToken& cancel) {
  if (cancel.stop_requested()) return ProcessEnd{.kind = ProcessEndKind::cancelled};
  YUME_TRY(const auto process, start(spec));
  const OnCancel on_cancel(cancel, [&process] { process->stop(); });
  for (;;) {
    if (auto end = process->wait(output, std::nullopt)) return *std::move(end);
  }
}

std::string exit_code_text(int exit_code) {
  if (exit_code >= 0) return std::to_string(exit_code);
  static constexpr std::array<std::pair<std::uint32_t, std::string_view>, 9> k_names{{
      {0xC0000005, "access violation"},
      {0xC0000017, "out of memory"},
      {0xC000001D, "illegal instruction"},
      {0xC0000094, "division by zero"},
      {0xC00000FD, "stack overflow"},
      {0xC0000135, "a DLL was not found"},
      {0xC000013A, "interrupted"},
      {0xC0000374, "heap corruption"},
      {0xC0000409, "aborted"},
  }};
  const auto status = static_cast<std::uint32_t>(exit_code);
  std::array<char, 16> digits;
  std::snprintf(digits.data(), digits.size(), "0x%08X", static_cast<unsigned>(status));
  std::string text = digits.data();
  for (const auto& [known, name] : k_names) {
    if (known == status) text += " (" + std::string(name) + ")";
  }
  return text;
}

}  // namespace yume::platform
