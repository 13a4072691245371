// SPDX-License-Identifier: MIT
// How long a long session takes to be asked on: from the start of the process to the head of its
// request, beside a program that only reads and parses the file (resume_reader), in one run,
// alternating. Fails when a bar is missed. See docs/benchmarks.md.
//
//   resume_bench --binary YUME_CLI --reader RESUME_READER [--megabytes 50] [--messages 20000]
//                [--rounds 7]
#include "support/bench_server.h"
#include "support/launcher.h"
#include "support/program_run.h"
#include "support/streams.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace yume::bench {
namespace {

namespace fs = std::filesystem;

constexpr double k_most_time = 3.0;    // times what the yardstick takes
constexpr double k_most_memory = 3.0;  // times the file's size
constexpr const char* k_id = "11111111-1111-4111-8111-111111111111";
constexpr std::size_t k_lines_a_round = 4;  // of messages: prompt, call, result, answer

struct Settings {
  fs::path binary;
  fs::path reader;
  std::size_t megabytes = 50;
  std::size_t messages = 20'000;
  std::size_t rounds = 7;
};

std::string uuid_of(std::size_t number) {
  char text[40];
  std::snprintf(text, sizeof text, "00000000-0000-4000-8000-%012zu", number);
  return text;
}

// The lines that yume-cli itself writes for a turn with one call.
class SessionWriter {
 public:
  SessionWriter(const fs::path& file, std::string cwd) : out_(file), cwd_(std::move(cwd)) {}

  void round(std::size_t number, const std::string& result, const std::string& text) {
    const std::string call = "call_gemini_" + std::to_string(number);
    const std::string first = "msg_" + std::to_string(number) + "a";
    const std::string second = "msg_" + std::to_string(number) + "b";
    line("user", R"({"role":"user","content":"Question )" + std::to_string(number) + "\"}", "");
    content(first,
            R"({"functionCall":{"name":"Read","args":{"file_path":"a.txt"}},)"
            R"("thoughtSignature":"U0lHTkFUVVJF"})",
            R"(,"calls":[{"id":")" + call + R"(","name":"Read"}])");
    reply(first, R"({"type":"tool_use","id":")" + call +
                     R"(","name":"Read","input":{"file_path":"a.txt"}})");
    line("user",
         R"({"role":"user","content":[{"type":"tool_result","tool_use_id":")" + call +
             R"(","content":")" + result + "\"}]}",
         R"(,"toolUseResult":{"type":"text"})");
    content(second, R"({"text":")" + text + "\"}", "");
    reply(second, R"({"type":"text","text":")" + text + "\"}");
  }

 private:
  void line(const std::string& type, const std::string& message, const std::string& more) {
    const std::string parent = written_ == 0 ? "null" : "\"" + uuid_of(written_) + "\"";
    ++written_;
    out_ << R"({"parentUuid":)" << parent << R"(,"isSidechain":false,"userType":"external","cwd":")"
         << cwd_ << R"(","sessionId":")" << k_id << R"(","version":"2.1.325","type":")" << type
         << R"(","message":)" << message << more << R"(,"uuid":")" << uuid_of(written_)
         << R"(","timestamp":"2026-01-02T03:04:05.000Z"})" << '\n';
  }
  void reply(const std::string& id, const std::string& block) {
    line("assistant",
         R"({"id":")" + id +
             R"(","type":"message","role":"assistant","model":"bench","content":[)" + block +
             R"(],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":20,)"
             R"("cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":3,)"
             R"("service_tier":"standard"}})",
         "");
  }
  void content(const std::string& id, const std::string& part, const std::string& more) {
    out_ << R"({"type":"gemini-content","sessionId":")" << k_id
         << R"(","timestamp":"2026-01-02T03:04:05.000Z","messageId":")" << id
         << R"(","role":"model","parts":[)" << part << "]" << more << "}\n";
  }

  std::ofstream out_;
  std::string cwd_;
  std::size_t written_ = 0;
};

void make_session(const fs::path& file, const std::string& cwd, const Settings& settings) {
  fs::create_directories(file.parent_path());
  const std::size_t rounds = settings.messages / k_lines_a_round;
  const std::size_t each = settings.megabytes * 1'000'000 / rounds;
  constexpr std::size_t k_frame = 2'100;  // of the six lines of a round
  const std::size_t text = each > k_frame ? each - k_frame : 0;
  const auto quoted = [](const std::string& plain) {
    std::string out;
    for (const char c : plain) {
      if (c == '\n') out += "\\n";
      if (c >= ' ' && c != '"' && c != '\\') out += c;
    }
    return out;
  };
  SessionWriter writer(file, cwd);
  for (std::size_t i = 0; i < rounds; ++i) {
    // The answer's text is there twice, as a host and as the server wants it.
    writer.round(i, quoted(make_file_text(text * 6 / 10, i)), quoted(make_file_text(text / 5, i)));
  }
}

struct Sample {
  double milliseconds = 0;
  double megabytes = 0;
};

class ResumeBench {
 public:
  ResumeBench(Launcher& launcher, Settings settings, fs::path scratch)
      : launcher_(launcher), settings_(std::move(settings)), scratch_(std::move(scratch)) {
    fs::create_directories(home() / ".yume");
    fs::create_directories(work());
    std::ofstream(home() / ".yume" / "settings.json")
        << R"({"models":[{"id":"bench","window":1000000000,"output":8192,"thinking":"none"}]})";
    make_session(original(), work().string(), settings_);
    size_mb_ = static_cast<double>(fs::file_size(original())) / 1e6;
  }

