// SPDX-License-Identifier: MIT
#include "permissions/read_only_table.h"

#include <algorithm>
#include <array>

namespace yume::permissions {
namespace {

constexpr std::array k_programs = {
    ReadOnlyProgram{"pwd", " -L -P ", Operands::none},
    ReadOnlyProgram{"true", " ", Operands::none},
    ReadOnlyProgram{"false", " ", Operands::none},
    ReadOnlyProgram{"whoami", " ", Operands::none},
    ReadOnlyProgram{"hostname", " -s ", Operands::none},
    ReadOnlyProgram{"nproc", " --all ", Operands::none},
    ReadOnlyProgram{"uname",
                    " -a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release "
                    "--kernel-version --machine --operating-system ",
                    Operands::none},
    ReadOnlyProgram{"id", " -u -g -G -n -r --user --group --groups --name --real ", Operands::text},
    ReadOnlyProgram{"which", " -a -s ", Operands::text},
    ReadOnlyProgram{"printf", " ", Operands::text},
    ReadOnlyProgram{"basename", " -a -s: -z --multiple --suffix: --zero ", Operands::text},
    ReadOnlyProgram{"dirname", " -z --zero ", Operands::text},
    ReadOnlyProgram{"seq", " -w -s: -f: --equal-width --separator: --format: ", Operands::text},
    ReadOnlyProgram{"tr",
                    " -d -s -c -C -t --delete --squeeze-repeats --complement --truncate-set1 ",
                    Operands::text},
    ReadOnlyProgram{
        "ls",
        " -a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t "
        "-u "
        "-U -v -x -X -Z -1 -I: -w: -T: --all --almost-all --author --block-size: --classify[=] "
        "--color[=] --directory --dereference --escape --file-type --format: --full-time "
        "--group-directories-first --hide: --hide-control-chars --human-readable --ignore: "
        "--ignore-backups --indicator-style: --inode --kibibytes --literal --no-group "
        "--numeric-uid-gid --quote-name --quoting-style: --recursive --reverse --si --size --sort: "
        "--time: --time-style: --width: --zero "},
    ReadOnlyProgram{"cat",
                    " -A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends "
                    "--number --squeeze-blank --show-tabs --show-nonprinting "},
    ReadOnlyProgram{"head", " -n: -c: -q -v -z --lines: --bytes: --quiet --silent --verbose ",
                    Operands::files, /*number_flags=*/true},
    ReadOnlyProgram{"tail", " -n: -c: -q -v -z --lines: --bytes: --quiet --silent --verbose ",
                    Operands::files, /*number_flags=*/true},
    ReadOnlyProgram{"wc", " -c -m -l -L -w --bytes --chars --lines --max-line-length --words "},
    ReadOnlyProgram{"stat",
                    " -L -f -t -c: --dereference --file-system --format: --printf: --terse "},
    ReadOnlyProgram{"du",
                    " -a -b -c -d: -h -H -k -m -s -S -t: -x -0 --all --apparent-size --bytes "
                    "--block-size: -B: --total --max-depth: --human-readable --exclude: "
                    "--one-file-system --separate-dirs --si --summarize --threshold: --time[=] "
                    "--inodes "},
    ReadOnlyProgram{"df",
                    " -a -B: -h -H -i -k -l -m -P -t: -T -x: --all --block-size: --human-readable "
                    "--inodes --local --output[=] --portability --print-type --si --total --type: "
                    "--exclude-type: "},
    ReadOnlyProgram{"file",
                    " -b -i -h -L -k -N -n -r -0 --brief --mime --mime-type --mime-encoding "
                    "--no-dereference --dereference --keep-going "},
    ReadOnlyProgram{
        "realpath",
        " -e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical "
        "--physical --quiet --strip --no-symlinks --zero --relative-to: "
        "--relative-base: "},
    ReadOnlyProgram{"readlink",
                    " -f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing "
                    "--canonicalize-missing --no-newline --quiet --silent --verbose --zero "},
    ReadOnlyProgram{"cmp",
                    " -b -i: -l -n: -s --print-bytes --ignore-initial: --verbose --bytes: "
                    "--quiet --silent "},
    ReadOnlyProgram{
        "diff",
        " -a -b -B -c -C: -d -e -E -i -n -N -p -q -s -t -T -u -U: -w -W: -y -Z --brief --color[=] "
        "--context[=] --expand-tabs --ignore-all-space --ignore-blank-lines --ignore-case "
        "--ignore-space-change --ignore-trailing-space --minimal --new-file --normal "
        "--report-identical-files --show-c-function --side-by-side --strip-trailing-cr "
        "--suppress-common-lines --text --unified[=] --width: --label: "},
    ReadOnlyProgram{"comm",
                    " -1 -2 -3 -z --check-order --nocheck-order --total "
                    "--output-delimiter: --zero-terminated "},
    ReadOnlyProgram{"cut",
                    " -b: -c: -d: -f: -s -z --bytes: --characters: --delimiter: --fields: "
                    "--complement --only-delimited --output-delimiter: --zero-terminated "},
    ReadOnlyProgram{"paste", " -d: -s -z --delimiters: --serial --zero-terminated "},
    ReadOnlyProgram{"column",
                    " -t -s: -o: -c: -x -n -L --table --separator: --output-separator: "
                    "--output-width: "},
    ReadOnlyProgram{
        "sort",
        " -b -c -C -d -f -g -h -i -k: -m -M -n -r -R -s -t: -u -V -z --check[=] --dictionary-order "
        "--field-separator: --general-numeric-sort --human-numeric-sort --ignore-case "
        "--ignore-leading-blanks --ignore-nonprinting --key: --merge --month-sort --numeric-sort "
        "--random-sort --reverse --sort: --stable --unique --version-sort --zero-terminated "},
    ReadOnlyProgram{"uniq",
                    " -c -d -D -f: -i -s: -u -w: -z --count --repeated --all-repeated[=] "
                    "--skip-fields: --group[=] --ignore-case --skip-chars: --unique "
                    "--check-chars: --zero-terminated ",
                    Operands::one_file},
    ReadOnlyProgram{"nl",
                    " -b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w: --body-numbering: "
                    "--number-format: --number-separator: --number-width: "},
    ReadOnlyProgram{"tac", " -b -r -s: --before --regex --separator: "},
    ReadOnlyProgram{"rev", " "},
    ReadOnlyProgram{"fold", " -b -s -w: --bytes --spaces --width: "},
    ReadOnlyProgram{"expand", " -i -t: --initial --tabs: "},
    ReadOnlyProgram{"od",
                    " -A: -t: -N: -j: -v -c -x -b -d -o --address-radix: --format: "
                    "--read-bytes: --skip-bytes: "},
    ReadOnlyProgram{"hexdump", " -C -b -c -d -n: -s: -v -x "},
    // `xxd -ps a b` writes b, whatever `-s` takes.
    ReadOnlyProgram{.name = "xxd",
                    .flags = " -b -c: -g: -i -l: -p -s: -u ",
                    .operands = Operands::one_file,
                    .flag_style = FlagStyle::single},
    ReadOnlyProgram{"strings", " -a -n: -t: -e: -f --all --bytes: --radix: --encoding: "},
    ReadOnlyProgram{"md5sum", " -b -t -z --binary --text --tag --zero "},
    ReadOnlyProgram{"sha1sum", " -b -t -z --binary --text --tag --zero "},
    ReadOnlyProgram{"sha224sum", " -b -t -z --binary --text --tag --zero "},
    ReadOnlyProgram{"sha256sum", " -b -t -z --binary --text --tag --zero "},
    ReadOnlyProgram{"sha384sum", " -b -t -z --binary --text --tag --zero "},
    ReadOnlyProgram{"sha512sum", " -b -t -z --binary --text --tag --zero "},
    ReadOnlyProgram{"b2sum", " -b -t -z -l: --binary --text --tag --zero --length: "},
    ReadOnlyProgram{"cksum", " --untagged --raw --base64 "},
    // `tree -Lo 2 x` writes x.
    ReadOnlyProgram{.name = "tree",
                    .flags = " -a -d -f -i -s -h -D -F -C -n -r -t -L: -P: -I: --noreport "
                             "--dirsfirst --sort[=] --du --prune --gitignore --matchdirs "
                             "--ignore-case --filelimit: ",
                    .flag_style = FlagStyle::single},
};

constexpr std::string_view k_grep =
    " -a -c -e! -E -F -G -h -H -i -I -l -L -m: -n -o -P -q -r -s -T -U -v -w -x -y -z -Z -A: -B: "
    "-C: --after-context: --basic-regexp --before-context: --binary-files: --byte-offset -b "
    "--color[=] --colour[=] --context: --count --exclude: --exclude-dir: --extended-regexp "
    "--files-with-matches --files-without-match --fixed-strings --ignore-case --include: "
    "--initial-tab --invert-match --label: --line-buffered --line-number --line-regexp "
    "--max-count: --no-filename --no-ignore-case --no-messages --null --null-data "
    "--only-matching --perl-regexp --quiet --recursive --regexp! --silent --text --with-filename "
    "--word-regexp ";

constexpr std::string_view k_rg =
    " -a -A: -B: -c -C: -d: -e! -F -g: -h -H -i -I -j: -l -m: -M: -n -N -o -p -P -q -r: -s -S -t: "
    "-T: -u -U -v -w -x -. -0 --after-context: --before-context: --block-buffered --byte-offset "
    "--case-sensitive --color: --colors: --column --context: --context-separator: --count "
    "--count-matches --crlf --debug --encoding: --files --files-with-matches "
    "--files-without-match --fixed-strings --glob: --glob-case-insensitive --heading --hidden "
    "--iglob: --ignore-case --include-zero --invert-match --json --line-buffered --line-number "
    "--line-regexp --max-columns: --max-columns-preview --max-count: --max-depth: --max-filesize: "
    "--multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore "
    "--no-ignore-dot --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages "
    "--no-require-git --null --null-data --one-file-system --only-matching --passthru --pcre2 "
    "--pretty --quiet --regexp! --replace: --smart-case --sort: --sortr: --stats --text --threads: "
    "--trim --type: --type-list --type-not: --unrestricted --vimgrep --with-filename "
    "--word-regexp ";

constexpr std::array k_searchers = {
    ReadOnlyProgram{"grep", k_grep, Operands::pattern_and_files, /*number_flags=*/true,
                    /*whole_directories=*/true},
    ReadOnlyProgram{"egrep", k_grep, Operands::pattern_and_files, /*number_flags=*/true,
                    /*whole_directories=*/true},
    ReadOnlyProgram{"fgrep", k_grep, Operands::pattern_and_files, /*number_flags=*/true,
                    /*whole_directories=*/true},
    ReadOnlyProgram{"rg", k_rg, Operands::pattern_and_files, /*number_flags=*/false,
                    /*whole_directories=*/true},
};

enum class FlagKind { unknown, plain, value, optional_value, file, pattern };

// The list is short, and read once a command.
FlagKind kind_of(std::string_view flags, const std::string& name) {
  const std::string wanted = " " + name;
  for (std::size_t at = flags.find(wanted); at != std::string_view::npos;
       at = flags.find(wanted, at + 1)) {
    const std::string_view rest = flags.substr(at + wanted.size());
    if (rest.starts_with(' ')) return FlagKind::plain;
    if (rest.starts_with(": ")) return FlagKind::value;
    if (rest.starts_with("[=] ")) return FlagKind::optional_value;
    if (rest.starts_with("@ ")) return FlagKind::file;
    if (rest.starts_with("! ")) return FlagKind::pattern;
  }
  return FlagKind::unknown;
}

class WordSorter {
 public:
  WordSorter(const std::vector<std::string>& words, std::string_view flags, bool number_flags,
             FlagStyle flag_style)
      : words_(words), flags_(flags), number_flags_(number_flags), flag_style_(flag_style) {}

