// SPDX-License-Identifier: MIT
// Threads that are cancelled and awaited by their owner's destructor, and conditions whose waits a
// CancelToken ends: the standard library's, or our own where it has none (util/cancel.h).
#pragma once

#include "util/cancel.h"

#if defined(YUME_STANDARD_CANCEL)
#include <condition_variable>
#include <thread>
#endif

namespace yume {

#if defined(YUME_STANDARD_CANCEL)
using Thread = std::jthread;
using Condition = std::condition_variable_any;
#else
using Thread = own::Thread;
using Condition = own::Condition;
#endif

}  // namespace yume
