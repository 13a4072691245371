// SPDX-License-Identifier: MIT
// Sessions for people and scripts: a list, a conversation on a terminal, as Markdown, as a web
// page, as JSON. Pure; every text ends with a newline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session_summary.h"
#include "session/shown_session.h"

namespace yume::app {

enum class Colours { off, on };
enum class WithFolders { no, yes };

// `width`: of the terminal; without one nothing is cut.
std::string list_text(const std::vector<session::SessionSummary>& sessions, WithFolders folders,
                      std::optional<int> width);
std::string list_json(const std::vector<session::SessionSummary>& sessions);

std::string terminal_text(const session::ShownSession& session, Colours colours);
std::string session_json(const session::ShownSession& session);
std::string markdown_text(const session::ShownSession& session);
// One file without scripts or anything from elsewhere.
std::string html_text(const session::ShownSession& session);

}  // namespace yume::app
