// SPDX-License-Identifier: MIT
// Where sessions lie: <root>/projects/<key of the working directory>/<id>.jsonl, as Claude Code has
// it, so that its hosts find them. Pure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace yume::transcript {

// Every character but letters and digits becomes a dash; a key that would be longer than 200 is cut
// and gets a hash. Counted in UTF-16 units, as the readers count.
std::string project_key(const std::filesystem::path& cwd);

// May be part of a file name: letters, digits, dash and underscore, at most 128.
bool is_session_id(std::string_view id);

std::filesystem::path projects_directory(const std::filesystem::path& root);
std::filesystem::path session_file(const std::filesystem::path& root,
                                   const std::filesystem::path& cwd, std::string_view id);
// What is kept beside the file: whole outputs of tools, fragments of torn lines.
std::filesystem::path session_folder(const std::filesystem::path& file);
// What Yume reads: views of sessions, their index, its own names for them.
std::filesystem::path views_folder(const std::filesystem::path& yume_root);
// Where the transcripts of its subagents are, and one of them.
std::filesystem::path subagents_folder(const std::filesystem::path& file);
std::filesystem::path subagent_file(const std::filesystem::path& file, std::string_view agent_id);
std::filesystem::path tool_results_folder(const std::filesystem::path& file);

}  // namespace yume::transcript
