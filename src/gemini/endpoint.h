// SPDX-License-Identifier: MIT
// Which URL a request goes to. The developer API and gateways that speak like it.
#pragma once

#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::gemini {

inline constexpr std::string_view k_developer_api = "https://generativelanguage.googleapis.com";

// `base` is scheme, host and an optional path; the version and the model's path are appended.
// invalid_argument for a model id that could change the path.
Result<std::string> stream_url(std::string_view base, std::string_view model_id);

}  // namespace yume::gemini
