// SPDX-License-Identifier: MIT
#include "core/tool_details.h"

#include <concepts>
#include <type_traits>

namespace yume::core {
namespace {

// `One`, or the same to look at only.
template <class Self, class One>
concept Is = std::same_as<std::remove_const_t<Self>, One>;

// Hands out every text of what it is called with. One function for each alternative and none for
// all: a new kind of details fails to compile here.
template <class Take>
struct EachText {
  Take take;

  void operator()(Is<NoDetails> auto& /*none*/) const {}
  void operator()(Is<FileEdited> auto& edited) const {
    take(edited.path);
    in_replacement(edited.replacement);
    take(edited.before);
    in_patch(edited.patch);
  }
  void operator()(Is<FileEditedInSteps> auto& edited) const {
    take(edited.path);
    for (auto& one : edited.replacements) in_replacement(one);
    take(edited.before);
    in_patch(edited.patch);
  }
  void operator()(Is<FileWritten> auto& written) const {
    take(written.path);
    take(written.content);
    if (written.before) take(*written.before);
    in_patch(written.patch);
  }
  void operator()(Is<NotebookEdited> auto& edited) const {
    for (auto* text : {&edited.path, &edited.cell_id, &edited.cell_type, &edited.language,
                       &edited.new_source, &edited.old_source, &edited.before, &edited.after}) {
      take(*text);
    }
  }
  void operator()(Is<FileRead> auto& read) const {
    take(read.path);
    take(read.content);
  }
  void operator()(Is<ImageRead> auto& /*read*/) const {}
  void operator()(Is<PdfRead> auto& read) const { take(read.path); }
  void operator()(Is<NotebookRead> auto& read) const {
    take(read.path);
    for (auto& cell : read.cells) {
      for (auto* text : {&cell.id, &cell.type, &cell.source, &cell.language}) take(*text);
      for (auto& output : cell.outputs) {
        take(output.type);
        take(output.text);
      }
    }
  }
  void operator()(Is<CommandRan> auto& ran) const {
    take(ran.output);
    take(ran.note);
    if (ran.kept) take(ran.kept->path);
  }
  void operator()(Is<CommandStarted> auto& started) const { take(started.task_id); }
  void operator()(Is<FilesFound> auto& found) const { all(found.paths); }
  void operator()(Is<FilesMatched> auto& matched) const { all(matched.paths); }
  void operator()(Is<MatchesCounted> auto& counted) const { take(counted.lines); }
  void operator()(Is<LinesMatched> auto& matched) const { take(matched.text); }
  void operator()(Is<DirectoryListed> auto& listed) const {
    take(listed.path);
    all(listed.entries);
  }
  void operator()(Is<PageFetched> auto& fetched) const {
    take(fetched.url);
    take(fetched.status_text);
  }
  void operator()(Is<WebSearched> auto& searched) const {
    take(searched.query);
    take(searched.answer);
    for (auto& source : searched.sources) {
      take(source.title);
      take(source.url);
    }
  }
  void operator()(Is<TodosChanged> auto& changed) const {
    for (auto* list : {&changed.before, &changed.after}) {
      for (auto& todo : *list) {
        take(todo.content);
        take(todo.active_form);
      }
    }
  }
  void operator()(Is<PlanApproved> auto& approved) const { take(approved.plan); }
  void operator()(Is<QuestionsAnswered> auto& answered) const {
    take(answered.questions.text);
    take(answered.answers.text);
  }
  void operator()(Is<BlocksReturned> auto& returned) const {
    for (auto& block : returned.blocks) {
      if (auto* text = std::get_if<std::string>(&block)) take(*text);
    }
  }
  void operator()(Is<AgentFinished> auto& finished) const {
    take(finished.type);
    take(finished.prompt);
  }
  void operator()(Is<AgentLaunched> auto& launched) const {
    take(launched.description);
    take(launched.prompt);
    take(launched.output_file);
  }
  void operator()(Is<CallFailed> auto& failed) const { take(failed.text); }
  void operator()(Is<CallRejected> auto& /*rejected*/) const {}

 private:
  void in_replacement(auto& replacement) const {
    take(replacement.old_text);
    take(replacement.new_text);
  }
  void in_patch(auto& patch) const {
    for (auto& hunk : patch) all(hunk.lines);
  }
  void all(auto& texts) const {
    for (auto& text : texts) take(text);
  }
};
template <class Take>
EachText(Take) -> EachText<Take>;

}  // namespace

std::string header_of(const PatchHunk& hunk) {
  const auto range = [](std::int64_t start, std::int64_t lines) {
    return std::to_string(start) + "," + std::to_string(lines);
  };
  return "@@ -" + range(hunk.old_start, hunk.old_lines) + " +" +
         range(hunk.new_start, hunk.new_lines) + " @@";
}

void for_each_text(ToolDetails& details, const std::function<void(std::string&)>& look_at) {
  std::visit(EachText{[&](std::string& text) { look_at(text); }}, details);
}

std::size_t text_size(const ToolDetails& details) {
  std::size_t bytes = 0;
  std::visit(EachText{[&](const std::string& text) { bytes += text.size(); }}, details);
  return bytes;
}

}  // namespace yume::core
