// SPDX-License-Identifier: MIT
// Long text for a person at a terminal, a screen at a time: through $PAGER, else `less`, else as it
// is. A program is taken from PATH's absolute folders only, and never from the folder that is
// worked in, whose author would then decide what runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/environment.h"
#include "platform/file_system.h"
#include "protocol/line_writer.h"

namespace yume::app {

// What to start, argv[0] absolute. nullopt: nothing that could be used. $PAGER is a program and its
// arguments with blanks between; one that would need a shell, or is not found, is passed over.
std::optional<std::vector<std::string>> choose_pager(const platform::Environment& environment,
                                                     const platform::FileSystem& files);

// To stdout, which is a terminal; blocks until the person has read it. As it is for who wants no
// escape codes (terminal_look.h). A pager that cannot be started is as good as none, and one that
// ends early has shown enough.
void show_paged(const std::string& text, const platform::Environment& environment,
                const platform::FileSystem& files, protocol::Output& out);

}  // namespace yume::app
