// SPDX-License-Identifier: MIT
// Parts of an exported session's page: a call with its result, pictures, what is folded.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "transcript/shown_session.h"

namespace yume::app {

std::string media_html(const core::Media& media);
std::string folded_html(std::string_view name, std::string_view summary,
                        const std::string& content);
std::string call_html(const transcript::ShownItem& item);

}  // namespace yume::app
