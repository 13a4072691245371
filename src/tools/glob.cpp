// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/escaped_path.h"
#include "tools/path_guard.h"
#include "tools/search/glob_pattern.h"
#include "tools/search/search_root.h"
#include "tools/search/walker.h"
#include "tools/search_tools.h"
#include "tools/text_file.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace yume::tools {
namespace {

using search::SearchRoot;

constexpr std::size_t k_most_files = 100;
constexpr std::string_view k_wildcards = "*?[{\\";

// `src/**/*.ts` is searched for `**/*.ts` in src, and nowhere else.
struct SplitPattern {
  std::string directory;      // the components without wildcards; empty: none
  std::string rest;           // what is compared with paths below it
  bool at_any_depth = false;  // `*.ts`: a name, wherever it is
  bool names_hidden = false;  // `.github/*`: asks for what is usually passed over
};

SplitPattern split(std::string_view pattern) {
  SplitPattern made;
  made.at_any_depth = pattern.find('/') == std::string_view::npos;
  made.names_hidden =
      pattern.find("/.") != std::string_view::npos ||
      (pattern.starts_with('.') && !pattern.starts_with("./") && !pattern.starts_with("../"));
  const std::size_t wild = std::min(pattern.find_first_of(k_wildcards), pattern.size());
  const std::size_t slash = pattern.substr(0, wild).rfind('/');
  if (slash != std::string_view::npos) {
    made.directory = pattern.substr(0, slash == 0 ? 1 : slash);
    pattern.remove_prefix(slash + 1);
  }
  made.rest = pattern;
  return made;
}

struct FoundFile {
  std::string path;
  std::int64_t modified_ns = 0;
};

class GlobVisitor final : public search::FileVisitor {
 public:
  GlobVisitor(const search::GlobPattern& glob, bool at_any_depth, std::size_t workers)
      : glob_(glob), at_any_depth_(at_any_depth), found_(workers) {}

  void visit(std::size_t worker, const search::VisitedFile& file) override {
    if (!glob_.matches(at_any_depth_ ? file.name : file.path)) return;
    const auto info = file.directory.info(file.name);
    found_[worker].push_back({.path = file.path, .modified_ns = info.ok() ? info->modified_ns : 0});
  }

  // Oldest first.
  std::vector<FoundFile> take_all() {
    std::vector<FoundFile> all;
    for (auto& found : found_) std::move(found.begin(), found.end(), std::back_inserter(all));
    std::sort(all.begin(), all.end(), [](const FoundFile& left, const FoundFile& right) {
      if (left.modified_ns != right.modified_ns) return left.modified_ns < right.modified_ns;
      return search::path_less(left.path, right.path);
    });
    return all;
  }

 private:
  const search::GlobPattern& glob_;
  bool at_any_depth_;
  std::vector<std::vector<FoundFile>> found_;
};

struct GlobRequest {
  search::GlobPattern glob;
  SplitPattern pattern;
  NamedFile directory;
};

core::ToolOutcome show(const std::vector<FoundFile>& found, const std::string& prefix,
                       bool complete, std::chrono::nanoseconds time) {
  // The newest are the likelier ones to be meant.
  const std::size_t first = found.size() > k_most_files ? found.size() - k_most_files : 0;
  core::ToolOutcome outcome;
  core::FilesFound details{.paths = {},
                           .total = found.size(),
                           .is_complete = complete,
                           .took = std::chrono::duration_cast<std::chrono::milliseconds>(time)};
  for (std::size_t i = first; i < found.size(); ++i) {
    details.paths.push_back(escaped_path(prefix + found[i].path));
    if (i > first) outcome.content.push_back('\n');
    outcome.content += details.paths.back();
  }
  if (found.empty()) outcome.content = "No files found";
  if (first > 0) {
    outcome.content += "\n(Results are truncated: the newest " + std::to_string(k_most_files) +
                       " of " + std::to_string(found.size()) +
                       ". Consider using a more specific path or pattern.)";
  }
  if (!complete) outcome.content.append("\n").append(search::k_stopped_early);
  outcome.details = std::move(details);
  return outcome;
}

core::ToolOutcome run(const GlobRequest& request, const ToolContext& context) {
  const platform::SteadyTime started = context.clock.steady_now();
  auto found_root = search::find_root(request.directory, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&found_root)) {
    // A directory that only the pattern names is one more way not to match.
    return request.pattern.directory.empty()
               ? std::move(*problem)
               : show({}, "", true, context.clock.steady_now() - started);
  }
  const SearchRoot root = std::get<SearchRoot>(std::move(found_root));
  if (!root.file.empty()) {
    return refused_input("Path is not a directory: " + to_utf8(request.directory.given));
  }
  search::WalkSettings settings;
  settings.threads = search::usual_threads();
  if (request.pattern.names_hidden) settings.hidden = search::HiddenNames::visit;
  search::add_ignore_files(settings, root, context);
  const auto tree = context.files.open_tree(root.directory.real);
  if (!tree.ok()) return failed_running(tree.error().message);
  const search::Budget budget(context.clock, search::k_longest_search, context.cancel);
  GlobVisitor visitor(request.glob, request.pattern.at_any_depth, settings.threads);
  const bool complete = search::walk(**tree, settings, budget, visitor);
  if (context.cancel.stop_requested()) return failed_running("The search was interrupted.");
  return show(visitor.take_all(), root.prefix, complete, context.clock.steady_now() - started);
}

class GlobTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    const std::string pattern = args.required_string("pattern");
    const std::string path = args.optional_string("path").value_or("");
    if (auto problem = args.problems()) return *problem;
    SplitPattern parts = split(pattern);
    auto glob = search::GlobPattern::compile(parts.rest, search::Braces::alternatives);
    if (!glob.ok()) return failed_running(glob.error().message);
    auto directory =
        resolve_path(path.empty() ? "." : path, context.cwd, context.home, context.files);
    if (directory.ok() && !parts.directory.empty()) {
      directory = resolve_path(parts.directory, directory->given, context.home, context.files);
    }
    if (!directory.ok()) return refused_input(directory.error().message);
    GlobRequest request{
        .glob = std::move(glob).value(), .pattern = std::move(parts), .directory = *directory};
    return PlannedCall{
        .action = core::ReadsFile{.path = directory->real, .given = directory->given},
        .run = [request = std::move(request)](const ToolContext& running) {
          return run(request, running);
        }};
  }

 private:
  ToolSpec spec_{
      .name = "Glob",
      .description = std::string(description_text("glob")),
      .input_schema =
          {R"({"type":"object","properties":{)"
           R"("pattern":{"type":"string","description":"Glob, e.g. **/*.ts or src/**/*.{c,h}"},)"
           R"("path":{"type":"string","description":"Directory; default: the working directory"}},)"
           R"("required":["pattern"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<Tool> make_glob_tool() {
  return std::make_unique<GlobTool>();
}

}  // namespace yume::tools
