// SPDX-License-Identifier: MIT
#include "bench.h"

#include <memory>
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

std::vector<std::string> Bench::arguments(Who who, const Job& job, const std::string& url) const {
  if (who == Who::mini) return {setup_.mini.string(), url, "hi"};
  std::vector<std::string> argv = {setup_.binary.string(),
                                   "--model",
                                   "gemini-3.8-flash",
                                   "--prompt",
                                   "hi",
                                   "--output-format",
                                   "stream-json",
                                   "--verbose",
                                   "--api-base",
                                   url,
                                   "--auth",
                                   "api-key"};
  if (job.dialect == Dialect::claude) {
    argv.emplace_back("-p");
  } else {
    argv.insert(argv.end(), {"--provider", "gemini", "--cwd", work().string()});
  }
  return argv;
}

std::vector<ProgramRun> Bench::run_all(Who who, const Job& job) {
  std::unique_ptr<BenchServer> server;
  std::string url = job.url;
  if (url.empty()) {
    auto started = BenchServer::start(job.handler);
    if (!started.ok()) {
      fail(who, job.scenario, started.error().message);
      return {};
    }
    server = std::move(started).value();
    url = server->base_url();
  }
  RunPlan plan{.argv = arguments(who, job, url),
               .environment = environment_in(setup_.scratch),
               .cwd = work(),
               .copies = job.copies,
               .on_output = job.on_output};
  plan.environment.insert(plan.environment.end(), job.environment.begin(), job.environment.end());
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

void Bench::leave_out(std::string_view scenario, const std::string& why) {
  left_out_.push_back(std::string(scenario) + ": " + why);
}

}  // namespace yume::bench
