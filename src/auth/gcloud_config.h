// SPDX-License-Identifier: MIT
// What gcloud's own files say about its active configuration. Read directly, because running gcloud
// to ask takes a second or two. Variables beat files, as they do for gcloud.
#pragma once

#include <filesystem>
#include <string>

#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::auth {

struct GcloudConfig {
  std::filesystem::path file;  // of the active configuration; it need not exist
  std::string account;         // empty: nobody is logged in, as far as the files tell
  std::string project;
  std::string quota_project;
};

// $CLOUDSDK_CONFIG or ~/.config/gcloud; empty when there is no home.
std::filesystem::path gcloud_directory(const platform::Environment& environment);

// What cannot be read counts as not set.
GcloudConfig read_gcloud_config(const platform::Environment& environment,
                                const platform::FileSystem& files);

// Changes whenever the file is written.
std::string file_version(const platform::FileSystem& files, const std::filesystem::path& path);

}  // namespace yume::auth
