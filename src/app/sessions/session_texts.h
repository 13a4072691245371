// SPDX-License-Identifier: MIT
// Sessions for people and scripts: a list, a conversation on a terminal, as Markdown, as a web
// page, as JSON. Pure; every text ends with a newline.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/session_summary.h"
#include "transcript/shown_session.h"

namespace yume::app {

enum class Colours { off, on };
enum class WithFolders { no, yes };

struct ListLook {
  WithFolders folders = WithFolders::no;
  std::optional<int> width = {};  // of the terminal; without one nothing is cut
};

// For people: local times, and ids as short as `short_ids` has them (transcript/short_ids.h).
std::string list_text(const std::vector<transcript::SessionSummary>& sessions,
                      const std::map<std::string, std::string>& short_ids, const ListLook& look);
std::string list_json(const std::vector<transcript::SessionSummary>& sessions);

std::string terminal_text(const transcript::ShownSession& session, Colours colours);
std::string session_json(const transcript::ShownSession& session);
std::string markdown_text(const transcript::ShownSession& session);
// One file without anything from elsewhere; its only script is the search box.
std::string html_text(const transcript::ShownSession& session);
// What every page begins with, up to the start of its content.
std::string page_head(std::string_view title);
// A box that searches in the page, where scripts run; and the end of a page that has one.
std::string search_box(std::string_view name);
std::string searched_page_end();

}  // namespace yume::app
