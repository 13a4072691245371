// SPDX-License-Identifier: MIT
// Glob and Grep beside ripgrep and find on one generated tree, in one run, alternating. Prints the
// best of each and their ratio, and fails when the results differ. See docs/benchmarks.md.
//
//   search_bench [--files 50000] [--rounds 7] [--keep DIR] [--only NAME]
#include "platform/clock.h"
#include "platform/file_system.h"
#include "support/temporary_directory.h"
#include "support/tool_world.h"
#include "tools/search_tools.h"

#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace yume::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Text like source code: words, punctuation, a needle now and then.
std::string make_text(std::mt19937& random, std::size_t size) {
  static const std::vector<std::string> k_words = {
      "return",  "const",   "value",    "std::string", "if",      "for",      "index",  "buffer",
      "request", "handler", "response", "count",       "void",    "template", "public", "static",
      "import",  "from",    "export",   "function",    "printf",  "0x1F",     "42",     "result",
      "error",   "message", "context",  "namespace",   "include", "vector",   "struct", "class"};
  std::string text;
  text.reserve(size + 100);
  while (text.size() < size) {
    const std::size_t words = 3 + random() % 8;
    text.append(random() % 8, ' ');
    for (std::size_t i = 0; i < words; ++i) {
      text += k_words[random() % k_words.size()];
      text += " (,;.=\t"[random() % 7];
    }
    if (random() % 4000 == 0) text += " needleInHaystack";
    if (random() % 5000 == 0) text += " TimeoutException";
    if (random() % 3000 == 0) text += " foo_" + std::to_string(random() % 100) + "(";
    text.push_back('\n');
  }
  return text;
}

void make_tree(const fs::path& root, std::size_t files) {
  static const std::vector<std::string> k_endings = {".ts", ".cpp", ".h", ".py", ".md"};
  std::mt19937 random(42);
  std::string ignore = "*.log\nbuild/\n/out\n!keep.log\n";
  for (std::size_t i = 0; i < files; ++i) {
    const fs::path directory =
        root / ("d" + std::to_string(i / 1000)) / ("e" + std::to_string(i / 20 % 50));
    if (i % 20 == 0) fs::create_directories(directory);
    const std::size_t size = 2000 + random() % 16'500;
    std::ofstream(directory / ("file" + std::to_string(i) + k_endings[random() % 5]))
        << make_text(random, size);
  }
  fs::create_directories(root / ".git");
  std::ofstream(root / ".gitignore") << ignore;
}

struct Scenario {
  std::string name;
  std::string tool;
  json input;
  std::string command;  // prints the names of the files found, for a reference to compare with
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// Of this process or of its finished children.
double cpu_milliseconds(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto in_ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return in_ms(usage.ru_utime) + in_ms(usage.ru_stime);
}

constexpr double k_bar = 1.2;  // times the other's wall time

constexpr std::size_t k_most_compared = 50'000;

class Bench {
 public:
  Bench(fs::path root, std::size_t rounds) : root_(std::move(root)), rounds_(rounds) {}

  bool run(const Scenario& scenario) {
    double ours = std::numeric_limits<double>::max();
    double theirs = ours;
    double our_cpu = ours;
    double their_cpu = ours;
    std::size_t found = 0;
    for (std::size_t i = 0; i < rounds_; ++i) {
      auto start = std::chrono::steady_clock::now();
      double cpu = cpu_milliseconds(RUSAGE_SELF);
      found = call(scenario).count;
      ours = std::min(ours, milliseconds_since(start));
      our_cpu = std::min(our_cpu, cpu_milliseconds(RUSAGE_SELF) - cpu);
      cpu = cpu_milliseconds(RUSAGE_CHILDREN);
      const std::string quiet = "cd " + root_.string() + " && " + scenario.command + " >/dev/null";
      start = std::chrono::steady_clock::now();
      if (std::system(quiet.c_str()) < 0) return false;
      theirs = std::min(theirs, milliseconds_since(start));
      their_cpu = std::min(their_cpu, cpu_milliseconds(RUSAGE_CHILDREN) - cpu);
    }
    const Lines expected = lines_of(scenario.command);
    // Too many to page through are only counted.
    const bool same =
        found == expected.size() && (found > k_most_compared || all_results(scenario) == expected);
    const char* verdict = ours > k_bar * theirs ? "  OVER THE BAR" : "";
    std::printf(
        "%-28s %8.1f ms %8.1f ms  ratio %.2f  CPU %.2f  results %zu%s%s\n", scenario.name.c_str(),
        ours, theirs, ours / theirs, our_cpu / their_cpu, found, verdict,
        same ? "" : (" DIFFER from the other's " + std::to_string(expected.size())).c_str());
    std::fflush(stdout);
    return same;
  }

 private:
  using Lines = std::multiset<std::string>;
  struct Found {
    std::size_t count = 0;             // all there are
    std::vector<std::string> results;  // those that are shown
  };

  // Everything there is to find, page by page; Glob, which shows the newest hundred only, directory
  // by directory.
  Lines all_results(Scenario scenario) {
    Lines all;
    const auto add = [&all](std::string text) {
      if (text.starts_with("./")) text.erase(0, 2);
      all.insert(std::move(text));
    };
    if (scenario.tool == "Glob") {
      for (const auto& entry : fs::recursive_directory_iterator(root_)) {
        if (!entry.is_directory() || entry.path().filename() == ".git") continue;
        scenario.input = {{"pattern", "./*.ts"}, {"path", entry.path().string()}};
        for (const std::string& name : call(scenario).results) add(name);
      }
      return all;
    }
    scenario.input["head_limit"] = 0;
    for (std::size_t before = all.size() + 1; before != all.size();) {
      before = all.size();
      scenario.input["offset"] = before;
      for (const std::string& result : call(scenario).results) add(result);
    }
    return all;
  }

