// SPDX-License-Identifier: MIT
// A session and all that is known of it goes from the disk.
#pragma once

#include <filesystem>

#include "platform/clock.h"
#include "transcript/session_store.h"
#include "util/result.h"

namespace yume::app {

// `views`: the folder of Yume's views; empty: there is none. Error not_found when the session is in
// use.
Result<void> remove_session(const transcript::FoundSession& found,
                            const std::filesystem::path& views, const platform::Clock& clock);

}  // namespace yume::app
