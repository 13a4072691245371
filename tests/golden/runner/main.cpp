// SPDX-License-Identifier: MIT
// golden_runner: runs the folders of tests/golden against the built program and compares all that
// can be seen from outside with their expect/ (docs/golden-tests.md).
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "golden/runner/case_file.h"
#include "golden/runner/case_run.h"
#include "golden/runner/expectation.h"
#include "golden/runner/invariants.h"
#include "golden/runner/standard_values.h"

namespace {

namespace fs = std::filesystem;
using namespace yume::golden;

constexpr const char* k_usage =
    "usage: golden_runner --cases DIR --binary PATH [--filter SUBSTR] [--update] [--repeat N]\n"
    "                     [--jobs N] [--list] [--env NAME=VALUE]... [--actual DIR]\n"
    "                     [--windows DIR] [--emulator WORD]... [--without FILE]\n";

enum class Mode { compare, update, list, write };

struct Options {
  fs::path cases;
  Target target;
  std::string filter;
  Mode mode = Mode::compare;
  int repeat = 1;
  int jobs = 2;
  std::map<std::string, std::string> environment = {};  // for cases that do not say it themselves
  std::map<std::string, std::string> left_out = {};     // cases that are not run, and why
  fs::path actual;                                      // where to write what came
};

struct Report {
  std::string name;
  std::vector<std::string> failures = {};
  bool updated = false;
  std::string skipped = {};  // why
  std::chrono::milliseconds took{};
};

int positive(const std::string& text) {
  std::size_t used = 0;
  const int value = std::stoi(text, &used);
  if (used != text.size() || value < 1) throw std::invalid_argument(text);
  return value;
}

// Lines "case: why"; those that begin with # and empty ones say nothing.
std::map<std::string, std::string> read_left_out(const fs::path& file) {
  std::ifstream lines(file);
  if (!lines) throw std::invalid_argument("cannot read " + file.string());
  std::map<std::string, std::string> left_out;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) throw std::invalid_argument(file.string() + ": " + line);
    left_out[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return left_out;
}

// Nullopt when the command line makes no sense.
std::optional<Options> parse(std::deque<std::string> args) {
  Options options;
  while (!args.empty()) {
    const std::string flag = args.front();
    args.pop_front();
    if (flag == "--update" || flag == "--list") {
      options.mode = flag == "--update" ? Mode::update : Mode::list;
      continue;
    }
    if (args.empty()) return std::nullopt;
    const std::string value = args.front();
    args.pop_front();
    if (flag == "--cases") {
      options.cases = fs::absolute(value);
    } else if (flag == "--binary") {
      options.target.binary = fs::absolute(value);
    } else if (flag == "--windows") {
      options.target.platform = Platform::windows;
      options.target.helpers = fs::absolute(value);
    } else if (flag == "--filter") {
      options.filter = value;
    } else if (flag == "--repeat") {
      options.repeat = positive(value);
    } else if (flag == "--jobs") {
      options.jobs = positive(value);
    } else if (flag == "--env") {
      const std::size_t sign = value.find('=');
      if (sign == std::string::npos) return std::nullopt;
      options.environment[value.substr(0, sign)] = value.substr(sign + 1);
    } else if (flag == "--emulator") {
      options.target.emulator.push_back(value);
    } else if (flag == "--without") {
      options.left_out = read_left_out(value);
    } else if (flag == "--actual") {
      options.mode = Mode::write;
      options.actual = fs::absolute(value);
    } else {
      return std::nullopt;
    }
  }
  if (options.cases.empty() || (options.target.binary.empty() && options.mode != Mode::list)) {
    return std::nullopt;
  }
  return options;
}

// Nullopt when its case.json is broken, which its own run reports.
std::optional<GoldenCase> readable_case(const fs::path& folder, const Options& options) {
  try {
    return load_case(options.cases, folder);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::vector<Literal> values_of(const GoldenCase& golden, const Options& options) {
  std::vector<Literal> values;
  try {
    const FileTree tree = actual_tree(golden, run_case(golden, options.target), {});
    for (const StandardValue value : golden.defines) {
      for (Literal& literal : literals_of(value, tree)) values.push_back(std::move(literal));
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(golden.name + " cannot define values: " + error.what());
  }
  return values;
}

// The standard values as this binary has them: the cases that define some are run once for that,
// whatever the filter says. So a new tool fails only them, and not every case that lists the tools.
std::vector<Literal> find_standard_values(const std::vector<fs::path>& folders,
                                          const Options& options) {
  std::vector<Literal> values;
  std::set<StandardValue> known;
  for (const fs::path& folder : folders) {
    const auto golden = readable_case(folder, options);
    if (!golden || golden->defines.empty()) continue;
    for (const StandardValue value : golden->defines) {
      if (known.insert(value).second) continue;
      throw std::runtime_error(golden->name + " defines what another case defines already");
    }
    for (Literal& literal : values_of(*golden, options)) values.push_back(std::move(literal));
  }
  return values;
}

void judge(const GoldenCase& golden, const Observation& seen, const std::vector<Literal>& values,
           const Options& options, Report& report) {
  report.failures = seen.problems;
  if (seen.exit != golden.exit) {
    report.failures.push_back("exit: expected " + golden.exit + ", came " + seen.exit);
  }
  if (stdout_name(golden) == "stdout.ndjson") {
    for (std::string& broken : broken_invariants(seen.stdout_text)) {
      report.failures.push_back(std::move(broken));
    }
  }
  const fs::path expect = golden.folder / "expect";
  FileTree expected = read_tree(expect);
  std::erase_if(expected, [](const auto& file) {  // an empty stdout or stderr may be kept or not
    return file.second.bytes.empty() && file.first.starts_with("std");
  });
  if (options.target.platform == Platform::windows) expected = without_modes(std::move(expected));
  const FileTree actual = actual_tree(golden, seen, values);
  if (options.mode == Mode::write) {
    write_tree(options.actual / golden.name, actual);
    return;
  }
  std::vector<std::string> different = differences(expected, actual);
  if (different.empty()) return;
  // A run that went wrong is no example: then even an update only shows what came.
  if (options.mode == Mode::update && report.failures.empty()) {
    fs::remove_all(expect);
    write_tree(expect, actual);
    report.updated = true;
    return;
  }
  for (std::string& difference : different) report.failures.push_back(std::move(difference));
}

std::string why_skipped(const GoldenCase& golden, const Options& options) {
  const auto left_out = options.left_out.find(golden.name);
  if (left_out != options.left_out.end()) return left_out->second;
  const Target& target = options.target;
  const std::string here = name_of(target.platform);
  const bool meant =
      golden.platforms.empty() ||
      std::find(golden.platforms.begin(), golden.platforms.end(), here) != golden.platforms.end();
  if (!meant) return golden.why;
  const bool walled = !golden.needs_sandbox || can_wall_commands(target);
  return walled ? "" : "this system has no sandbox for commands";
}

Report run_one(const fs::path& folder, const Options& options, const std::vector<Literal>& values) {
  const auto begin = std::chrono::steady_clock::now();
  Report report{.name = folder.lexically_relative(options.cases).generic_string()};
  try {
    GoldenCase golden = load_case(options.cases, folder);
    golden.environment.insert(options.environment.begin(), options.environment.end());
    report.skipped = why_skipped(golden, options);
    if (report.skipped.empty()) {
      judge(golden, run_case(golden, options.target), values, options, report);
    }
  } catch (const std::exception& error) {
    report.failures.push_back(error.what());
  }
  report.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return report;
}

std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += "    " + line + "\n";
  return out;
}

void print(const Report& report) {
  if (!report.skipped.empty()) {
    std::cout << "skip " << report.name << ": " << report.skipped << "\n";
    return;
  }
  const char* verdict = !report.failures.empty() ? "FAIL " : report.updated ? "new  " : "ok   ";
  std::cout << verdict << report.name << " (" << report.took.count() << " ms)\n";
  for (const std::string& failure : report.failures) std::cout << indented(failure);
  std::cout << std::flush;
}

// Runs every folder `repeat` times on `jobs` threads; the reports come in the order of completion.
std::vector<Report> run_all(const std::vector<fs::path>& folders, const Options& options,
                            const std::vector<Literal>& values) {
  std::mutex mutex;
  std::size_t next = 0;
  const std::size_t total =
      folders.size() * static_cast<std::size_t>(options.mode == Mode::update ? 1 : options.repeat);
  std::vector<Report> reports;
  const auto work = [&] {
    while (true) {
      std::size_t index = 0;
      {
        const std::lock_guard lock(mutex);
        if (next == total) return;
        index = next++;
      }
      Report report = run_one(folders[index % folders.size()], options, values);
      const std::lock_guard lock(mutex);
      print(report);
      reports.push_back(std::move(report));
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < options.jobs; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  return reports;
}

int run(const Options& options) {
  const std::vector<fs::path> all = find_cases(options.cases);
  std::vector<fs::path> folders = all;
  std::erase_if(folders, [&](const fs::path& folder) {
    return folder.lexically_relative(options.cases).generic_string().find(options.filter) ==
           std::string::npos;
  });
  if (options.mode == Mode::list) {
    for (const fs::path& folder : folders) {
      std::cout << folder.lexically_relative(options.cases).generic_string() << "\n";
    }
    return 0;
  }
  if (folders.empty()) {
    std::cerr << "golden_runner: no case matches\n";
    return 2;
  }
  const std::vector<Report> reports = run_all(folders, options, find_standard_values(all, options));
  std::vector<std::string> failed;
  std::map<std::string, std::size_t> skipped;
  for (const Report& report : reports) {
    if (!report.failures.empty()) failed.push_back(report.name);
    if (!report.skipped.empty()) ++skipped[report.skipped];
  }
  for (const auto& [why, count] : skipped) std::cout << "skipped " << count << ": " << why << "\n";
  if (!failed.empty()) std::cout << "\nfailed:\n";
  for (const std::string& name : failed) std::cout << "  " << name << "\n";
  std::size_t left_out = 0;
  for (const auto& [why, count] : skipped) left_out += count;
  std::cout << "golden transcripts (" << name_of(options.target.platform)
            << "): " << reports.size() - failed.size() - left_out << " passed, " << left_out
            << " skipped, " << failed.size() << " failed\n";
  return failed.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a child that closes its stdin is the case's business, not ours
  try {
    const auto options = parse({argv + 1, argv + argc});
    if (!options) {
      std::cerr << k_usage;
      return 2;
    }
    return run(*options);
  } catch (const std::exception& error) {
    std::cerr << "golden_runner: " << error.what() << "\n";
    return 2;
  }
}