  std::optional<SortedWords> sort() {
    for (at_ = 0; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        sorted_.operands.insert(sorted_.operands.end(),
                                words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                                words_.end());
        break;
      }
      const bool known = word.starts_with("--")                   ? take_long(word)
                         : word.size() > 1 && word.front() == '-' ? take_bundle(word)
                                                                  : take_operand(word);
      if (!known) return std::nullopt;
    }
    return std::move(sorted_);
  }

 private:
  bool take_operand(const std::string& word) {
    sorted_.operands.push_back(word);
    return true;
  }

  bool take_value(FlagKind kind, const std::string& value) {
    if (kind == FlagKind::file) sorted_.files.push_back(value);
    if (kind == FlagKind::pattern) sorted_.has_pattern = true;
    return true;
  }

  // Some programs want a value attached and would read the next word as a flag of its own: `git
  // diff -U --output=x` writes x. Only a number may begin with a dash.
  bool take_next(FlagKind kind) {
    if (at_ + 1 >= words_.size()) return false;
    const std::string& value = words_[++at_];
    const bool like_flag = value.size() > 1 && value.front() == '-' &&
                           value.find_first_not_of("0123456789", 1) != std::string::npos;
    return !like_flag && take_value(kind, value);
  }

  bool take_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const FlagKind kind = kind_of(flags_, name);
    sorted_.flags.push_back(name);
    switch (kind) {
      case FlagKind::unknown:
        return false;
      case FlagKind::plain:
        return equals == std::string::npos;
      case FlagKind::optional_value:
        return true;
      default:
        break;
    }
    return equals == std::string::npos ? take_next(kind)
                                       : take_value(kind, word.substr(equals + 1));
  }

