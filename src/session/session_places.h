// SPDX-License-Identifier: MIT
// Where a session keeps what does not fit into its file: long outputs, and files as they were.
#pragma once

#include <filesystem>

#include "config/session_spec.h"
#include "transcript/session_store.h"

namespace yume::session {

// Empty: nowhere.
std::filesystem::path output_directory(const config::SessionSpec& spec,
                                       const transcript::OpenedSession& opened);
std::filesystem::path checkpoints_folder(const config::SessionSpec& spec,
                                         const transcript::OpenedSession& opened);

}  // namespace yume::session
