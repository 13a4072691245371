// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/escaped_path.h"
#include "tools/path_guard.h"
#include "tools/search/grep_run.h"
#include "tools/search_tools.h"
#include "tools/text_file.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace yume::tools {
namespace {

using search::FileHits;
using search::GrepHits;
using search::Wanted;

constexpr std::int64_t k_usual_limit = 250;
constexpr std::int64_t k_most_context = 1000;
constexpr std::size_t k_most_results = 20'000;  // when the model asks for all
constexpr std::size_t k_most_content = 400'000;

struct GrepRequest {
  search::GrepQuery query;
  search::SearchRoot root;
  search::WalkSettings settings;
  std::optional<search::FileType> type;
  std::size_t offset = 0;
  std::size_t limit = 0;
};

// What of `total` results is shown.
struct Page {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool cut = false;
};

Page page_of(const GrepRequest& request, std::size_t total) {
  const std::size_t begin = std::min(request.offset, total);
  const std::size_t end = std::min(total, begin + request.limit);
  return {.begin = begin, .end = end, .cut = end < total};
}

void add_page_note(std::string& content, const GrepRequest& request, const Page& page) {
  if (!page.cut && request.offset == 0) return;
  content += "\n\n[Showing results with pagination = ";
  if (page.cut) content += "limit: " + std::to_string(request.limit);
  if (request.offset > 0) {
    content += std::string(page.cut ? ", " : "") + "offset: " + std::to_string(request.offset);
  }
  content += "]";
}

core::ShownPage shown_page(const GrepRequest& request, const Page& page) {
  return {.limit = page.cut ? std::optional(request.limit) : std::nullopt,
          .offset = request.offset};
}

core::ToolOutcome finish(std::string content, core::ToolDetails details, const GrepHits& hits) {
  core::ToolOutcome outcome;
  outcome.content = std::move(content);
  if (!hits.complete) outcome.content.append("\n\n").append(search::k_stopped_early);
  outcome.details = std::move(details);
  return outcome;
}

core::ToolOutcome show_files(GrepHits hits, const GrepRequest& request) {
  std::stable_sort(hits.files.begin(), hits.files.end(),
                   [](const FileHits& left, const FileHits& right) {
                     return left.modified_ns > right.modified_ns;
                   });
  const Page page = page_of(request, hits.files.size());
  std::string content = hits.files.empty()
                            ? "No files found"
                            : "Found " + search::counted(page.end - page.begin, "file");
  core::FilesMatched details{
      .paths = {}, .total = hits.files.size(), .page = shown_page(request, page)};
  for (std::size_t i = page.begin; i < page.end; ++i) {
    details.paths.push_back(escaped_path(request.root.prefix + hits.files[i].path));
    content.append("\n").append(details.paths.back());
  }
  add_page_note(content, request, page);
  return finish(std::move(content), std::move(details), hits);
}

core::ToolOutcome show_counts(const GrepHits& hits, const GrepRequest& request) {
  const Page page = page_of(request, hits.files.size());
  std::string lines;
  std::size_t matches = 0;
  for (std::size_t i = page.begin; i < page.end; ++i) {
    const FileHits& file = hits.files[i];
    if (!lines.empty()) lines.push_back('\n');
    lines +=
        escaped_path(request.root.prefix + file.path) + ":" + std::to_string(file.matching_lines);
    matches += file.matching_lines;
  }
  const std::size_t shown = page.end - page.begin;
  std::string content = shown == 0 ? "No matches found" : lines;
  content += "\n\nFound " + std::to_string(matches) + " total " +
             (matches == 1 ? "occurrence" : "occurrences") + " across " +
             search::counted(shown, "file") + ".";
  add_page_note(content, request, page);
  return finish(std::move(content),
                core::MatchesCounted{.lines = std::move(lines),
                                     .files = shown,
                                     .matches = matches,
                                     .page = shown_page(request, page)},
                hits);
}

// The lines of all files from `page.begin` on, until the page or the room for content is full.
std::vector<std::string_view> lines_of(const GrepHits& hits, bool grouped, Page& page) {
  std::vector<std::string_view> shown;
  std::size_t at = 0;
  std::size_t bytes = 0;
  const auto take = [&](std::string_view line) {
    if (at >= page.begin && at < page.end) {
      bytes += line.size() + 1;
      if (bytes > k_most_content) {
        page.end = at;
        page.cut = true;
        return;
      }
      shown.push_back(line);
    }
    ++at;
  };
  for (const FileHits& file : hits.files) {
    if (grouped && &file != &hits.files.front()) take("--");
    for (const std::string& line : file.lines) take(line);
    if (at >= page.end) break;
  }
  return shown;
}

core::ToolOutcome show_content(const GrepHits& hits, const GrepRequest& request) {
  const bool grouped = request.query.style.before + request.query.style.after > 0;
  std::size_t total = grouped && !hits.files.empty() ? hits.files.size() - 1 : 0;
  for (const FileHits& file : hits.files) total += file.line_count;
  Page page = page_of(request, total);
  const std::vector<std::string_view> lines = lines_of(hits, grouped, page);
  std::string text;
  for (const std::string_view& line : lines) {
    if (&line != &lines.front()) text.push_back('\n');
    text.append(line);
  }
  GrepRequest shown = request;
  if (page.cut) shown.limit = lines.size();
  std::string content = lines.empty() ? "No matches found" : text;
  add_page_note(content, shown, page);
  return finish(std::move(content),
                core::LinesMatched{.text = std::move(text),
                                   .lines = lines.size(),
                                   .total_lines = total,
                                   .page = shown_page(shown, page)},
                hits);
}

core::ToolOutcome run(GrepRequest request, const NamedFile& named, const ToolContext& context) {
  auto root = search::find_root(named, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&root)) return std::move(*problem);
  request.root = std::get<search::SearchRoot>(std::move(root));
  if (request.type) request.settings.type = &*request.type;
  auto hits = search::run_grep(request.query, request.root, request.settings, context);
  if (!hits.ok()) return failed_running(std::move(hits).error().message);
  if (context.cancel.stop_requested()) return failed_running("The search was interrupted.");
  switch (request.query.wanted) {
    case Wanted::whether:
      return show_files(std::move(hits).value(), request);
    case Wanted::count:
      return show_counts(*hits, request);
    case Wanted::lines:
      break;
  }
  return show_content(*hits, request);
}