  Found call(const Scenario& scenario) {
    const auto tool = scenario.tool == "Grep" ? tools::make_grep_tool() : tools::make_glob_tool();
    const tools::ToolContext context{.cwd = root_,
                                     .home = root_ / "nobody",
                                     .child_environment = {},
                                     .files = *files_,
                                     .processes = processes_,
                                     .clock = clock_,
                                     .memory = memory_,
                                     .cancel = {},
                                     .shell = shell_};
    tools::Plan plan = tool->plan(scenario.input, context);
    const auto outcome = std::get<tools::PlannedCall>(plan).run(context);
    Found found;
    if (const auto* files = std::get_if<core::FilesFound>(&outcome.details)) {
      found = {.count = files->total, .results = files->paths};
    } else if (const auto* matched = std::get_if<core::FilesMatched>(&outcome.details)) {
      found = {.count = matched->total, .results = matched->paths};
    } else if (const auto* counted = std::get_if<core::MatchesCounted>(&outcome.details)) {
      found = {.count = counted->matches, .results = split_lines(counted->lines)};
    } else if (const auto* lines = std::get_if<core::LinesMatched>(&outcome.details)) {
      found = {.count = lines->total_lines, .results = split_lines(lines->text)};
    }
    return found;
  }

  static std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream content(text);
    for (std::string line; std::getline(content, line);) lines.push_back(line);
    return lines;
  }

  Lines lines_of(const std::string& command) const {
    const std::string file = root_.string() + ".reference";
    const std::string noting = "cd " + root_.string() + " && " + command + " >" + file;
    Lines lines;
    if (std::system(noting.c_str()) < 0) return lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
      lines.insert(line.starts_with("./") ? line.substr(2) : line);
    }
    fs::remove(file);
    return lines;
  }

  fs::path root_;
  std::size_t rounds_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  platform::SystemClock clock_;
  tools::Shell shell_;
  ScriptedRunner processes_;
  tools::FileMemory memory_;
};

std::vector<Scenario> scenarios() {
  const auto lines = [](const std::string& name, const std::string& pattern, bool ignore_case) {
    return Scenario{
        .name = name,
        .tool = "Grep",
        .input = {{"pattern", pattern}, {"output_mode", "content"}, {"-i", ignore_case}},
        .command = std::string("rg -n --no-heading ") + (ignore_case ? "-i " : "") + "-e '" +
                   pattern + "'"};
  };
  return {lines("Grep literal", "needleInHaystack", false),
          lines("Grep inner literal", "[A-Za-z_]+Exception\\b", false),
          lines("Grep alternation", "(foo|bar)_\\w*\\(", false),
          lines("Grep one-byte literal", "[a-z]+_[0-9]{2}\\W", false),
          lines("Grep classes only", "[A-Z][a-z]+[A-Z]\\w+", false),
          lines("Grep engine alone", "^\\s+\\w+\\s\\w+\\s\\w+$", false),
          lines("Grep case-insensitive", "needleinhaystack", true),
          lines("Grep common word", "namespace", false),
          {.name = "Grep files_with_matches",
           .tool = "Grep",
           .input = {{"pattern", "namespace"}},
           .command = "rg -l namespace"},
          {.name = "Glob **/*.ts",
           .tool = "Glob",
           .input = {{"pattern", "**/*.ts"}},
           .command = "rg --files -g '**/*.ts'"},
          {.name = "Glob **/*.ts beside fdfind",
           .tool = "Glob",
           .input = {{"pattern", "**/*.ts"}},
           .command = "fdfind -e ts"},
          {.name = "Glob **/*.ts beside find",
           .tool = "Glob",
           .input = {{"pattern", "**/*.ts"}},
           .command = "find . -name '*.ts'"}};
}

int main_with(const std::vector<std::string>& args) {
  std::size_t files = 50'000;
  std::size_t rounds = 7;
  fs::path kept;
  std::string only;
  for (std::size_t i = 0; i + 1 < args.size(); i += 2) {
    if (args[i] == "--files") files = std::stoul(args[i + 1]);
    if (args[i] == "--rounds") rounds = std::stoul(args[i + 1]);
    if (args[i] == "--keep") kept = args[i + 1];
    if (args[i] == "--only") only = args[i + 1];
  }
  const TemporaryDirectory scratch;
  const fs::path root = kept.empty() ? scratch.path() / "tree" : kept;
  if (!fs::exists(root)) make_tree(root, files);
  std::printf("%-28s %11s %11s\n", "", "yume-cli", "reference");
  bool same = true;
  Bench bench(root, rounds);
  for (const Scenario& scenario : scenarios()) {
    if (scenario.name.find(only) == std::string::npos) continue;
    same = bench.run(scenario) && same;
  }
  return same ? 0 : 1;
}

}  // namespace
}  // namespace yume::test

int main(int argc, char** argv) {
  return yume::test::main_with(std::vector<std::string>(argv + 1, argv + argc));
}