  int run() {
    auto server = BenchServer::start([this](Exchange& exchange) {
      {
        const std::lock_guard lock(mutex_);
        asked_ = exchange.request.head;
      }
      exchange.send(last_answer("done"));
    });
    if (!server.ok()) return complain(server.error().message);
    std::map<std::string, std::vector<Sample>> samples;
    for (std::size_t i = 0; i < settings_.rounds; ++i) {
      for (const char* who : {"yume-cli", "simdjson", "nlohmann"}) {
        const auto sample = std::string(who) == "yume-cli" ? ask((*server)->base_url()) : read(who);
        if (!sample) return 2;
        samples[who].push_back(*sample);
      }
    }
    return report(samples);
  }

 private:
  fs::path home() const { return scratch_ / "home"; }
  fs::path work() const { return scratch_ / "work"; }
  fs::path original() const { return scratch_ / "session.jsonl"; }

  fs::path session_file() const {
    std::string key = work().string();
    std::replace_if(
        key.begin(), key.end(),
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
    return home() / ".claude" / "projects" / key / (std::string(k_id) + ".jsonl");
  }

  static int complain(const std::string& what) {
    std::fprintf(stderr, "resume_bench: %s\n", what.c_str());
    return 2;
  }

  std::optional<ProgramRun> start(std::vector<std::string> argv) {
    auto runs =
        run_programs(launcher_, {.argv = std::move(argv),
                                 .environment = {"PATH=/usr/bin:/bin", "HOME=" + home().string(),
                                                 "LANG=C.UTF-8", "GEMINI_API_KEY=bench"},
                                 .cwd = work()});
    if (!runs.ok() || runs->front().status != 0) {
      complain(runs.ok() ? runs->front().output + runs->front().errors : runs.error().message);
      return std::nullopt;
    }
    return std::move(runs->front());
  }

  // Every run gets a file of its own: it adds to it.
  std::optional<Sample> ask(const std::string& url) {
    fs::create_directories(session_file().parent_path());
    fs::copy_file(original(), session_file(), fs::copy_options::overwrite_existing);
    asked_.reset();
    const auto run = start({settings_.binary.string(), "-p", "--model", "bench", "--api-base", url,
                            "--resume", k_id, "and now?"});
    if (!run) return std::nullopt;
    const std::lock_guard lock(mutex_);
    if (!asked_) {
      complain("no request came");
      return std::nullopt;
    }
    return Sample{milliseconds_between(run->spawned, *asked_), run->peak_rss_mb};
  }

  std::optional<Sample> read(const std::string& parser) {
    const auto run = start({settings_.reader.string(), parser, original().string()});
    if (!run) return std::nullopt;
    return Sample{milliseconds_between(run->spawned, run->exited), run->peak_rss_mb};
  }

  static Sample best(const std::vector<Sample>& samples) {
    Sample least = samples.front();
    for (const Sample& one : samples) {
      least.milliseconds = std::min(least.milliseconds, one.milliseconds);
      least.megabytes = std::min(least.megabytes, one.megabytes);
    }
    return least;
  }

  int report(const std::map<std::string, std::vector<Sample>>& samples) const {
    const Sample ours = best(samples.at("yume-cli"));
    std::printf("session of %.1f MB, %zu messages; best of %zu\n", size_mb_, settings_.messages,
                settings_.rounds);
    std::printf("%-34s %8.1f ms  %7.1f MB\n", "yume-cli --resume, to the request",
                ours.milliseconds, ours.megabytes);
    for (const char* parser : {"simdjson", "nlohmann"}) {
      const Sample yardstick = best(samples.at(parser));
      std::printf("%-34s %8.1f ms  %7.1f MB  ratio %.2f\n",
                  ("reading and parsing, " + std::string(parser)).c_str(), yardstick.milliseconds,
                  yardstick.megabytes, ours.milliseconds / yardstick.milliseconds);
    }
    const double time = ours.milliseconds / best(samples.at("simdjson")).milliseconds;
    const double memory = ours.megabytes / size_mb_;
    std::printf("time: %.2f x simdjson (bar %.1f)  memory: %.2f x the file (bar %.1f)\n", time,
                k_most_time, memory, k_most_memory);
    const bool met = time <= k_most_time && memory <= k_most_memory;
    std::printf("%s\n", met ? "met" : "missed");
    return met ? 0 : 1;
  }

  Launcher& launcher_;
  Settings settings_;
  fs::path scratch_;
  double size_mb_ = 0;
  std::mutex mutex_;  // asked_
  std::optional<Time> asked_;
};

std::optional<Settings> read_settings(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--binary") settings.binary = fs::absolute(value);
    if (name == "--reader") settings.reader = fs::absolute(value);
    if (name == "--megabytes") settings.megabytes = std::stoul(value);
    if (name == "--messages") settings.messages = std::stoul(value);
    if (name == "--rounds") settings.rounds = std::stoul(value);
  }
  if (argc % 2 == 0 || settings.binary.empty() || settings.reader.empty()) return std::nullopt;
  return settings;
}

}  // namespace
}  // namespace yume::bench

int main(int argc, char** argv) {
  using namespace yume::bench;
  auto launcher = Launcher::start();
  const auto settings = read_settings(argc, argv);
  if (!launcher.ok() || !settings) {
    std::fprintf(stderr,
                 "Usage: resume_bench --binary YUME_CLI --reader RESUME_READER "
                 "[--megabytes N] [--messages N] [--rounds N]\n");
    return 2;
  }
  std::string scratch = (std::filesystem::temp_directory_path() / "yume-resume-XXXXXX").string();
  if (::mkdtemp(scratch.data()) == nullptr) return 2;
  const int code = ResumeBench(**launcher, *settings, scratch).run();
  std::filesystem::remove_all(scratch);
  return code;
}
