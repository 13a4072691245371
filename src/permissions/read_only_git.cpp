// SPDX-License-Identifier: MIT
#include "permissions/read_only_git.h"

#include "permissions/read_only_table.h"

#include <algorithm>
#include <array>

namespace yume::permissions {
namespace {

constexpr std::string_view k_diff_flags =
    " -a -b -B -C -D -M -p -R -s -u -U: -w -W -z --abbrev[=] --binary --cached --check --color[=] "
    "--color-words[=] --compact-summary --cumulative --diff-algorithm: --diff-filter: --dirstat[=] "
    "--exit-code --find-copies[=] --find-renames[=] --full-index --function-context --histogram "
    "--ignore-all-space --ignore-blank-lines --ignore-space-at-eol --ignore-space-change "
    "--inter-hunk-context: --merge-base --minimal --name-only --name-status --no-color "
    "--no-ext-diff --no-patch --no-prefix --no-renames --no-textconv --numstat --patch "
    "--patch-with-stat --patience --quiet --raw --relative[=] --shortstat --staged --stat[=] "
    "--summary --text --unified: --word-diff[=] ";

constexpr std::string_view k_log_flags =
    " -a -b -c -C -F -E -g -G: -i -L: -m -M -n: -p -P -s -S: -t -u -U: -w -z --abbrev[=] "
    "--abbrev-commit --after: --all --all-match --author: --author-date-order --before: --binary "
    "--boundary --branches[=] --cc --check --cherry --cherry-mark --cherry-pick --children "
    "--clear-decorations "
    "--color[=] --committer: --compact-summary --count --date: --date-order --decorate[=] "
    "--decorate-refs: --diff-filter: --dirstat[=] --encoding: --exclude: --extended-regexp "
    "--find-copies[=] --find-renames[=] --first-parent --fixed-strings --follow --format: "
    "--full-diff --full-history --graph --grep: --histogram --ignore-all-space "
    "--ignore-space-change --invert-grep --left-right --log-size --max-count: --max-parents: "
    "--merge --merges --min-parents: --name-only --name-status --no-abbrev-commit --no-color "
    "--no-decorate --no-ext-diff --no-merges --no-notes --no-patch --no-renames --no-textconv "
    "--no-walk[=] --not --notes[=] --numstat --oneline --parents --patch --patience --perl-regexp "
    "--pickaxe-all --pretty[=] --raw --regexp-ignore-case --relative-date --remotes[=] --reverse "
    "--right-only --left-only --shortstat --show-pulls --simplify-by-decoration --since: --skip: "
    "--source "
    "--stat[=] --summary --tags[=] --topo-order --unified: --until: --walk-reflogs --word-diff[=] ";

enum class Extra { none, no_textconv, no_programs };

struct Verb {
  std::string_view name;  // "log", or "stash list"
  std::string_view flags;
  bool operands = true;
  Extra extra = Extra::none;  // what is added so that no program of the repository runs
};

constexpr std::array k_verbs = {
    Verb{"status",
         " -s -b -u -v -z --short --branch --porcelain[=] --long --verbose --untracked-files[=] "
         "--ignored[=] --show-stash --ahead-behind --no-ahead-behind --no-renames --renames "},
    Verb{"diff", k_diff_flags, true, Extra::no_programs},
    Verb{"log", k_log_flags, true, Extra::no_programs},
    Verb{"show", k_log_flags, true, Extra::no_programs},
    Verb{"whatchanged", k_log_flags, true, Extra::no_programs},
    Verb{"diff-tree", k_diff_flags, true, Extra::no_programs},
    Verb{"stash list", k_log_flags, false, Extra::no_programs},
    Verb{"stash show", k_diff_flags, true, Extra::no_programs},
    Verb{"reflog", k_log_flags, false, Extra::no_programs},
    Verb{"reflog show", k_log_flags, true, Extra::no_programs},
    Verb{"shortlog",
         " -s -n -e -c --summary --numbered --email --committer --all --since: --until: "
         "--no-merges "},
    Verb{"rev-list",
         " -n: --all --count --max-count: --since: --until: --no-merges --merges "
         "--first-parent --reverse --abbrev-commit --author: --grep: --left-right "},
    Verb{"rev-parse",
         " -q --abbrev-ref[=] --absolute-git-dir --all --branches[=] --git-common-dir --git-dir "
         "--is-bare-repository --is-inside-git-dir --is-inside-work-tree --is-shallow-repository "
         "--quiet --remotes[=] --short[=] --show-cdup --show-prefix "
         "--show-superproject-working-tree "
         "--show-toplevel --symbolic --symbolic-full-name --tags[=] --verify "},
    Verb{"ls-files",
         " -c -d -i -k -m -o -s -t -u -v -x: -z --abbrev[=] --cached --deleted --directory "
         "--eol --error-unmatch --exclude: --exclude-standard --full-name --ignored --killed "
         "--modified --no-empty-directory --others --stage --unmerged "},
    Verb{"ls-tree",
         " -d -l -r -t -z --abbrev[=] --full-name --full-tree --long --name-only "
         "--name-status --object-only "},
    Verb{
        "blame",
        " -b -c -C -e -f -l -L: -M -n -p -s -t -w --abbrev[=] --color-by-age --color-lines --date: "
        "--first-parent --incremental --line-porcelain --porcelain --reverse --root --show-email "
        "--show-name --show-number --since: ",
        true, Extra::no_textconv},
    Verb{"describe",
         " --abbrev[=] --all --always --candidates: --contains --dirty[=] "
         "--exact-match --exclude: --first-parent --long --match: --tags "},
    Verb{"merge-base", " -a --all --fork-point --independent --is-ancestor --octopus "},
    Verb{"name-rev", " --all --always --name-only --refs: --tags "},
    Verb{"show-ref", " -d -q -s --dereference --hash[=] --head --heads --quiet --tags --verify "},
    Verb{"count-objects", " -v -H --verbose --human-readable ", false},
    Verb{"check-ignore", " -v -q -n --verbose --quiet --non-matching --no-index "},
    Verb{"cat-file", " -e -p -s -t "},
    Verb{"worktree list", " -v -z --porcelain --verbose ", false},
    Verb{"remote", " -v --verbose ", false},
    Verb{"remote get-url", " --all --push "},
    Verb{"branch",
         " -a -r -v -i --all --remotes --verbose --show-current --sort: --column[=] --no-column "
         "--color[=] --no-color --ignore-case --abbrev[=] ",
         false},
    Verb{"branch --list",
         " -a -r -v -i --all --remotes --verbose --contains[=] --merged[=] --no-merged[=] "
         "--points-at: --sort: --column[=] --no-column --color[=] --no-color --ignore-case "
         "--abbrev[=] "},
    Verb{"tag", " -n --column[=] --sort: --ignore-case ", false},
    Verb{"tag --list",
         " -n --column[=] --contains[=] --merged[=] --no-merged[=] --points-at: "
         "--sort: --ignore-case "},
    Verb{"branch --merged", " -a -r -v --all --remotes --verbose "},
    Verb{"branch --no-merged", " -a -r -v --all --remotes --verbose "},
    Verb{"branch --contains", " -a -r -v --all --remotes --verbose "},
    Verb{"config --get", " --all --global --local --system --show-origin --show-scope "},
    Verb{"config --list", " --global --local --system --show-origin --show-scope --name-only ",
         false},
    Verb{"grep",
         " -a -A: -B: -c -C: -e: -E -F -G -h -H -i -I -l -L -m: -n -o -p -P -q -v -w -W -z "
         "--after-context: --all-match --and --basic-regexp --before-context: --break --cached "
         "--color[=] --column --context: --count --extended-regexp --files-with-matches "
         "--files-without-match --fixed-strings --full-name --function-context --heading "
         "--ignore-case --invert-match --line-number --max-count: --max-depth: --name-only --not "
         "--only-matching --or --perl-regexp --quiet --show-function --text --untracked "
         "--word-regexp "},
    Verb{"--version", " ", false},
};

// Formats that make git run gpg.
bool checks_signatures(const std::string& word) {
  return word.find("%G") != std::string::npos || word.find("signature") != std::string::npos;
}

const Verb* find_verb(const std::vector<std::string>& words, std::size_t& length) {
  const auto by_name = [](std::string_view name) {
    const auto* found = std::find_if(k_verbs.begin(), k_verbs.end(),
                                     [name](const Verb& one) { return one.name == name; });
    return found == k_verbs.end() ? nullptr : found;
  };
  if (words.size() > 1) {
    std::string second = words[1];
    const bool lists = words[0] == "branch" || words[0] == "tag" || words[0] == "config";
    if (second == "-l" && lists) second = "--list";
    if (const Verb* verb = by_name(words[0] + " " + second)) {
      length = 2;
      return verb;
    }
  }
  length = 1;
  return words.empty() ? nullptr : by_name(words[0]);
}

}  // namespace

std::optional<ProvenGit> prove_git(const std::vector<std::string>& argv) {
  std::vector<std::string> words(argv.begin() + 1, argv.end());
  if (!words.empty() && words.front() == "--no-pager") words.erase(words.begin());
  std::size_t length = 0;
  const Verb* verb = find_verb(words, length);
  if (verb == nullptr) return std::nullopt;
  const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(length),
                                      words.end());
  const bool counts = verb->flags == k_log_flags || verb->name == "rev-list";
  const auto sorted = sort_words(rest, verb->flags, counts);
  if (!sorted || (!verb->operands && !sorted->operands.empty())) return std::nullopt;
  if (std::any_of(rest.begin(), rest.end(), checks_signatures)) return std::nullopt;
  // `git stash show` and others take an option of the shell of a hook: nothing to look at. What is
  // named behind a colon may be a file of an older commit, which rules find by its name.
  std::vector<std::string> out = {"git", "--no-pager"};
  out.insert(out.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(length));
  if (verb->extra == Extra::no_programs) out.insert(out.end(), {"--no-ext-diff", "--no-textconv"});
  if (verb->extra == Extra::no_textconv) out.push_back("--no-textconv");
  out.insert(out.end(), rest.begin(), rest.end());
  return ProvenGit{.argv = std::move(out), .operands = sorted->operands};
}

}  // namespace yume::permissions
