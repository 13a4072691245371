// SPDX-License-Identifier: MIT
#include "app/sessions/convert_session.h"

#include "transcript/convert/claude_target.h"
#include "transcript/convert/gemini_target.h"
#include "transcript/convert/unified_target.h"
#include "transcript/importers/gemini_history.h"
#include "transcript/importers/import_history.h"
#include "transcript/record_history.h"
#include "transcript/session_paths.h"
#include "transcript/shown_session.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <limits>
#include <memory>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using transcript::SessionSource;

constexpr std::size_t k_piece = 64U << 10U;

// Small pieces become few writes.
class Collected {
 public:
  explicit Collected(protocol::Output& out) : out_(out) {}

  void add(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= k_piece) flush();
  }

  void flush() {
    if (!buffer_.empty()) out_.bytes(buffer_);
    buffer_.clear();
    if (buffer_.capacity() > 16 * k_piece) buffer_.shrink_to_fit();
  }

 private:
  protocol::Output& out_;
  std::string buffer_;
};

std::unique_ptr<transcript::RecordTarget> make_target(ConvertTarget to, transcript::JsonForm form,
                                                      const std::string& version,
                                                      transcript::TextSink out) {
  switch (to) {
    case ConvertTarget::unified:
      return std::make_unique<transcript::UnifiedTarget>(form, std::move(out));
    case ConvertTarget::claude:
      return std::make_unique<transcript::ClaudeTarget>(version, std::move(out));
    case ConvertTarget::gemini:
      break;
  }
  return std::make_unique<transcript::GeminiTarget>(form, std::move(out));
}

// What a list says about a session.
class Summary final : public transcript::RecordTarget {
 public:
  explicit Summary(transcript::SessionSummary& summary) : summary_(summary) {}

  void begin(const transcript::SessionFacts& facts) override { summary_.cwd = facts.cwd; }
  void record(transcript::SessionRecord record) override {
    if (record.is_for_people) return;
    summary_.messages += 1;
    if (!record.model.empty()) summary_.model = record.model;
    if (!summary_.title.empty() || record.speaker != transcript::RecordSpeaker::user) return;
    for (const transcript::SaidBlock& block : record.blocks) {
      const auto* said = std::get_if<transcript::SaidText>(&block);
      if (said != nullptr && summary_.title.empty()) {
        summary_.title = transcript::make_title(said->text);
      }
    }
  }
  void end() override {}

 private:
  transcript::SessionSummary& summary_;
};

// A conversation, and the session it is from.
struct Brought {
  std::string id;
  std::string cwd;
  core::Conversation conversation;
};

class BroughtTarget final : public transcript::RecordTarget {
 public:
  void begin(const transcript::SessionFacts& facts) override {
    brought.id = facts.id;
    brought.cwd = facts.cwd;
    history_.begin(facts);
  }
  void record(transcript::SessionRecord record) override { history_.record(std::move(record)); }
  void end() override { brought.conversation = history_.finish(); }

  Brought brought;

 private:
  transcript::import::HistoryTarget history_;
};

Result<Brought> bring(const ChosenSession& chosen, const platform::FileSystem& files) {
  const bool maybe_gemini = !chosen.from || chosen.from == SessionSource::gemini_cli;
  if (maybe_gemini) {
    BroughtTarget target;
    ChosenSession as_gemini = chosen;
    as_gemini.from = SessionSource::gemini_cli;
    const auto read = read_chosen(as_gemini, files, target);
    if (read.ok()) return std::move(target.brought);
    if (chosen.from || read.error().code != ErrorCode::protocol) return read.error();
  }
  YUME_TRY(std::string bytes, files.read(chosen.file, std::numeric_limits<std::uint64_t>::max()));
  auto imported = transcript::import_history(std::move(bytes));
  if (!imported.ok()) {
    return Error{.code = ErrorCode::protocol,
                 .message = "cannot import " + to_utf8(chosen.file) + ": " +
                            imported.error().message + ". Name a session file"};
  }
  return Brought{
      .id = {}, .cwd = chosen.project, .conversation = std::move(imported->conversation)};
}

}  // namespace

Result<void> convert_session(const SessionQuestion& question, ConvertTarget to,
                             transcript::JsonForm form, const SessionDeps& deps,
                             protocol::Output& out) {
  YUME_TRY(const ChosenSession chosen, choose_session(question, deps));
  Collected collected(out);
  const auto target = make_target(to, form, deps.store.settings().version,
                                  [&collected](std::string_view text) { collected.add(text); });
  YUME_TRY([[maybe_unused]] const auto read, read_chosen(chosen, deps.files, *target));
  collected.flush();
  return {};
}

Result<void> import_session(const SessionQuestion& question, ImportReport report,
                            const SessionDeps& deps, protocol::Output& out) {
  YUME_TRY(const ChosenSession chosen, choose_session(question, deps));
  YUME_TRY(Brought brought, bring(chosen, deps.files));
  const std::size_t entries = brought.conversation.entries.size();
  if (entries == 0) {
    return Error{.code = ErrorCode::not_found,
                 .message = "nothing was imported: " + to_utf8(chosen.file) + " holds no messages"};
  }
  const std::string id = transcript::is_session_id(brought.id) ? brought.id : make_uuid();
  if (const auto there = deps.store.find(id)) {
    return Error{.code = ErrorCode::busy,
                 .message = "session " + id + " is here already: " + to_utf8(there->file) +
                            ". `yume-cli --resume " + id +
                            "` goes on with it; delete it with `yume-cli "
                            "sessions delete " +
                            id + "` to import it again"};
  }
  YUME_TRY(transcript::OpenedSession session, deps.store.create(id, transcript::Persistence::kept));
  transcript::record_history(brought.conversation, *session.journal);
  session.journal->sync();
  if (!session.journal->saved()) {
    return Error{.code = ErrorCode::io,
                 .message = session.journal->take_notice().value_or("the session was not saved")};
  }
  if (report == ImportReport::json) {
    std::string line;
    JsonWriter json(line);
    json.begin_object().field("id", id).field("file", to_utf8(session.file));
    json.field("entries", static_cast<std::int64_t>(entries)).end_object();
    out.line(line);
  } else {
    out.line("Imported session " + id + ". `yume-cli --resume " + id + "` goes on with it.");
  }
  return {};
}

std::vector<transcript::SessionSummary> gemini_sessions(const SessionQuestion& question,
                                                        const SessionDeps& deps) {
  std::vector<transcript::SessionSummary> summaries;
  const auto files = transcript::gemini_sessions_of(gemini_project(question),
                                                    transcript::gemini_cli_folder(deps.environment),
                                                    transcript::Subagents::no, deps.files);
  for (const transcript::GeminiSessionFile& file : files) {
    transcript::SessionSummary summary{.id = file.id,
                                       .file = file.file,
                                       .bytes = file.bytes,
                                       .cwd = {},
                                       .title = transcript::make_title(file.summary),
                                       .model = {},
                                       .updated = file.updated};
    Summary target(summary);
    const ChosenSession chosen{
        .file = file.file, .from = SessionSource::gemini_cli, .project = to_utf8(question.cwd)};
    if (read_chosen(chosen, deps.files, target).ok()) summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace yume::app
