// SPDX-License-Identifier: MIT
#include "app/sessions/session_choice.h"

#include "auth/sha256.h"
#include "config/places.h"
#include "transcript/convert/byte_source.h"
#include "transcript/convert/claude_lines.h"
#include "transcript/session_by_id.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using transcript::GeminiSessionFile;
using transcript::SessionSource;

Error none(std::string_view whose, const SessionQuestion& question) {
  std::string message = "No " + std::string(whose) + " session found for project: ";
  message += to_utf8(question.cwd);
  if (!question.id.empty()) message += " (with the id " + question.id + ")";
  return {.code = ErrorCode::not_found, .message = std::move(message)};
}

std::optional<ChosenSession> gemini_session(const SessionQuestion& question,
                                            const SessionDeps& deps) {
  const bool any = question.id.empty();
  const auto sessions = transcript::gemini_sessions_of(
      gemini_project(question), transcript::gemini_cli_folder(deps.environment),
      any ? transcript::Subagents::no : transcript::Subagents::yes, deps.files);
  const auto chosen = [&question](const fs::path& file) {
    return ChosenSession{
        .file = file, .from = SessionSource::gemini_cli, .project = to_utf8(question.cwd)};
  };
  if (any) {
    if (sessions.empty()) return std::nullopt;
    return chosen(sessions.front().file);
  }
  // The whole id first; then a beginning that no other has.
  std::vector<fs::path> beginnings;
  for (const GeminiSessionFile& one : sessions) {
    if (one.id == question.id) return chosen(one.file);
    if (one.id.starts_with(question.id)) beginnings.push_back(one.file);
  }
  if (beginnings.size() != 1) return std::nullopt;
  return chosen(beginnings.front());
}

// Of Claude Code and of this program, whose files look alike.
std::optional<ChosenSession> own_session(const SessionQuestion& question, const SessionDeps& deps) {
  const auto chosen = [&question](const fs::path& file) {
    return ChosenSession{.file = file, .from = question.from, .project = to_utf8(question.cwd)};
  };
  if (!question.id.empty()) {
    const auto found = transcript::find_session(deps.store, question.id);
    if (!found.ok()) return std::nullopt;
    return chosen(found->file);
  }
  auto roots = deps.store.settings().roots;
  if (question.from == SessionSource::yume) std::reverse(roots.begin(), roots.end());
  for (const fs::path& root : roots) {
    const auto here = deps.store.here(root);
    if (!here.empty()) return chosen(here.front().file);
  }
  return std::nullopt;
}

// Says what a file does not say itself.
class WithProject final : public transcript::RecordTarget {
 public:
  WithProject(const ChosenSession& chosen, transcript::RecordTarget& target)
      : chosen_(chosen), target_(target) {}

  void begin(const transcript::SessionFacts& given) override {
    transcript::SessionFacts facts = given;
    // The folder that the question names need not be the file's.
    const bool same = facts.project_hash.empty() || chosen_.project.empty() ||
                      auth::sha256_hex(chosen_.project) == facts.project_hash;
    if (facts.cwd.empty() && same) facts.cwd = chosen_.project;
    if (facts.project_hash.empty()) facts.project_hash = auth::sha256_hex(facts.cwd);
    target_.begin(facts);
  }
  void record(transcript::SessionRecord record) override { target_.record(std::move(record)); }
  void end() override { target_.end(); }

 private:
  const ChosenSession& chosen_;
  transcript::RecordTarget& target_;
};

Error unreadable(const fs::path& file, std::string_view why) {
  return {.code = ErrorCode::protocol,
          .message = "cannot convert " + to_utf8(file) + ": " + std::string(why) +
                     ". Name a session file of Gemini CLI, Claude Code or yume-cli; --from says "
                     "whose it is"};
}

}  // namespace

transcript::GeminiProject gemini_project(const SessionQuestion& question) {
  return {.names = {question.cwd, question.real_cwd}, .sha256_hex = auth::sha256_hex};
}

Result<ChosenSession> choose_session(const SessionQuestion& question, const SessionDeps& deps) {
  if (!question.file.empty()) {
    ChosenSession chosen{
        .file = deps.environment.cwd / question.file, .from = question.from, .project = {}};
    chosen.project = transcript::project_beside(chosen.file, deps.files);
    if (chosen.project.empty()) chosen.project = to_utf8(question.cwd);
    return chosen;
  }
  const bool gemini = !question.from || question.from == SessionSource::gemini_cli;
  if (gemini) {
    if (auto found = gemini_session(question, deps)) return *std::move(found);
  }
  if (question.from != SessionSource::gemini_cli) {
    if (auto found = own_session(question, deps)) return *std::move(found);
  }
  if (gemini) return none("Gemini", question);
  return none(question.from == SessionSource::claude ? "Claude" : "Yume", question);
}

Result<transcript::ReadSession> read_chosen(const ChosenSession& chosen,
                                            const platform::FileSystem& files,
                                            transcript::RecordTarget& target) {
  YUME_TRY(const fs::path real, files.real_path(chosen.file));
  YUME_TRY(auto file, files.open_real(real));
  transcript::FileBytes bytes(std::move(file));
  WithProject with_project(chosen, target);
  if (!chosen.from || chosen.from == SessionSource::gemini_cli) {
    auto read = transcript::read_gemini_session(bytes, with_project);
    if (read.ok() || read.error().code != ErrorCode::protocol) return read;
    if (chosen.from) return unreadable(chosen.file, read.error().message);
  }
  auto read = transcript::read_claude_session(bytes, chosen.from, with_project);
  if (read.ok() || read.error().code != ErrorCode::protocol) return read;
  return unreadable(chosen.file,
                    chosen.from ? read.error().message : "it is no session that is known here");
}

}  // namespace yume::app
