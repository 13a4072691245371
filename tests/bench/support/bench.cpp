// SPDX-License-Identifier: MIT
#include "bench.h"

#include <utility>

namespace yume::bench {
namespace {

std::vector<std::string> environment_in(const std::filesystem::path& scratch) {
  return {"PATH=/usr/local/bin:/usr/bin:/bin",
          "HOME=" + (scratch / "home").string(),
          "TMPDIR=" + (scratch / "tmp").string(),
          "LANG=C.UTF-8",
          "TZ=UTC",
          "GEMINI_API_KEY=bench"};
}

}  // namespace

std::vector<Who> order_of(std::size_t i) {
  return i % 2 == 0 ? std::vector{Who::yume, Who::mini} : std::vector{Who::mini, Who::yume};
}

Bench::Bench(Setup setup) : setup_(std::move(setup)) {
  for (const char* name : {"work", "home", "tmp"}) {
    std::filesystem::create_directories(setup_.scratch / name);
  }
}

std::vector<ProgramRun> Bench::run_all(Who who, const Job& job) {
  auto server = BenchServer::start(job.handler);
  if (!server.ok()) {
    fail(who, job.scenario, server.error().message);
    return {};
  }
  const std::string url = server.value()->base_url();
  RunPlan plan{.argv = {},
               .environment = environment_in(setup_.scratch),
               .cwd = work(),
               .copies = job.copies,
               .on_output = job.on_output};
  if (who == Who::yume) {
    plan.argv = {setup_.binary.string(),
                 "--provider",
                 "gemini",
                 "--model",
                 "gemini-3.8-flash",
                 "--cwd",
                 work().string(),
                 "--prompt",
                 "hi",
                 "--output-format",
                 "stream-json",
                 "--verbose",
                 "--api-base",
                 url};
  } else {
    plan.argv = {setup_.mini.string(), url, "hi"};
  }
  auto runs = run_programs(setup_.launcher, plan);
  if (!runs.ok()) {
    fail(who, job.scenario, runs.error().message);
    return {};
  }
  return std::move(runs).value();
}

std::vector<Measured> Bench::run(Who who, const Job& job) {
  std::vector<Measured> all;
  bool complete = true;
  for (ProgramRun& run : run_all(who, job)) {
    Transcript transcript = read_transcript(run);
    const std::string missing = missing_from(run, transcript, job.expected_text);
    if (!missing.empty()) {
      fail(who, job.scenario, missing);
      complete = false;
    }
    all.push_back({std::move(run), std::move(transcript)});
  }
  if (!complete) all.clear();
  return all;
}

std::optional<Measured> Bench::run_unchecked(Who who, const Job& job) {
  std::vector<ProgramRun> runs = run_all(who, job);
  if (runs.empty()) return std::nullopt;
  Transcript transcript = read_transcript(runs.front());
  return Measured{std::move(runs.front()), std::move(transcript)};
}

void Bench::fail(Who who, std::string_view scenario, const std::string& why) {
  const std::string name = who == Who::yume ? "yume-cli" : "mini_client";
  const std::string failure = std::string(scenario) + ": " + name + ": " + why;
  // The same failure in every repetition is said once.
  if (failures_.empty() || failures_.back() != failure) failures_.push_back(failure);
}

}  // namespace yume::bench
