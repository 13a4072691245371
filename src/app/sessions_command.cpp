// SPDX-License-Identifier: MIT
#include "app/sessions_command.h"

#include "app/commands/confirm.h"
#include "app/pager.h"
#include "app/session_setup.h"
#include "app/sessions/convert_session.h"
#include "app/sessions/export_sessions.h"
#include "app/sessions/remove_session.h"
#include "app/sessions/session_stats.h"
#include "app/sessions/session_texts.h"
#include "app/sessions/sessions_arguments.h"
#include "app/terminal_look.h"
#include "config/places.h"
#include "platform/append_file.h"
#include "platform/kept_files.h"
#include "platform/stdio.h"
#include "protocol/claude/claude_stream.h"
#include "transcript/alias_book.h"
#include "transcript/session_by_id.h"
#include "transcript/session_paths.h"
#include "transcript/short_ids.h"
#include "util/escape_codes.h"
#include "util/json_io.h"
#include "util/path_text.h"

#include <limits>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using transcript::FoundSession;

Error failed(std::string message) {
  return {.code = ErrorCode::not_found, .message = std::move(message)};
}

class Command {
 public:
  Command(SessionsArguments arguments, const platform::Environment& environment,
          protocol::Output& out)
      : arguments_(std::move(arguments)),
        environment_(environment),
        out_(out),
        views_(views_folder(environment)),
        store_({.roots = config::session_roots(environment, config::HostKind::claude),
                .cwd = cwd(),
                .version = std::string(protocol::k_claude_code_version)},
               *files_, clock_) {}

  Result<void> run() {
    switch (arguments_.verb) {
      case SessionsVerb::list:
        return list();
      case SessionsVerb::show:
        return show();
      case SessionsVerb::export_one:
        return arguments_.all ? export_every_one() : export_one();
      case SessionsVerb::stats:
        return stats();
      case SessionsVerb::delete_one:
        return delete_one();
      case SessionsVerb::convert:
        return convert_session(
            question(), *arguments_.to,
            arguments_.jsonl ? transcript::JsonForm::lines : transcript::JsonForm::whole, deps(),
            out_);
      case SessionsVerb::import_one:
        return import_session(question(), arguments_.json ? ImportReport::json : ImportReport::text,
                              deps(), out_);
      case SessionsVerb::help:
        break;
    }
    out_.bytes(arguments_.help);
    return {};
  }

 private:
  [[nodiscard]] fs::path given_cwd() const {
    fs::path given = (environment_.cwd / arguments_.cwd.value_or("")).lexically_normal();
    return given.has_filename() || !given.has_relative_path() ? given : given.parent_path();
  }

  [[nodiscard]] fs::path cwd() const {
    const fs::path given = given_cwd();
    auto real = files_->real_path(given);
    return real.ok() ? std::move(real).value() : given;
  }

  [[nodiscard]] SessionQuestion question() const {
    return {.file = arguments_.file,
            .id = arguments_.session,
            .cwd = given_cwd(),
            .real_cwd = store_.settings().cwd,
            .from = arguments_.from};
  }

  [[nodiscard]] SessionDeps deps() {
    return {.files = *files_, .environment = environment_, .store = store_};
  }

  [[nodiscard]] std::vector<transcript::IndexEntry> index() const {
    if (views_.empty()) return {};
    return transcript::SessionIndex(views_, clock_).read();
  }

  Result<void> list_of_gemini_cli() {
    const auto sessions = gemini_sessions(question(), deps());
    if (arguments_.json) {
      out_.bytes(list_json(sessions));
    } else if (sessions.empty()) {
      say("No Gemini session found for project: " + to_utf8(given_cwd()) + "\n");
    } else {
      std::vector<std::string> ids;
      for (const auto& session : sessions) ids.push_back(session.id);
      out_.bytes(list_text(sessions, transcript::short_ids(std::move(ids)),
                           {.width = terminal_look(environment_).width}));
    }
    return {};
  }

