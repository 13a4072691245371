// SPDX-License-Identifier: MIT
// What expect/ of a case should hold for an observed run, and how that differs from what it holds.
// Both are file trees, so one comparison serves stdout, stderr, requests and files alike.
#pragma once

#include <string>
#include <vector>

#include "golden/runner/case_file.h"
#include "golden/runner/case_run.h"
#include "golden/runner/file_tree.h"

namespace yume::golden {

// The content of expect/ that this run would have matched. Volatile values are macros, and so are
// the standard ones, but for a case that defines some.
FileTree actual_tree(const GoldenCase& golden, const Observation& seen,
                     const std::vector<Literal>& standard_values);

// One message per file that is missing, extra or different, with a diff; empty when equal.
std::vector<std::string> differences(const FileTree& expected, const FileTree& actual);

// "stdout.ndjson" or "stdout.txt": the one that expect/ has, else by the output format in the args.
std::string stdout_name(const GoldenCase& golden);

// One request as expect/requests/NN.json shows it.
std::string request_text(const demo::RecordedRequest& request, RequestDetail detail);

}  // namespace yume::golden
