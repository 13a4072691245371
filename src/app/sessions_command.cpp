// SPDX-License-Identifier: MIT
#include "app/sessions_command.h"

#include "app/session_open.h"
#include "app/sessions/session_texts.h"
#include "app/sessions/sessions_arguments.h"
#include "platform/append_file.h"
#include "platform/kept_files.h"
#include "platform/stdio.h"
#include "session/alias_book.h"
#include "session/session_paths.h"
#include "util/json_io.h"

#include <array>
#include <limits>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using session::FoundSession;

constexpr std::size_t k_most_candidates = 5;

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
        views_(yume_views_folder(environment)),
        store_({.roots = session_roots(environment, /*has_provider=*/false),
                .cwd = cwd(),
                .version = {}},
               *files_, clock_) {}

  Result<void> run() {
    switch (arguments_.verb) {
      case SessionsVerb::list:
        return list();
      case SessionsVerb::show:
        return show();
      case SessionsVerb::export_one:
        return export_one();
      case SessionsVerb::delete_one:
        return delete_one();
      case SessionsVerb::help:
        break;
    }
    out_.bytes(sessions_usage());
    return {};
  }

 private:
  [[nodiscard]] fs::path cwd() const {
    const fs::path given = environment_.cwd / arguments_.cwd.value_or("");
    auto real = files_->real_path(given);
    return real.ok() ? std::move(real).value() : given;
  }

  [[nodiscard]] std::vector<session::IndexEntry> index() const {
    if (views_.empty()) return {};
    return session::SessionIndex(views_, clock_).read();
  }

  Result<void> list() {
    std::vector<FoundSession> found;
    if (arguments_.all) {
      found = store_.all();
    } else {
      for (const fs::path& root : store_.settings().roots) {
        auto here = store_.here(root);
        std::move(here.begin(), here.end(), std::back_inserter(found));
      }
    }
    const auto sessions = session::summarise(found, index());
    if (arguments_.json) {
      out_.bytes(list_json(sessions));
    } else if (sessions.empty()) {
      say(arguments_.all ? "There are no sessions yet.\n"
                         : "There are no sessions of " + store_.settings().cwd.string() +
                               " yet. `yume-cli sessions list --all` shows those of every "
                               "directory.\n");
    } else {
      out_.bytes(list_text(sessions, arguments_.all ? WithFolders::yes : WithFolders::no,
                           platform::terminal_width()));
    }
    return {};
  }

  // Not the list itself: who counts lines counts sessions.
  static void say(const std::string& text) { (void)platform::stderr_stream()->write(text); }

  [[nodiscard]] Result<FoundSession> find() const {
    const std::string& id = arguments_.id;
    if (auto exact = store_.find(id)) return *std::move(exact);
    std::vector<FoundSession> candidates;
    for (FoundSession& one : store_.all()) {
      if (one.id.starts_with(id)) candidates.push_back(std::move(one));
    }
    if (candidates.size() == 1) return std::move(candidates.front());
    if (candidates.empty() && !views_.empty()) {
      const auto named = session::AliasBook(views_, clock_).find(id);
      auto found = named ? store_.find(*named) : std::nullopt;
      if (found) return *std::move(found);
    }
    if (candidates.empty()) {
      return failed("no session's id begins with '" + id +
                    "'. `yume-cli sessions list --all` shows all of them.");
    }
    std::string which;
    for (const FoundSession& one : candidates) {
      which += "\n  " + one.id;
      if (&one - candidates.data() + 1 == k_most_candidates) break;
    }
    return failed("'" + id + "' may be one of " + std::to_string(candidates.size()) +
                  " sessions. Give more of the id:" + which);
  }

  [[nodiscard]] Result<std::string> read(const FoundSession& found) const {
    return files_->read(found.file, std::numeric_limits<std::uint64_t>::max());
  }

  Result<void> show() {
    YUME_TRY(const FoundSession found, find());
    YUME_TRY(const std::string bytes, read(found));
    session::ShownSession shown = session::read_shown(bytes);
    shown.id = found.id;
    if (arguments_.json) {
      out_.bytes(session_json(shown));
      return {};
    }
    const bool colours =
        platform::is_terminal(platform::StandardStream::output) && !environment_.get("NO_COLOR");
    out_.bytes(terminal_text(shown, colours ? Colours::on : Colours::off));
    return {};
  }

  static std::string exported(const FoundSession& found, std::string bytes, ExportFormat format) {
    if (format == ExportFormat::jsonl) return bytes;
    session::ShownSession shown = session::read_shown(bytes);
    shown.id = found.id;
    return format == ExportFormat::html ? html_text(shown) : markdown_text(shown);
  }

  Result<void> export_one() {
    YUME_TRY(const FoundSession found, find());
    YUME_TRY(std::string bytes, read(found));
    const std::string text = exported(found, std::move(bytes), *arguments_.format);
    if (!arguments_.output) {
      out_.bytes(text);
      return {};
    }
    const fs::path file = environment_.cwd / *arguments_.output;
    if (const auto written = files_->replace(file, text); !written) {
      return failed(written.error().message + ". Choose another place with --output.");
    }
    if (arguments_.json) {
      std::string line;
      JsonWriter json(line);
      json.begin_object().field("id", found.id).field("output", file.string());
      json.field("bytes", static_cast<std::int64_t>(text.size())).end_object();
      out_.line(line);
    }
    return {};
  }

  Result<void> delete_one() {
    YUME_TRY(const FoundSession found, find());
    if (!arguments_.yes) {
      YUME_TRY(const bool sure, ask(found));
      if (!sure) return failed("nothing was deleted.");
    }
    // Held to the end: nobody may begin to write to what is going away.
    const auto lock = platform::open_append_file(
        {.path = found.file, .purpose = platform::OpenFor::appending, .judge_tail = [](auto) {
           return platform::Tail::whole;
         }});
    if (!lock.ok() && lock.error().code == ErrorCode::busy) {
      return failed("session " + found.id + " is in use: " + lock.error().message +
                    ". Wait for it to end, then delete it.");
    }
    if (const auto removed = remove(found); !removed) return removed.error();
    if (arguments_.json) {
      std::string line;
      JsonWriter(line).begin_object().field("deleted", found.id).end_object();
      out_.line(line);
    } else {
      out_.line("Deleted session " + found.id + ".");
    }
    return {};
  }

  // The file goes last: while it is there, the rest can be deleted again.
  [[nodiscard]] Result<void> remove(const FoundSession& found) const {
    if (!views_.empty()) {
      const auto forgotten = session::AliasBook(views_, clock_).forget(found.id);
      if (!forgotten) return forgotten.error();
      const auto unlisted = session::SessionIndex(views_, clock_).forget(found.id);
      if (!unlisted) return unlisted.error();
      const auto unseen = platform::remove_tree(views_ / (found.id + ".json"));
      if (!unseen) return unseen.error();
    }
    for (const fs::path& path : {session::session_folder(found.file), found.file}) {
      if (const auto removed = platform::remove_tree(path); !removed) return removed.error();
    }
    return {};
  }

  [[nodiscard]] Result<bool> ask(const FoundSession& found) const {
    if (!platform::is_terminal(platform::StandardStream::input)) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "nobody can be asked whether to delete session " + found.id +
                              "; add --yes to delete it unasked"};
    }
    const auto known = session::summarise({found}, index());
    const std::string title = known.empty() ? "" : " \"" + known.front().title + "\"";
    out_.bytes("Delete session " + found.id + title + " for good? [y/N] ");
    std::array<char, 256> buffer{};
    const auto read = platform::stdin_stream()->read(buffer, {});
    return read.ok() && *read > 0 && (buffer[0] == 'y' || buffer[0] == 'Y');
  }

  SessionsArguments arguments_;
  const platform::Environment& environment_;
  protocol::Output& out_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  platform::SystemClock clock_;
  fs::path views_;
  session::SessionStore store_;
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
