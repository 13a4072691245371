// SPDX-License-Identifier: MIT
// A prompt that is too long for a command line.
#pragma once

#include "app/options.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::app {

// Puts what --prompt-file names into the prompt. The message says what to do.
Result<void> read_prompt_file(const std::filesystem::path& started_in,
                              const platform::FileSystem& files, Options& options);

}  // namespace yume::app
