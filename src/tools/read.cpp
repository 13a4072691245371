// SPDX-License-Identifier: MIT
#include "core/media_header.h"
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/file_tools.h"
#include "tools/line_window.h"
#include "tools/path_guard.h"
#include "tools/read_special.h"
#include "tools/text_encoding.h"
#include "tools/text_file.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <vector>

namespace yume::tools {
namespace {

constexpr std::uint64_t k_whole_file_limit = 256U << 10U;
constexpr std::uint64_t k_furthest_scan = 4ULL << 30U;
constexpr std::size_t k_piece = 1U << 16U;

struct ReadInput {
  std::string path;  // as given
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> limit;
  std::optional<std::string> pages;
};

// What a walk over the file found.
struct Walk {
  LineWindow window;
  Encoding encoding = Encoding::utf8;
  bool to_the_end = false;
  bool beyond_reach = false;  // the window lies further on than is looked
  bool empty = true;
  ContentHash hash;
};

core::ToolOutcome warning(const std::string& text) {
  core::ToolOutcome outcome;
  outcome.content = "<system-reminder>Warning: " + text + "</system-reminder>";
  return outcome;
}

core::ToolOutcome too_large(std::uint64_t bytes) {
  return failed_running("File content (" + kilobytes_text(bytes) +
                        ") exceeds maximum allowed size (" + kilobytes_text(k_whole_file_limit) +
                        "). Use offset and limit parameters to read specific portions of the "
                        "file, or search for specific content with Grep.");
}

// Feeds the file to the window: to its end when it is small enough to be changed later, so that it
// is known as a whole, else only as far as needed.
class Walker {
 public:
  Walker(platform::OpenFile& file, const CancelToken& cancel, Walk& walk)
      : file_(file), cancel_(cancel), walk_(walk), utf16_(walk.encoding) {}

  Result<void> run(std::string_view beginning) {
    take(beginning);
    std::vector<char> buffer(k_piece);
    while (!walk_.window.is_full() || seen_ <= k_largest_text_file) {
      if (cancel_.stop_requested()) {
        return Error{.code = ErrorCode::cancelled, .message = "the user interrupted the turn"};
      }
      if (seen_ > k_furthest_scan) {
        walk_.beyond_reach = true;
        return {};
      }
      // Too large to be changed, and the window is full: the rest need not be seen.
      if (walk_.window.is_full() && file_.info().size > k_largest_text_file) return {};
      YUME_TRY(const std::size_t got, file_.read(buffer));
      if (got == 0) {
        finish();
        return {};
      }
      take({buffer.data(), got});
    }
    return {};
  }

 private:
  void take(std::string_view bytes) {
    if (seen_ <= k_largest_text_file) walk_.hash.add(bytes);
    const bool at_start = seen_ == 0;
    seen_ += bytes.size();
    if (walk_.encoding == Encoding::utf8) {
      if (at_start && bytes.starts_with(k_utf8_mark)) bytes.remove_prefix(k_utf8_mark.size());
      feed(bytes);
      return;
    }
    std::string text;
    utf16_.feed(bytes, text);
    feed(text);
  }

  void feed(std::string_view text) {
    walk_.empty = walk_.empty && text.empty();
    walk_.window.feed(text);
  }

  void finish() {
    std::string rest;
    if (walk_.encoding != Encoding::utf8) utf16_.finish(rest);
    feed(rest);
    walk_.window.finish();
    walk_.to_the_end = true;
  }

