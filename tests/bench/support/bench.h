// SPDX-License-Identifier: MIT
// What every scenario needs: the two programs, a scratch directory, and one run of either program
// against a server, checked for completeness. A run that is not complete is noted and its numbers
// are dropped: a fast wrong answer is no answer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench_server.h"
#include "launcher.h"
#include "program_run.h"
#include "transcript.h"

namespace yume::bench {

enum class Who { yume, mini };
enum class Dialect { yume, claude };  // of yume-cli; mini_client has only its own

// The order within repetition `i`: each program goes first as often as the other.
std::vector<Who> order_of(std::size_t i);

struct Measured {
  ProgramRun run;
  Transcript transcript;
};

class Bench {
 public:
  struct Setup {
    Launcher& launcher;
    std::filesystem::path binary;
    std::filesystem::path mini;
    std::filesystem::path scratch;
    bool quick = false;
  };

  // Makes the directories of the programs in `scratch`.
  explicit Bench(Setup setup);

  std::size_t repetitions(std::size_t usual, std::size_t quick) const {
    return setup_.quick ? quick : usual;
  }

  // The working directory of the programs.
  std::filesystem::path work() const { return setup_.scratch / "work"; }

  // A directory for files of the scenario.
  std::filesystem::path scratch(std::string_view name) const { return setup_.scratch / name; }

  struct Job {
    std::string_view scenario;  // for messages
    Handler handler = {};
    std::string_view expected_text = {};
    std::size_t copies = 1;
    OnOutput on_output = {};
    Dialect dialect = Dialect::yume;
    std::string url = {};  // a server that is already there; empty: one for `handler`
    std::vector<std::string> environment = {};  // besides the usual
  };

  // Runs it to the end; the handler is not called any more when this returns.
  // Empty when anything at all was missing from any copy.
  std::vector<Measured> run(Who who, const Job& job);

  // The same without the check, for runs that are interrupted on purpose.
  std::optional<Measured> run_unchecked(Who who, const Job& job);

  void fail(Who who, std::string_view scenario, const std::string& why);
  const std::vector<std::string>& failures() const { return failures_; }
  // For what this machine cannot measure; no failure.
  void leave_out(std::string_view scenario, const std::string& why);
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  std::vector<ProgramRun> run_all(Who who, const Job& job);
  std::vector<std::string> arguments(Who who, const Job& job, const std::string& url) const;

  Setup setup_;
  std::vector<std::string> failures_;
  std::vector<std::string> left_out_;
};

}  // namespace yume::bench
