// SPDX-License-Identifier: MIT
// Esc in the Yume app does not reach the program: the turn goes on, and the next prompt comes to a
// second process for the same session.
#pragma once

#include <filesystem>

namespace yume::session {

// Interrupts the process that has the session open, if it was started by the one that started us.
// Its turn then ends as an interrupted one does, and the session becomes free.
void interrupt_older_process(const std::filesystem::path& session_file);

}  // namespace yume::session
