// SPDX-License-Identifier: MIT
#include "session/session_places.h"

#include "transcript/session_paths.h"
#include "util/plain_name.h"

namespace yume::session {

namespace fs = std::filesystem;

fs::path output_directory(const config::SessionSpec& spec,
                          const transcript::OpenedSession& opened) {
  if (!opened.file.empty()) return transcript::tool_results_folder(opened.file);
  if (spec.output_directory.empty()) return {};
  return spec.output_directory / plain_name(opened.id);
}

fs::path checkpoints_folder(const config::SessionSpec& spec,
                            const transcript::OpenedSession& opened) {
  if (!spec.keeps_checkpoints || opened.file.empty()) return {};
  return transcript::session_folder(opened.file) / "file-history";
}

}  // namespace yume::session
