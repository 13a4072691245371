// SPDX-License-Identifier: MIT
#include "session/file_checkpoints.h"

#include "platform/kept_files.h"
#include "tools/line_diff.h"
#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/path_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace yume::session {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_file = 256U << 20U;
constexpr std::uint64_t k_largest_record = 1U << 20U;
constexpr std::string_view k_record_end = ".json";

std::optional<std::uint64_t> number_of(const std::string& name) {
  if (!name.ends_with(k_record_end)) return std::nullopt;
  const char* end = name.data() + name.size() - k_record_end.size();
  std::uint64_t number = 0;
  const auto [stopped, failure] = std::from_chars(name.data(), end, number);
  if (failure != std::errc() || stopped != end) return std::nullopt;
  return number;
}

void count_lines(const std::string& now, const std::string& then, core::RewindReport& report) {
  const auto before = tools::lines_with_ends(now);
  const auto after = tools::lines_with_ends(then);
  for (const tools::LineChange& change : tools::line_changes(before, after)) {
    report.deletions += static_cast<std::int64_t>(change.old_end - change.old_begin);
    report.insertions += static_cast<std::int64_t>(change.new_end - change.new_begin);
  }
}

core::RewindReport impossible(std::string why) {
  return {.possible = false, .problem = std::move(why)};
}

}  // namespace

fs::path FileCheckpoints::bytes_of(std::uint64_t number) const {
  return folder_ / (std::to_string(number) + ".bytes");
}

void FileCheckpoints::move_to(fs::path folder) {
  const std::lock_guard lock(mutex_);
  folder_ = std::move(folder);
  begun_.clear();
  saved_.clear();
  next_.reset();
}

void FileCheckpoints::begin(const std::string& prompt_uuid) {
  if (!on()) return;
  const std::lock_guard lock(mutex_);
  saved_.clear();
  begun_.push_back({.prompt = prompt_uuid, .number = next_number()});
}

// The mutex is held.
std::uint64_t FileCheckpoints::next_number() {
  if (!next_) {
    next_ = 1;
    for (const Kept& kept : all()) next_ = std::max(*next_, kept.number + 1);
  }
  return *next_;
}

void FileCheckpoints::before_change(const fs::path& file) {
  if (!on()) return;
  const std::lock_guard lock(mutex_);
  if (begun_.empty() || !saved_.insert(file).second) return;
  auto bytes = files_.read(file, k_largest_file);
  const bool missing = !bytes.ok() && bytes.error().code == ErrorCode::not_found;
  if (!bytes.ok() && !missing) return;  // what cannot be read cannot be given back
  keep({.number = next_number(),
        .prompt = begun_.back().prompt,
        .file = file,
        .existed = bytes.ok(),
        .made_folder = bytes.ok() ? fs::path() : first_missing_folder(file)},
       bytes.ok() ? *bytes : std::string());
}

fs::path FileCheckpoints::first_missing_folder(const fs::path& file) const {
  fs::path missing;
  for (fs::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (files_.info(folder).ok()) break;
    missing = folder;
  }
  return missing;
}

// What others have put there meanwhile stays, and so does its folder.
void FileCheckpoints::remove_empty_folders(const Kept& kept) const {
  if (kept.made_folder.empty()) return;
  for (fs::path folder = kept.file.parent_path();; folder = folder.parent_path()) {
    const auto entries = files_.list(folder);
    if (!entries.ok() || !entries->empty() || !platform::remove_tree(folder).ok()) return;
    if (folder == kept.made_folder || !folder.has_relative_path()) return;
  }
}

// The bytes first: a record without them would promise too much.
void FileCheckpoints::keep(const Kept& kept, const std::string& bytes) {
  const auto write = [this](const fs::path& path, std::string_view text) {
    auto file = files_.create_private(path);
    return file.ok() && (*file)->append(text).ok();
  };
  if (kept.existed && !write(bytes_of(kept.number), bytes)) return;
  std::string record;
  JsonWriter json(record);
  json.begin_object().field("prompt", kept.prompt).field("file", to_utf8(kept.file));
  json.field("existed", kept.existed);
  if (!kept.made_folder.empty()) json.field("madeFolder", to_utf8(kept.made_folder));
  json.end_object();
  if (write(folder_ / (std::to_string(kept.number) + std::string(k_record_end)), record)) ++*next_;
}

