// SPDX-License-Identifier: MIT
#include "permissions/read_only.h"

#include "permissions/file_names.h"
#include "permissions/read_only_git.h"
#include "permissions/read_only_table.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

struct StepProof {
  std::vector<std::string> argv = {};  // to run
  std::vector<std::string> reads = {};
  bool uses_git = false;
  bool whole_directories = false;
};

bool among(const auto& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "-" is the input, which is a pipe or nothing.
void add_files(const std::vector<std::string>& words, std::vector<std::string>& out) {
  std::copy_if(words.begin(), words.end(), std::back_inserter(out),
               [](const std::string& word) { return word != "-"; });
}

std::optional<StepProof> prove_by_table(const std::vector<std::string>& argv) {
  const ReadOnlyProgram* program = find_read_only_program(argv.front());
  if (program == nullptr) return std::nullopt;
  const std::vector<std::string> rest(argv.begin() + 1, argv.end());
  // binutils reads more words from `@file`.
  const bool more_words = argv.front() == "strings" &&
                          std::any_of(rest.begin(), rest.end(),
                                      [](const std::string& one) { return one.starts_with('@'); });
  if (more_words) return std::nullopt;
  const auto sorted = sort_words(rest, program->flags, program->number_flags, program->flag_style);
  if (!sorted) return std::nullopt;
  StepProof proof{.argv = argv, .reads = sorted->files};
  std::vector<std::string> operands = sorted->operands;
  const bool lists_files = among(sorted->flags, "--files") || among(sorted->flags, "--type-list");
  switch (program->operands) {
    case Operands::none:
      if (!operands.empty()) return std::nullopt;
      break;
    case Operands::text:
      break;
    case Operands::one_file:
      if (operands.size() > 1) return std::nullopt;
      add_files(operands, proof.reads);
      break;
    case Operands::pattern_and_files:
      if (!sorted->has_pattern && !lists_files) {
        if (operands.empty()) return std::nullopt;
        operands.erase(operands.begin());
      }
      [[fallthrough]];
    case Operands::files:
      add_files(operands, proof.reads);
      break;
  }
  proof.whole_directories =
      program->whole_directories &&
      (argv.front() == "rg" || among(sorted->flags, "-r") || among(sorted->flags, "--recursive"));
  if (proof.whole_directories && proof.reads.empty()) proof.reads.emplace_back(".");
  return proof;
}

std::optional<StepProof> prove_date(const std::vector<std::string>& argv) {
  constexpr std::string_view k_flags =
      " -u -R -d: -I[=] -r@ --utc --universal --rfc-email --date: --iso-8601[=] --rfc-3339: "
      "--reference@ ";
  const auto sorted = sort_words({argv.begin() + 1, argv.end()}, k_flags, false);
  if (!sorted) return std::nullopt;
  const bool only_formats = std::all_of(sorted->operands.begin(), sorted->operands.end(),
                                        [](const std::string& one) { return one[0] == '+'; });
  if (!only_formats) return std::nullopt;
  return StepProof{.argv = argv, .reads = sorted->files};
}

// Its expressions are words of their own; of these the ones that neither write nor run anything.
std::optional<StepProof> prove_find(const std::vector<std::string>& argv) {
  constexpr std::array<std::string_view, 22> k_with_value = {
      "-name",  "-iname",   "-path",     "-ipath",    "-wholename", "-iwholename",
      "-regex", "-iregex",  "-type",     "-size",     "-mtime",     "-mmin",
      "-atime", "-ctime",   "-maxdepth", "-mindepth", "-perm",      "-user",
      "-group", "-newermt", "-printf",   "-regextype"};
  constexpr std::array<std::string_view, 21> k_alone = {
      "-print", "-print0", "-not",   "!",      "-o",     "-or",         "-a",
      "-and",   "(",       ")",      "-empty", "-prune", "-depth",      "-mount",
      "-xdev",  "-true",   "-false", "-ls",    "-quit",  "-executable", "-readable"};
  StepProof proof{.argv = argv};
  std::size_t at = 1;
  if (at < argv.size() && argv[at] == "-P") ++at;
  for (; at < argv.size() && !argv[at].starts_with('-') && argv[at] != "(" && argv[at] != "!";
       ++at) {
    proof.reads.push_back(argv[at]);
  }
  for (; at < argv.size(); ++at) {
    if (among(k_alone, argv[at])) continue;
    const bool file = argv[at] == "-newer";
    if ((!file && !among(k_with_value, argv[at])) || at + 1 == argv.size()) return std::nullopt;
    ++at;
    if (file) proof.reads.push_back(argv[at]);
  }
  if (proof.reads.empty()) proof.reads.emplace_back(".");
  return proof;
}

std::optional<StepProof> prove_jq(const std::vector<std::string>& argv) {
  constexpr std::string_view k_flags =
      " -a -c -C -e -j -M -n -r -R -s -S --ascii-output --color-output --compact-output "
      "--exit-status --indent: --join-output --monochrome-output --null-input --raw-input "
      "--raw-output --slurp --sort-keys --tab --unbuffered --seq ";
  const auto sorted = sort_words({argv.begin() + 1, argv.end()}, k_flags, false);
  if (!sorted || sorted->operands.empty()) return std::nullopt;
  const std::string& filter = sorted->operands.front();
  for (const std::string_view word : {"import", "include", "modulemeta", "env", "ENV"}) {
    if (filter.find(word) != std::string::npos) return std::nullopt;
  }
  StepProof proof{.argv = argv};
  add_files({sorted->operands.begin() + 1, sorted->operands.end()}, proof.reads);
  return proof;
}

// `sed -n '10,20p' FILE`: every other program of sed's could write or run something.
std::optional<StepProof> prove_sed(const std::vector<std::string>& argv) {
  if (argv.size() < 3 || argv.size() > 4 || argv[1] != "-n") return std::nullopt;
  const std::string& script = argv[2];
  if (!script.ends_with('p')) return std::nullopt;
  const std::string_view range = std::string_view(script).substr(0, script.size() - 1);
  const std::size_t comma = range.find(',');
  const auto is_line = [](std::string_view text) {
    return !text.empty() && text.size() < 10 &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::string_view last = comma == std::string_view::npos ? range : range.substr(comma + 1);
  if (!is_line(range.substr(0, comma)) || (!is_line(last) && last != "$")) return std::nullopt;
  StepProof proof{.argv = argv};
  if (argv.size() == 4) {
    if (argv[3].starts_with('-')) return std::nullopt;
    proof.reads.push_back(argv[3]);
  }
  return proof;
}

// `test -f FILE`
std::optional<StepProof> prove_test(const std::vector<std::string>& argv) {
  constexpr std::array<std::string_view, 9> k_checks = {"-e", "-f", "-d", "-s", "-r",
                                                        "-w", "-x", "-L", "-h"};
  if (argv.size() != 3 || !among(k_checks, argv[1])) return std::nullopt;
  return StepProof{.argv = argv, .reads = {argv[2]}};
}

std::optional<StepProof> prove_words(const std::vector<std::string>& argv) {
  const std::string& name = argv.front();
  if (name == "git") {
    auto words = prove_git(argv);
    if (!words) return std::nullopt;
    // `git diff /etc/passwd /dev/null` compares any two files, whatever the repository has.
    return StepProof{
        .argv = std::move(words->argv), .reads = std::move(words->operands), .uses_git = true};
  }
  if (name == "echo") return StepProof{.argv = argv};  // prints whatever it is given
  if (name == "find") return prove_find(argv);
  if (name == "date") return prove_date(argv);
  if (name == "jq") return prove_jq(argv);
  if (name == "sed") return prove_sed(argv);
  if (name == "test") return prove_test(argv);
  return prove_by_table(argv);
}

fs::path absolute(const std::string& word, const fs::path& cwd) {
  return with_parents_kept(cwd / path_from_utf8(word));
}

}  // namespace

std::optional<std::vector<fs::path>> files_read_by(const std::vector<std::string>& argv,
                                                   const fs::path& cwd) {
  if (argv.empty()) return std::nullopt;
  const auto proof = prove_words(argv);
  if (!proof || proof->uses_git) return std::nullopt;
  std::vector<fs::path> files;
  for (const std::string& word : proof->reads) files.push_back(absolute(word, cwd));
  return files;
}

std::optional<ProvenCommand> prove_read_only(std::string_view command, const fs::path& cwd) {
  auto steps = read_plain_command(command);
  if (!steps) return std::nullopt;
  ProvenCommand proven;
  fs::path at = cwd;
  bool moved = false;
  for (PlainStep& step : *steps) {
    if (step.argv.front() == "cd") {
      // Into a directory that may be read, and at the beginning only: then it is certain where the
      // other steps run.
      const bool first = step.joint == Joint::first;
      const bool plain = step.argv.size() == 2 && !step.argv[1].starts_with('-');
      if (!first || !plain || steps->size() < 2 || (*steps)[1].joint != Joint::and_then) {
        return std::nullopt;
      }
      at = absolute(step.argv[1], at);
      proven.reads.push_back(at);
      moved = true;
      continue;
    }
    auto proof = prove_words(step.argv);
    if (!proof) return std::nullopt;
    proven.uses_git |= proof->uses_git;
    if (proof->whole_directories) proven.whole_directories = true;
    for (const std::string& word : proof->reads) proven.reads.push_back(absolute(word, at));
    step.argv = std::move(proof->argv);
  }
  if (moved && proven.uses_git) return std::nullopt;
  proven.steps = *std::move(steps);
  return proven;
}

std::optional<ProvenFileChange> prove_file_change(std::string_view command, const fs::path& cwd) {
  struct Changer {
    std::string_view name;
    std::string_view flags;
  };
  constexpr std::array k_changers = {
      Changer{"mkdir", " -p -v --parents --verbose "},
      Changer{"touch", " -a -c -m --no-create "},
      Changer{"rmdir", " -p -v --parents --verbose --ignore-fail-on-non-empty "},
      Changer{"rm", " -f -r -R -v -d --force --recursive --verbose --dir "},
      Changer{"mv", " -f -n -v -u --force --no-clobber --verbose --update "},
      // Not -r: it writes through links that lie deep in the target.
      Changer{"cp", " -f -n -p -v -u --force --no-clobber --verbose --update "},
  };
  const auto steps = read_plain_command(command);
  if (!steps || steps->size() != 1) return std::nullopt;
  const std::vector<std::string>& argv = steps->front().argv;
  const auto* changer = std::find_if(k_changers.begin(), k_changers.end(),
                                     [&](const Changer& one) { return one.name == argv.front(); });
  if (changer == k_changers.end()) return std::nullopt;
  const auto sorted = sort_words({argv.begin() + 1, argv.end()}, changer->flags, false);
  if (!sorted || sorted->operands.empty()) return std::nullopt;
  ProvenFileChange change{.steps = *steps};
  for (const std::string& word : sorted->operands) {
    const bool source = changer->name == "cp" && &word != &sorted->operands.back();
    (source ? change.reads : change.writes).push_back(absolute(word, cwd));
    // What lands in a directory gets its name there.
    const bool copies = changer->name == "cp" || changer->name == "mv";
    if (copies && &word != &sorted->operands.back()) {
      change.writes.push_back(absolute(sorted->operands.back(), cwd) /
                              path_from_utf8(word).lexically_normal().filename());
    }
  }
  return change;
}

}  // namespace yume::permissions
