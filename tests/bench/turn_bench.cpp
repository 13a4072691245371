// SPDX-License-Identifier: MIT
// Measures yume-cli beside mini_client against a server on loopback, both in turn in the same run,
// and holds the results against the bars. See docs/benchmarks.md.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/bench.h"
#include "support/launcher.h"
#include "support/report.h"
#include "support/scenarios.h"

namespace yume::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_usage =
    "usage: turn_bench --binary YUME_CLI --mini MINI_CLIENT [--only a,c] [--quick]\n"
    "                  [--json FILE] [--dir SCRATCH]\n";

struct Arguments {
  fs::path binary;
  fs::path mini;
  fs::path directory;
  fs::path json;
  std::string only;  // letters; empty means all
  bool quick = false;
};

std::optional<Arguments> parse(const std::vector<std::string>& tokens) {
  Arguments arguments;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& name = tokens[i];
    if (name == "--quick") {
      arguments.quick = true;
      continue;
    }
    if (++i == tokens.size()) return std::nullopt;
    if (name == "--binary") {
      arguments.binary = fs::absolute(tokens[i]);
    } else if (name == "--mini") {
      arguments.mini = fs::absolute(tokens[i]);
    } else if (name == "--dir") {
      arguments.directory = fs::absolute(tokens[i]);
    } else if (name == "--json") {
      arguments.json = tokens[i];
    } else if (name == "--only") {
      arguments.only = tokens[i];
    } else {
      return std::nullopt;
    }
  }
  if (arguments.binary.empty() || arguments.mini.empty()) return std::nullopt;
  return arguments;
}

// A directory of its own, gone at the end.
class Scratch {
 public:
  explicit Scratch(const fs::path& parent) {
    std::string name = (parent / "turn-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = fs::canonical(name);
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Scenario {
  char letter;
  std::string_view name;
  std::function<std::vector<Row>(Bench&)> run;
};

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = {
      {'a', "short run", short_run},       {'b', "chunk latency", chunk_latency},
      {'c', "huge stream", huge_stream},   {'d', "tiny chunks", tiny_chunks},
      {'e', "Read loop", read_loop},       {'f', "Bash loop", bash_loop},
      {'g', "many at once", many_at_once}, {'h', "signals", signals},
      {'i', "HTTPS", https_run},
  };
  return all;
}

std::string load_text() {
  double load = 0;
  std::ifstream("/proc/loadavg") >> load;
  char text[64];
  std::snprintf(text, sizeof text, "%u cores, load %.1f", std::thread::hardware_concurrency(),
                load);
  return text;
}

int run(const Arguments& arguments, Launcher& launcher) {
  for (const fs::path& program : {arguments.binary, arguments.mini}) {
    if (::access(program.c_str(), X_OK) == 0) continue;
    std::fprintf(stderr, "cannot run %s\n", program.c_str());
    return 2;
  }
  const Scratch scratch(arguments.directory.empty() ? fs::temp_directory_path()
                                                    : arguments.directory);
  if (scratch.path().empty()) {
    std::fputs("cannot make a scratch directory\n", stderr);
    return 2;
  }
  Bench bench({.launcher = launcher,
               .binary = arguments.binary,
               .mini = arguments.mini,
               .scratch = scratch.path(),
               .quick = arguments.quick});
  std::printf("before: %s\n", load_text().c_str());
  std::vector<Row> rows;
  for (const Scenario& scenario : scenarios()) {
    if (!arguments.only.empty() && arguments.only.find(scenario.letter) == std::string::npos) {
      continue;
    }
    std::fprintf(stderr, "%c  %.*s ...\n", scenario.letter, static_cast<int>(scenario.name.size()),
                 scenario.name.data());
    for (Row& row : scenario.run(bench)) rows.push_back(std::move(row));
  }
  std::printf("after:  %s\n\n%s\nmedian (min..p90)\n", load_text().c_str(), table(rows).c_str());
  bool good = bench.failures().empty();
  for (const Row& row : rows) good = good && verdict(row) != Verdict::missed;
  for (const std::string& failure : bench.failures()) std::printf("FAILED %s\n", failure.c_str());
  for (const std::string& left : bench.left_out()) std::printf("left out %s\n", left.c_str());
  if (!arguments.json.empty()) {
    std::ofstream(arguments.json) << json_report(rows, bench.failures(), bench.left_out());
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace yume::bench

int main(int argc, char** argv) {
  // Before anything else is in memory.
  const auto launcher = yume::bench::Launcher::start();
  if (!launcher.ok()) {
    std::fprintf(stderr, "%s\n", launcher.error().message.c_str());
    return 2;
  }
  const auto arguments = yume::bench::parse({argv + 1, argv + argc});
  if (!arguments) {
    std::fwrite(yume::bench::k_usage.data(), 1, yume::bench::k_usage.size(), stderr);
    return 2;
  }
  return yume::bench::run(*arguments, *launcher.value());
}
