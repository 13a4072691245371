// SPDX-License-Identifier: MIT
// Which gcloud is run. Never one inside the workspace: whoever wrote the files there would get the
// user's credentials by naming a script "gcloud".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::auth {

struct GcloudSearch {
  std::string named = {};                             // by a flag or YUME_GCLOUD; empty: by PATH
  std::vector<std::filesystem::path> workspace = {};  // real paths
};

// The programs to try, in order; several because one on PATH may not be executable. None: gcloud is
// not installed. Error when the one that was named does not exist or lies in the workspace.
Result<std::vector<std::filesystem::path>> find_gcloud(const GcloudSearch& search,
                                                       const platform::Environment& environment,
                                                       const platform::FileSystem& files);

// What is started for one of them. gcloud.cmd is a script for cmd.exe, which can be tricked: that
// starts the Python of the SDK, or one of PATH outside the workspace, and so do we, without it.
// Error when there is none.
Result<std::vector<std::string>> gcloud_command(const std::filesystem::path& program,
                                                const GcloudSearch& search,
                                                const platform::Environment& environment,
                                                const platform::FileSystem& files);

// PATH without relative directories and those of the workspace: gcloud itself looks for a Python.
std::string safe_path(const GcloudSearch& search, const platform::Environment& environment,
                      const platform::FileSystem& files);

}  // namespace yume::auth
