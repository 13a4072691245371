// SPDX-License-Identifier: MIT
// Cancelling: std::stop_token under the names the rest of the code uses. A token may be copied to
// any thread; a callback runs at once on the thread that cancels, so keep it to a wake-up.
#pragma once

#include <functional>
#include <stop_token>

namespace yume {

using CancelSource = std::stop_source;
using CancelToken = std::stop_token;
using OnCancel = std::stop_callback<std::function<void()>>;

}  // namespace yume
