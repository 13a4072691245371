// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/escaped_path.h"
#include "tools/path_guard.h"
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

using platform::FileKind;

constexpr std::size_t k_most_entries = 1000;

struct Listing {
  std::vector<std::string> names;  // directories with a slash, links with an at sign
  std::size_t passed_over = 0;
};

Result<Listing> list(const search::SearchRoot& root, const search::WalkSettings& settings,
                     const ToolContext& context) {
  YUME_TRY(const auto tree, context.files.open_tree(root.directory.real));
  YUME_TRY(const auto directory, tree->open_directory(""));
  YUME_TRY(const auto entries, directory->list());
  const search::IgnoreNodes rules = search::with_ignore_files_of(
      {.tree = *tree, .directory = *directory, .entries = entries, .path = ""}, settings.above,
      settings.global);
  Listing listing;
  for (const platform::DirectoryEntry& entry : entries) {
    const bool is_directory = entry.kind == FileKind::directory;
    if (search::is_visible(
            settings, rules.get(),
            {.path = entry.name, .name = entry.name, .is_directory = is_directory})) {
      const char* mark = is_directory ? "/" : entry.kind == FileKind::symlink ? "@" : "";
      listing.names.push_back(escaped_path(entry.name) + mark);
    } else {
      ++listing.passed_over;
    }
  }
  std::sort(listing.names.begin(), listing.names.end());
  return listing;
}

core::ToolOutcome show(Listing listing, const NamedFile& directory) {
  const std::size_t total = listing.names.size();
  const std::size_t shown = std::min(total, k_most_entries);
  core::ToolOutcome outcome;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) outcome.content.push_back('\n');
    outcome.content += listing.names[i];
  }
  if (shown == 0) outcome.content = "No entries found";
  if (shown < total) {
    outcome.content += "\n(Results are truncated: the first " + std::to_string(shown) + " of " +
                       std::to_string(total) + ".)";
  }
  if (listing.passed_over > 0) {
    outcome.content += "\n(" + std::to_string(listing.passed_over) +
                       " hidden or ignored, not shown; use Bash with ls -a to see all.)";
  }
  listing.names.resize(shown);
  outcome.details = core::DirectoryListed{
      .path = to_utf8(directory.given), .entries = std::move(listing.names), .total = total};
  return outcome;
}

core::ToolOutcome run(const NamedFile& named, search::WalkSettings settings,
                      const ToolContext& context) {
  auto found = search::find_root(named, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&found)) return std::move(*problem);
  const auto& root = std::get<search::SearchRoot>(found);
  if (!root.file.empty()) {
    return refused_input("Path is not a directory: " + to_utf8(named.given));
  }
  search::add_ignore_files(settings, root, context);
  auto listing = list(root, settings, context);
  if (!listing.ok()) return failed_running(listing.error().message);
  return show(std::move(listing).value(), root.directory);
}

class LsTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    const std::string path = args.optional_string("path").value_or("");
    const std::vector<std::string> ignored = args.optional_strings("ignore");
    if (auto problem = args.problems()) return *problem;
    search::WalkSettings settings;
    for (const std::string& glob : ignored) {
      if (auto added = settings.globs.add_override("!" + glob); !added.ok()) {
        return failed_running(added.error().message);
      }
    }
    auto named = resolve_path(path.empty() ? "." : path, context.cwd, context.home, context.files);
    if (!named.ok()) return refused_input(named.error().message);
    return PlannedCall{.action = core::ReadsFile{.path = named->real, .given = named->given},
                       .run = [named = *named, settings](const ToolContext& running) {
                         return run(named, settings, running);
                       }};
  }

 private:
  ToolSpec spec_{
      .name = "LS",
      .description = std::string(description_text("ls")),
      .input_schema =
          {R"({"type":"object","properties":{)"
           R"("path":{"type":"string","description":"Directory; default: the working directory"},)"
           R"("ignore":{"type":"array","description":"Globs of names to leave out",)"
           R"("items":{"type":"string"}}},)"
           R"("additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<Tool> make_ls_tool() {
  return std::make_unique<LsTool>();
}

}  // namespace yume::tools