std::optional<FileCheckpoints::Kept> FileCheckpoints::read_record(const fs::path& record) const {
  const auto number = number_of(to_utf8(record.filename()));
  if (!number) return std::nullopt;
  const auto text = files_.read(record, k_largest_record);
  if (!text.ok() || !check_json(*text).ok()) return std::nullopt;
  const nlohmann::json read = read_json(*text);
  if (!read.is_object()) return std::nullopt;
  const auto existed = read.find("existed");
  return Kept{.number = *number,
              .prompt = text_at(read, "prompt"),
              .file = path_from_utf8(text_at(read, "file")),
              .existed = existed != read.end() && existed->is_boolean() && existed->get<bool>(),
              .made_folder = path_from_utf8(text_at(read, "madeFolder"))};
}

std::vector<FileCheckpoints::Kept> FileCheckpoints::all() const {
  std::vector<Kept> all;
  const auto entries = files_.list(folder_);
  if (!entries.ok()) return all;
  for (const platform::DirectoryEntry& entry : *entries) {
    if (auto kept = read_record(folder_ / entry.name)) all.push_back(*std::move(kept));
  }
  std::sort(all.begin(), all.end(),
            [](const Kept& left, const Kept& right) { return left.number < right.number; });
  return all;
}

core::RewindReport FileCheckpoints::rewind(const std::string& prompt_uuid, bool dry_run) {
  if (!on()) {
    return impossible(
        "File checkpoints are off. Set CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true (the SDK: "
        "enableFileCheckpointing), and let the session be kept.");
  }
  const std::lock_guard lock(mutex_);
  const std::vector<Kept> kept = all();
  std::optional<std::uint64_t> from;
  const auto begun = std::find_if(begun_.begin(), begun_.end(),
                                  [&](const Begun& one) { return one.prompt == prompt_uuid; });
  if (begun != begun_.end()) from = begun->number;
  const auto of_prompt = std::find_if(kept.begin(), kept.end(),
                                      [&](const Kept& one) { return one.prompt == prompt_uuid; });
  if (!from && of_prompt != kept.end()) from = of_prompt->number;
  if (!from) return impossible("No file checkpoint is known for message " + prompt_uuid + ".");
  core::RewindReport report{.possible = true};
  std::set<fs::path> done;
  for (const Kept& one : kept) {
    // The oldest of each file is how it was.
    if (one.number >= *from && done.insert(one.file).second) restore(one, dry_run, report);
  }
  saved_.clear();
  return report;
}

void FileCheckpoints::restore(const Kept& kept, bool dry_run, core::RewindReport& report) {
  const auto now = files_.read(kept.file, k_largest_file);
  const auto then = kept.existed ? files_.read(bytes_of(kept.number), k_largest_file)
                                 : Result<std::string>(std::string());
  if (!then.ok()) {
    report.problem = "The old bytes of " + to_utf8(kept.file) + " are not there any more.";
    return;
  }
  const bool missing = !now.ok() && now.error().code == ErrorCode::not_found;
  const bool same = kept.existed ? now.ok() && *now == *then : missing;
  if (same) return;
  report.files.push_back(to_utf8(kept.file));
  count_lines(now.ok() ? *now : std::string(), *then, report);
  if (dry_run) return;
  constexpr int k_most_directories = 32;
  if (kept.existed) {
    const auto put = files_.replace_real(kept.file, *then, {.new_directories = k_most_directories});
    if (!put.ok()) report.problem = put.error().message;
  } else if (!now.ok()) {
    report.problem = now.error().message;  // it is no file any more
  } else if (const auto gone = platform::remove_tree(kept.file); !gone.ok()) {
    report.problem = gone.error().message;
  } else {
    remove_empty_folders(kept);
  }
}

}  // namespace yume::session