  Result<void> list() {
    if (arguments_.from == transcript::SessionSource::gemini_cli) return list_of_gemini_cli();
    const auto sessions = transcript::summarise(chosen(), index());
    if (arguments_.json) {
      out_.bytes(list_json(sessions));
    } else if (sessions.empty()) {
      say(arguments_.all ? "There are no sessions yet.\n"
                         : "There are no sessions of " + to_utf8(store_.settings().cwd) +
                               " yet. `yume-cli sessions list --all` shows those of every "
                               "directory.\n");
    } else {
      out_.bytes(list_text(sessions, known_ids(),
                           {.folders = arguments_.all ? WithFolders::yes : WithFolders::no,
                            .width = terminal_look(environment_).width}));
    }
    return {};
  }

  // Of every session, since every one can be named.
  [[nodiscard]] std::map<std::string, std::string> known_ids() const {
    std::vector<std::string> ids;
    for (FoundSession& one : store_.all()) ids.push_back(std::move(one.id));
    return transcript::short_ids(std::move(ids));
  }

  // Not the list itself: who counts lines counts sessions.
  static void say(const std::string& text) { (void)platform::stderr_stream()->write(text); }

  [[nodiscard]] Result<FoundSession> find() const {
    auto found = transcript::find_session(store_, arguments_.id);
    if (found.ok()) return found;
    if (found.error().code != ErrorCode::not_found) return failed(found.error().message);
    if (views_.empty()) return found;
    const auto named = transcript::AliasBook(views_, clock_).find(arguments_.id);
    auto meant = named ? store_.find(*named) : std::nullopt;
    return meant ? Result<FoundSession>(*std::move(meant)) : found;
  }

  [[nodiscard]] Result<std::string> read(const FoundSession& found) const {
    return files_->read(found.file, std::numeric_limits<std::uint64_t>::max());
  }

  Result<void> show() {
    YUME_TRY(const FoundSession found, find());
    YUME_TRY(const std::string bytes, read(found));
    transcript::ShownSession shown = transcript::read_shown(bytes);
    shown.id = found.id;
    if (arguments_.json) {
      out_.bytes(session_json(shown));
      return {};
    }
    const bool colours = terminal_look(environment_).colours;
    const std::string text = terminal_text(shown, colours ? Colours::on : Colours::off);
    if (platform::is_terminal(platform::StandardStream::output) && !arguments_.no_pager) {
      show_paged(text, environment_, *files_, out_);
    } else {
      out_.bytes(text);
    }
    return {};
  }

  [[nodiscard]] Existing existing() const {
    return arguments_.force ? Existing::replaced : Existing::kept;
  }

  Result<void> export_one() {
    YUME_TRY(const FoundSession found, find());
    YUME_TRY(const std::string text, exported_text(*files_, found, *arguments_.format));
    if (!arguments_.output) return print(text);
    const fs::path file = environment_.cwd / *arguments_.output;
    if (const auto written = write_export(*files_, file, text, existing()); !written) {
      return written;
    }
    if (arguments_.json) {
      std::string line;
      JsonWriter json(line);
      json.begin_object().field("id", found.id).field("output", to_utf8(file));
      json.field("bytes", static_cast<std::int64_t>(text.size())).end_object();
      out_.line(line);
    }
    return {};
  }

  // Whoever looks at it gets no codes of a model or a command; a file gets what was said.
  Result<void> print(const std::string& text) {
    const bool watched = platform::is_terminal(platform::StandardStream::output);
    out_.bytes(watched ? safe_for_terminal(text) : text);
    return {};
  }

  Result<void> export_every_one() {
    const auto found = store_.all();
    const auto summaries = transcript::summarise(found, index());
    const fs::path folder = environment_.cwd / *arguments_.output;
    const bool watched = platform::is_terminal(platform::StandardStream::error);
    const bool moves = watched && terminal_look(environment_).colours;
    const auto progress = [&](std::size_t number) {
      constexpr std::size_t k_step = 50;
      const std::string words =
          "Exporting " + std::to_string(number) + " of " + std::to_string(summaries.size());
      if (moves) {
        say("\r" + words + " sessions ...\x1b[K");
      } else if (watched && number % k_step == 0) {
        say(words + " sessions ...\n");
      }
    };
    const auto exported =
        export_all(*files_, found, summaries, folder, *arguments_.format, existing(), progress);
    if (moves) say("\r\x1b[K");
    YUME_TRY(const ExportedAll done, exported);
    for (const std::string& reason : done.unreadable) say("Warning: left out: " + reason + "\n");
    const fs::path& shown = done.index.empty() ? folder : done.index;
    if (arguments_.json) {
      std::string line;
      JsonWriter json(line);
      json.begin_object().field("sessions", static_cast<std::int64_t>(done.sessions));
      json.field("output", to_utf8(shown)).end_object();
      out_.line(line);
    } else {
      out_.line("Exported " + std::to_string(done.sessions) +
                (done.sessions == 1 ? " session: " : " sessions: ") +
                safe_for_terminal(to_utf8(shown)));
    }
    return {};
  }

