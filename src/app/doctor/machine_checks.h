// SPDX-License-Identifier: MIT
// What can be told about this machine without asking anybody: programs, folders, terminal,
// certificates, settings and the model that is meant. Reads a few files, and writes and removes one
// in each folder.
#pragma once

#include "app/doctor/finding.h"
#include "app/model_choice.h"
#include "app/options.h"
#include "config/sandbox_settings.h"
#include "net/curl_transport.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "platform/sandbox.h"

namespace yume::app::doctor {

Finding check_version(const platform::Environment& environment);
Finding check_terminal(const platform::Environment& environment);
Findings check_programs(const platform::Environment& environment);
Findings check_folders(const platform::Environment& environment);
// Which roots a server's certificate is checked against.
Findings check_certificates(const net::CurlOptions& network, const platform::FileSystem& files);
// Never the model of broken settings: those fail by themselves.
Finding check_model(const Options& options, const Result<ModelChoice>& models,
                    platform::WallTime now);

// The dialect of a start with --provider, and why. `ancestors`: the programs that started us.
Finding check_dialect(Options options, const Result<ModelChoice>& models,
                      const std::vector<std::string>& ancestors);

// "Landlock 7 with mounts of its own"
std::string sandbox_in_words(const platform::SandboxSupport& support);
// Which wall this system has around commands, and whether a start with --provider uses it.
Finding check_sandbox(const Result<config::SandboxMode>& with_provider,
                      const platform::SandboxSupport& support);

}  // namespace yume::app::doctor
