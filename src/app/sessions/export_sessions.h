// SPDX-License-Identifier: MIT
// Sessions as files: one, or all of them with a page that leads to each. What is there already is
// replaced only on demand.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/sessions/sessions_arguments.h"
#include "platform/file_system.h"
#include "transcript/session_store.h"
#include "transcript/session_summary.h"
#include "util/result.h"

namespace yume::app {

enum class Existing { kept, replaced };

// The session's file in the chosen form.
Result<std::string> exported_text(const platform::FileSystem& files,
                                  const transcript::FoundSession& found, ExportFormat format);

// The error says how to go on when the file is there.
Result<void> write_export(platform::FileSystem& files, const std::filesystem::path& file,
                          std::string_view text, Existing existing);

struct ExportedAll {
  std::size_t sessions = 0;
  std::filesystem::path index;          // empty with jsonl
  std::vector<std::string> unreadable;  // one line each
};

// `progress` is called before each session, with its number from 1. The first file that cannot be
// written ends it.
Result<ExportedAll> export_all(platform::FileSystem& files,
                               const std::vector<transcript::FoundSession>& found,
                               const std::vector<transcript::SessionSummary>& summaries,
                               const std::filesystem::path& folder, ExportFormat format,
                               Existing existing, const std::function<void(std::size_t)>& progress);

}  // namespace yume::app