  [[nodiscard]] std::vector<FoundSession> chosen() const {
    if (arguments_.all) return store_.all();
    std::vector<FoundSession> found;
    for (const fs::path& root : store_.settings().roots) {
      auto here = store_.here(root);
      std::move(here.begin(), here.end(), std::back_inserter(found));
    }
    return found;
  }

  void add_subagents(const FoundSession& session, const std::string& project,
                     SessionStats& stats) const {
    const fs::path folder = transcript::subagents_folder(session.file);
    const auto entries = files_->list(folder);
    if (!entries.ok()) return;  // there were none
    for (const platform::DirectoryEntry& entry : *entries) {
      if (!entry.name.ends_with(".jsonl")) continue;
      const auto bytes = files_->read(folder / path_from_utf8(entry.name),
                                      std::numeric_limits<std::uint64_t>::max());
      if (!bytes.ok()) {
        say("Warning: left out: " + bytes.error().message + "\n");
        continue;
      }
      stats.add_subagent(transcript::read_shown(*bytes, transcript::ShownLines::all), project,
                         gemini::ModelCatalog::built_in());
    }
  }

  Result<void> stats() {
    SessionStats stats;
    for (const FoundSession& found : chosen()) {
      const auto bytes = read(found);
      if (!bytes.ok()) {
        say("Warning: left out: " + bytes.error().message + "\n");
        continue;
      }
      const auto shown = transcript::read_shown(*bytes, transcript::ShownLines::all);
      stats.add(shown, gemini::ModelCatalog::built_in());
      add_subagents(found, shown.cwd, stats);
    }
    const TerminalLook look = terminal_look(environment_);
    const std::string text = arguments_.json ? stats_json(stats)
                             : arguments_.html
                                 ? stats_html(stats)
                                 : stats_text(stats, {.width = look.width, .utf8 = look.utf8});
    if (!arguments_.output) return print(text);
    return write_export(*files_, environment_.cwd / *arguments_.output, text, existing());
  }

  Result<void> delete_one() {
    YUME_TRY(const FoundSession found, find());
    if (!arguments_.yes) {
      YUME_TRY(const bool sure, ask(found));
      if (!sure) return failed("nothing was deleted.");
    }
    if (const auto removed = remove_session(found, views_, clock_); !removed) {
      return removed.error();
    }
    if (arguments_.json) {
      std::string line;
      JsonWriter(line).begin_object().field("deleted", found.id).end_object();
      out_.line(line);
    } else {
      out_.line("Deleted session " + found.id + ".");
    }
    return {};
  }

  [[nodiscard]] Result<bool> ask(const FoundSession& found) const {
    if (!platform::is_terminal(platform::StandardStream::input)) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "nobody can be asked whether to delete session " + found.id +
                              "; add --yes to delete it unasked"};
    }
    const auto known = transcript::summarise({found}, index());
    const std::string title = known.empty() ? "" : " \"" + known.front().title + "\"";
    return ask_yes_or_no(out_, "Delete session " + found.id + title + " for good?");
  }

  SessionsArguments arguments_;
  const platform::Environment& environment_;
  protocol::Output& out_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  platform::SystemClock clock_;
  fs::path views_;
  transcript::SessionStore store_;
};

}  // namespace

ExitCode run_sessions(const std::vector<std::string>& tokens,
                      const platform::Environment& environment, protocol::Output& out) {
  const auto complain = [](const Error& error) {
    (void)platform::stderr_stream()->write("Error: " + error.message + "\n");
    return error.code == ErrorCode::invalid_argument ? ExitCode::usage : ExitCode::failure;
  };
  auto arguments = parse_sessions_arguments(tokens);
  if (!arguments.ok()) return complain(arguments.error());
  const auto done = Command(std::move(arguments).value(), environment, out).run();
  return done.ok() ? ExitCode::success : complain(done.error());
}

}  // namespace yume::app
