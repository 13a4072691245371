// SPDX-License-Identifier: MIT
// Cancelling: std::stop_token under the names the rest of the code uses, and our own where the
// standard library has none. A token may be copied to any thread; a callback runs at once on the
// thread that cancels, so keep it to a wake-up.
#pragma once

#include <functional>
#include <version>

#if defined(__cpp_lib_jthread) && !defined(__APPLE__) && !defined(YUME_OWN_CANCEL)
#define YUME_STANDARD_CANCEL
#include <stop_token>
#else
#include "util/own_cancel.h"
#endif

namespace yume {

#if defined(YUME_STANDARD_CANCEL)
using CancelSource = std::stop_source;
using CancelToken = std::stop_token;
using OnCancel = std::stop_callback<std::function<void()>>;
#else
using CancelSource = own::StopSource;
using CancelToken = own::StopToken;
using OnCancel = own::StopCallback<std::function<void()>>;
#endif

}  // namespace yume