  platform::OpenFile& file_;
  const CancelToken& cancel_;
  Walk& walk_;
  Utf16Decoder utf16_;
  std::uint64_t seen_ = 0;
};

void add_note(core::ToolOutcome& outcome, const std::string& note) {
  if (!outcome.model_note.empty()) outcome.model_note += " ";
  outcome.model_note += note;
}

// Where to go on, for the model.
void note_the_rest(core::ToolOutcome& outcome, const Walk& walk, std::int64_t first) {
  const LineWindow& window = walk.window;
  const std::int64_t last = first + static_cast<std::int64_t>(window.lines().size()) - 1;
  if (window.is_line_cut()) {
    add_note(outcome, "Line " + std::to_string(first) +
                          " is very long; only its beginning is shown. See more of it with Grep "
                          "or with Bash, for example with cut or head -c.");
  }
  if (window.is_cut() && (!walk.to_the_end || last < window.seen())) {
    std::string shown = "Shown are lines " + std::to_string(first) + "-" + std::to_string(last);
    if (walk.to_the_end) shown += " of " + std::to_string(window.seen());
    add_note(outcome, shown + ", as many as fit. Go on with offset " + std::to_string(last + 1) +
                          " and a limit, or search with Grep.");
  } else if (!walk.to_the_end) {
    add_note(outcome, "The file goes on after line " + std::to_string(last) +
                          "; how many lines it has was not counted.");
  }
}

core::ToolOutcome show_lines(const std::string& path, const Walk& walk, std::int64_t first) {
  core::ToolOutcome outcome;
  std::string raw;
  bool unreadable = false;
  std::int64_t number = first;
  for (const std::string& bytes : walk.window.lines()) {
    const std::string line = to_valid_utf8(bytes);
    unreadable |= line != bytes;
    if (number > first) {
      outcome.content.push_back('\n');
      raw.push_back('\n');
    }
    outcome.content.append(std::to_string(number++)).append("\t").append(line);
    raw.append(line);
  }
  const bool has_return = raw.find('\r') != std::string::npos;
  outcome.details = core::FileRead{.path = path,
                                   .content = std::move(raw),
                                   .first_line = first,
                                   .line_count = number - first,
                                   .total_lines = walk.window.seen(),
                                   .is_cut = walk.window.is_cut()};
  note_the_rest(outcome, walk, first);
  if (unreadable) {
    add_note(outcome,
             "The file is not UTF-8: bytes that could not be read are shown as \uFFFD. "
             "Only ASCII text in it can be changed with Edit.");
  }
  if (walk.to_the_end && walk.window.seen() == 1 && has_return) {
    add_note(outcome,
             "Lines in this file end with CR alone; write them as plain line breaks in Edit.");
  }
  if (walk.encoding != Encoding::utf8) {
    add_note(outcome,
             "The file is UTF-16 and was decoded for reading; Edit and Write cannot "
             "change it.");
  }
  return outcome;
}

core::ToolOutcome read_text(const NamedFile& file, const ReadInput& input,
                            platform::OpenFile& source, std::string_view beginning,
                            const ToolContext& context) {
  const Encoding encoding = encoding_of(beginning);
  if (encoding == Encoding::binary) return refuse_binary(file);
  const std::uint64_t size = source.info().size;
  if (!input.limit && size > k_whole_file_limit) return too_large(size);
  const std::int64_t first = std::max<std::int64_t>(input.offset.value_or(1), 1);
  Walk walk{
      .window = LineWindow({.first = first, .count = input.limit, .max_bytes = k_most_shown_bytes}),
      .encoding = encoding,
      .to_the_end = false,
      .beyond_reach = false,
      .empty = true,
      .hash = {}};
  if (const auto walked = Walker(source, context.cancel, walk).run(beginning); !walked) {
    return failed_running(walked.error().message);
  }
  if (walk.to_the_end && size <= k_largest_text_file) context.memory.remember(file.real, walk.hash);
  if (walk.beyond_reach) {
    return failed_running("Line " + std::to_string(first) +
                          " lies more than 4 GB into the file. Use Bash to look at it, for example "
                          "with tail -c and head -c.");
  }
  if (walk.empty) return warning("the file exists but the contents are empty.");
  if (walk.window.lines().empty()) {
    return warning("the file exists but is shorter than the provided offset (" +
                   std::to_string(first) + "). The file has " + std::to_string(walk.window.seen()) +
                   " lines.");
  }
  return show_lines(input.path, walk, first);
}

// All of it, from where it was read so far.
Result<std::string> read_rest(platform::OpenFile& source, std::string_view beginning,
                              std::uint64_t most, const CancelToken& cancel) {
  std::string bytes(beginning);
  std::vector<char> buffer(k_piece);
  for (;;) {
    if (cancel.stop_requested()) {
      return Error{.code = ErrorCode::cancelled, .message = "the user interrupted the turn"};
    }
    YUME_TRY(const std::size_t got, source.read(buffer));
    if (got == 0) return bytes;
    bytes.append(buffer.data(), got);
    if (bytes.size() > most) {
      return Error{.code = ErrorCode::too_large, .message = "it grows while it is being read"};
    }
  }
}

core::ToolOutcome read_media(std::string_view type, const ReadInput& input,
                             platform::OpenFile& source, std::string_view beginning,
                             const ToolContext& context) {
  const std::uint64_t size = source.info().size;
  if (size > k_largest_media) {
    const bool pdf = type == "application/pdf";
    return failed_running(std::string(pdf ? "PDF" : "Image") + " file (" + kilobytes_text(size) +
                          ") exceeds the " + kilobytes_text(k_largest_media) +
                          " that can be sent to the model. " +
                          (pdf ? "Extract its text or some pages with Bash first, for example with "
                                 "pdftotext or qpdf."
                               : "Make it smaller with Bash first."));
  }
  const auto bytes = read_rest(source, beginning, k_largest_media, context.cancel);
  if (!bytes.ok()) return failed_running(bytes.error().message);
  if (const auto problem = core::media_problem(*bytes)) {
    return failed_running("The file begins like a file of type " + std::string(type) + ", but " +
                          std::string(*problem) + " (" + kilobytes_text(bytes->size()) +
                          "). It was not sent to you, because the server would refuse the whole "
                          "request. Look at it with Bash, for example with file or xxd.");
  }
  return show_media(type, *bytes, input.path, input.pages);
}

core::ToolOutcome run_read(const NamedFile& file, const ReadInput& input,
                           const ToolContext& context) {
  // Always the real path: what was judged is what is opened.
  const auto opened = context.files.open_real(file.real);
  if (!opened.ok()) return cannot_open(file, opened.error(), context);
  platform::OpenFile& source = **opened;
  std::array<char, k_piece> buffer;
  const auto got = source.read(buffer);
  if (!got.ok()) return failed_running(got.error().message);
  const std::string_view beginning(buffer.data(), *got);
  if (const auto type = core::media_type_of(beginning); !type.empty()) {
    return read_media(type, input, source, beginning, context);
  }
  const bool whole = !input.offset && !input.limit;
  if (whole && file.real.extension() == ".ipynb" && source.info().size <= k_largest_media) {
    const auto bytes = read_rest(source, beginning, k_largest_media, context.cancel);
    if (!bytes.ok()) return failed_running(bytes.error().message);
    if (auto shown = show_notebook(*bytes, input.path)) {
      context.memory.remember(file.real, *bytes);
      return *std::move(shown);
    }
    // Not a notebook after all: as text, from the start.
    const auto again = context.files.open_real(file.real);
    if (!again.ok()) return cannot_open(file, again.error(), context);
    return read_text(file, input, **again, "", context);
  }
  return read_text(file, input, source, beginning, context);
}

class ReadTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    ReadInput read;
    read.path = args.required_string("file_path");
    read.offset = args.optional_integer("offset");
    read.limit = args.optional_integer("limit");
    // Not offered, because the whole document is sent, but known to models from elsewhere.
    read.pages = args.optional_string("pages");
    if (auto problem = args.problems()) return *problem;
    if (read.limit && *read.limit <= 0) read.limit.reset();
    auto file = resolve_path(read.path, context.cwd, context.home, context.files);
    if (!file.ok()) return refused_input(file.error().message);
    return PlannedCall{.action = core::ReadsFile{.path = file->real, .given = file->given},
                       .run = [file = *file, read](const ToolContext& running) {
                         return run_read(file, read, running);
                       }};
  }

 private:
  ToolSpec spec_{
      .name = "Read",
      .description = std::string(description_text("read")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("file_path":{"type":"string","description":"The file to read"},)"
                       R"("offset":{"type":"integer","description":"First line, from 1"},)"
                       R"("limit":{"type":"integer","description":"How many lines"}},)"
                       R"("required":["file_path"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<Tool> make_read_tool() {
  return std::make_unique<ReadTool>();
}

}  // namespace yume::tools