// "*.ts,*.tsx" and "*.ts *.tsx" are two globs each; a comma in braces belongs to its glob.
std::vector<std::string> split_globs(std::string_view text) {
  std::vector<std::string> globs(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '{') ++depth;
    if (c == '}') --depth;
    const bool ends = c == ' ' || (c == ',' && depth <= 0);
    if (!ends) {
      globs.back().push_back(c);
    } else if (!globs.back().empty()) {
      globs.emplace_back();
    }
  }
  if (globs.back().empty()) globs.pop_back();
  return globs;
}

Result<void> choose_files(GrepRequest& request, const std::optional<std::string>& globs,
                          const std::optional<std::string>& type) {
  for (const std::string& glob : split_globs(globs.value_or(""))) {
    if (auto added = request.settings.globs.add_override(glob); !added.ok()) return added;
    request.settings.globs_choose |= !glob.starts_with('!');
  }
  if (!type || type->empty()) return {};
  request.type = search::find_file_type(*type);
  if (request.type) return {};
  return Error{.code = ErrorCode::invalid_argument,
               .message = "unrecognized file type: " + *type +
                          ". Use `glob` instead, for example \"*." + *type + "\"."};
}

std::optional<Wanted> wanted_by(std::string_view mode) {
  if (mode == "files_with_matches") return Wanted::whether;
  if (mode == "count") return Wanted::count;
  if (mode == "content") return Wanted::lines;
  return std::nullopt;
}

class GrepTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    GrepRequest request;
    request.query.pattern = args.required_string("pattern");
    const std::string path = args.optional_string("path").value_or("");
    const auto globs = args.optional_string("glob");
    const auto type = args.optional_string("type");
    const std::string mode = args.optional_string("output_mode").value_or("files_with_matches");
    read_style(args, request);
    request.query.options.ignore_case = args.optional_bool("-i", false);
    request.query.options.multiline = args.optional_bool("multiline", false);
    if (auto problem = args.problems()) return *problem;
    const auto wanted = wanted_by(mode);
    if (!wanted) {
      return refused_input(
          "InputValidationError: Grep failed due to the following issue:\nThe parameter "
          "`output_mode` must be one of content, files_with_matches, count");
    }
    request.query.wanted = *wanted;
    if (auto chosen = choose_files(request, globs, type); !chosen.ok()) {
      return failed_running(chosen.error().message);
    }
    auto named = resolve_path(path.empty() ? "." : path, context.cwd, context.home, context.files);
    if (!named.ok()) return refused_input(named.error().message);
    return PlannedCall{
        .action = core::ReadsFile{.path = named->real, .given = named->given},
        .run = [request = std::move(request), named = *named](const ToolContext& running) {
          return run(request, named, running);
        }};
  }

 private:
  static void read_style(ArgReader& args, GrepRequest& request) {
    const auto lines = [&args](const char* name) {
      const auto count = args.optional_integer(name);
      return count ? std::optional(std::clamp<std::int64_t>(*count, 0, k_most_context))
                   : std::nullopt;
    };
    const auto context_lines = lines("context");
    const auto around = lines("-C");
    const std::int64_t both = around.value_or(context_lines.value_or(0));
    search::LineStyle& style = request.query.style;
    style.before = static_cast<std::size_t>(lines("-B").value_or(both));
    style.after = static_cast<std::size_t>(lines("-A").value_or(both));
    style.numbers = args.optional_bool("-n", true);
    style.only_matching = args.optional_bool("-o", false);
    if (style.only_matching) style.before = style.after = 0;
    const std::int64_t limit = args.optional_integer("head_limit").value_or(k_usual_limit);
    const std::int64_t offset = args.optional_integer("offset").value_or(0);
    const auto most = static_cast<std::int64_t>(k_most_results);
    request.limit = limit <= 0 ? k_most_results : static_cast<std::size_t>(std::min(limit, most));
    request.offset = static_cast<std::size_t>(std::clamp<std::int64_t>(offset, 0, 1'000'000));
    style.most_lines = request.offset + request.limit;
  }

  ToolSpec spec_{
      .name = "Grep",
      .description = std::string(description_text("grep")),
      .input_schema =
          {R"({"type":"object","properties":{)"
           R"("pattern":{"type":"string","description":"Regular expression"},)"
           R"("path":{"type":"string","description":"File or directory; default: the working directory"},)"
           R"("glob":{"type":"string","description":"Only files that match, e.g. *.js or *.{ts,tsx}"},)"
           R"("type":{"type":"string","description":"Only files of this type, e.g. js, py, rust"},)"
           R"("output_mode":{"type":"string","description":"Default: files_with_matches",)"
           R"("enum":["content","files_with_matches","count"]},)"
           R"("-B":{"type":"integer","description":"Lines before each match"},)"
           R"("-A":{"type":"integer","description":"Lines after each match"},)"
           R"("-C":{"type":"integer","description":"Lines before and after each match"},)"
           R"("context":{"type":"integer","description":"The same as -C"},)"
           R"("-n":{"type":"boolean","description":"Line numbers; default true"},)"
           R"("-i":{"type":"boolean","description":"Ignore case"},)"
           R"("-o":{"type":"boolean","description":"Only the matching parts of lines"},)"
           R"("head_limit":{"type":"integer","description":"Most lines or files; default 250, 0 for all"},)"
           R"("offset":{"type":"integer","description":"Results to pass over"},)"
           R"("multiline":{"type":"boolean","description":"Matches may span lines"}},)"
           R"("required":["pattern"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<Tool> make_grep_tool() {
  return std::make_unique<GrepTool>();
}

}  // namespace yume::tools