  bool take_bundle(const std::string& word) {
    if (number_flags_ && word.find_first_not_of("0123456789", 1) == std::string::npos) return true;
    if (flag_style_ == FlagStyle::single && word.size() > 2) return false;
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = std::string("-") + word[i];
      const FlagKind kind = kind_of(flags_, name);
      if (kind == FlagKind::unknown) return false;
      sorted_.flags.push_back(name);
      if (kind == FlagKind::optional_value) return true;  // the rest of the word is its value
      if (kind == FlagKind::plain) continue;
      return i + 1 < word.size() ? take_value(kind, word.substr(i + 1)) : take_next(kind);
    }
    return true;
  }

  const std::vector<std::string>& words_;
  std::string_view flags_;
  bool number_flags_;
  FlagStyle flag_style_;
  std::size_t at_ = 0;
  SortedWords sorted_;
};

}  // namespace

const ReadOnlyProgram* find_read_only_program(std::string_view name) {
  const auto by_name = [name](const ReadOnlyProgram& one) { return one.name == name; };
  const auto* program = std::find_if(k_programs.begin(), k_programs.end(), by_name);
  if (program != k_programs.end()) return program;
  const auto* searcher = std::find_if(k_searchers.begin(), k_searchers.end(), by_name);
  return searcher != k_searchers.end() ? searcher : nullptr;
}

std::optional<SortedWords> sort_words(const std::vector<std::string>& words, std::string_view flags,
                                      bool number_flags, FlagStyle flag_style) {
  return WordSorter(words, flags, number_flags, flag_style).sort();
}

}  // namespace yume::permissions
