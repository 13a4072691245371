// SPDX-License-Identifier: MIT
#include "transcript/gemini_cli/project_sessions.h"

#include "platform/clock.h"
#include "transcript/convert/byte_source.h"
#include "transcript/convert/iso_milliseconds.h"
#include "transcript/gemini_cli/message_reader.h"
#include "transcript/gemini_cli/session_log.h"
#include "transcript/importers/import_json.h"
#include "util/iso_time.h"
#include "util/path_text.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;
using platform::FileKind;
using platform::FileSystem;

constexpr std::uint64_t k_largest_registry = 16U << 20U;
constexpr std::uint64_t k_longest_path = 64U << 10U;

// As Gemini CLI writes it: without a slash at the end.
std::string name_of(const fs::path& folder) {
  std::string name = to_utf8(folder.lexically_normal());
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  return name;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

std::vector<fs::path> folders_of(const GeminiProject& project, const fs::path& root,
                                 const FileSystem& files) {
  std::vector<fs::path> folders;
  const fs::path tmp = root / "tmp";
  const auto add = [&folders, &tmp](const std::string& name) {
    const bool plain = !name.empty() && name.find('/') == std::string::npos && name != "..";
    fs::path folder = tmp / path_from_utf8(name);
    const bool known = std::find(folders.begin(), folders.end(), folder) != folders.end();
    if (plain && !known) folders.push_back(std::move(folder));
  };
  std::vector<std::string> names;
  for (const fs::path& name : project.names) names.push_back(name_of(name));
  if (const auto registry = files.read(root / "projects.json", k_largest_registry); registry.ok()) {
    const import::Json read = import::parse(*registry).value_or(import::Json());
    for (const std::string& name : names) {
      add(import::text_at(import::at(read, {"projects"}), {name.c_str()}));
    }
  }
  if (const auto entries = files.list(tmp); entries.ok()) {
    for (const platform::DirectoryEntry& entry : *entries) {
      const auto owner = files.read(tmp / entry.name / ".project_root", k_longest_path);
      if (owner.ok() && std::find(names.begin(), names.end(), trimmed(*owner)) != names.end()) {
        add(entry.name);
      }
    }
  }
  for (const std::string& name : names) add(project.sha256_hex(name));
  return folders;
}

bool is_session_name(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".jsonl");
}

std::optional<GeminiSessionFile> look_at(const fs::path& path, const FileSystem& files) {
  const auto info = files.info(path);
  if (!info.ok() || info->kind != FileKind::regular || info->size == 0) return std::nullopt;
  const auto real = files.real_path(path);
  if (!real.ok()) return std::nullopt;
  auto file = files.open_real(*real);
  if (!file.ok()) return std::nullopt;
  FileBytes bytes(std::move(file).value());
  auto log = read_session_log(bytes, is_real_message);
  if (!log.ok() || !log->is_session || log->messages.places().empty()) return std::nullopt;
  GeminiSessionFile found{.id = log->facts.id,
                          .file = path,
                          .updated = log->facts.updated,
                          .summary = log->facts.summary,
                          .bytes = info->size};
  if (log->facts.kind == "subagent") found.parent = "?";
  if (found.updated.empty()) {
    found.updated =
        iso_time(platform::WallTime(std::chrono::duration_cast<platform::WallTime::duration>(
            std::chrono::nanoseconds(info->modified_ns))));
  }
  return found;
}

// What was read so far, each id once.
class Found {
 public:
  explicit Found(const FileSystem& files) : files_(files) {}

  // `parent` empty: sessions of people, in their project's folder.
  void add_folder(const fs::path& chats, const std::string& parent, Subagents subagents) {
    const auto entries = files_.list(chats);
    if (!entries.ok()) return;
    for (const platform::DirectoryEntry& entry : *entries) {
      if (is_session_name(entry.name)) {
        add_file(chats / entry.name, parent, subagents);
      } else if (parent.empty() && subagents == Subagents::yes &&
                 entry.kind == FileKind::directory) {
        add_folder(chats / entry.name, entry.name, subagents);
      }
    }
  }

  std::vector<GeminiSessionFile> newest_first() {
    const auto time = [](const GeminiSessionFile& one) {
      return iso_milliseconds(one.updated).value_or(0);
    };
    std::stable_sort(sessions_.begin(), sessions_.end(), [&time](const auto& a, const auto& b) {
      const std::int64_t of_a = time(a);
      const std::int64_t of_b = time(b);
      return of_a != of_b ? of_a > of_b : a.file > b.file;
    });
    return std::move(sessions_);
  }

 private:
  void add_file(const fs::path& path, const std::string& parent, Subagents subagents) {
    auto found = look_at(path, files_);
    if (!found) return;
    if (!parent.empty()) found->parent = parent;
    if (!found->parent.empty() && subagents == Subagents::no) return;
    if (ids_.insert(found->id).second || found->id.empty()) sessions_.push_back(*std::move(found));
  }

  const FileSystem& files_;
  std::vector<GeminiSessionFile> sessions_;
  std::set<std::string> ids_;
};

}  // namespace

fs::path gemini_cli_folder(const platform::Environment& environment) {
  if (const auto home = environment.get("GEMINI_CLI_HOME")) {
    return environment.cwd / *home / ".gemini";
  }
  return environment.home.empty() ? fs::path() : environment.home / ".gemini";
}

std::vector<GeminiSessionFile> gemini_sessions_of(const GeminiProject& project,
                                                  const fs::path& folder, Subagents subagents,
                                                  const FileSystem& files) {
  if (folder.empty()) return {};
  Found found(files);
  for (const fs::path& one : folders_of(project, folder, files)) {
    found.add_folder(one / "chats", "", subagents);
  }
  return found.newest_first();
}

std::string project_beside(const fs::path& session_file, const FileSystem& files) {
  fs::path folder = session_file.parent_path();
  // chats/<file>, or of a subagent chats/<parent>/<file>
  for (int up = 0; up < 3 && folder.has_relative_path(); ++up) {
    const auto owner = files.read(folder / ".project_root", k_longest_path);
    if (owner.ok()) return trimmed(*owner);
    folder = folder.parent_path();
  }
  return "";
}

}  // namespace yume::transcript
