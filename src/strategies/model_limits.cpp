// SPDX-License-Identifier: MIT
#include "strategies/model_limits.h"

#include "gemini/model_answer.h"

#include <string>
#include <utility>

namespace yume::strategies {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t k_largest_answer = 64U << 10U;
constexpr std::chrono::hours k_fresh{24};
// A turn waits for this: rather no limits than a late start.
constexpr net::Deadlines k_deadlines{.connect = milliseconds(2'000),
                                     .first_byte = milliseconds(3'000),
                                     .idle = milliseconds(2'000),
                                     .total = milliseconds(5'000)};

class Collector final : public net::BodySink {
 public:
  bool on_head(const net::HttpHead& /*head*/) override { return true; }
  bool on_body(std::string_view bytes) override {
    body.append(bytes);
    return body.size() <= k_largest_answer;
  }

  std::string body;
};

std::optional<gemini::ModelInfo> refined(const gemini::ModelInfo& known, std::string_view answer) {
  const auto parsed = gemini::parse_model_answer(answer);
  if (!parsed.ok() || parsed->models.size() != 1) return std::nullopt;
  return gemini::refine(known, parsed->models.front());
}

std::optional<std::string> read_fresh(const fs::path& file, const LimitsDeps& deps) {
  const auto info = deps.files.info(file);
  if (!info.ok()) return std::nullopt;
  const platform::WallTime written{std::chrono::duration_cast<platform::WallTime::duration>(
      std::chrono::nanoseconds(info->modified_ns))};
  if (deps.clock.wall_now() - written > k_fresh) return std::nullopt;
  auto text = deps.files.read(file, k_largest_answer);
  return text.ok() ? std::optional(std::move(text).value()) : std::nullopt;
}

std::optional<std::string> ask(const std::string& url, const agent::Route& route,
                               const LimitsDeps& deps, const CancelToken& cancel) {
  net::HttpRequest request;
  request.method = "GET";
  request.url = url;
  request.headers = route.headers;
  request.secret_headers = route.credentials;
  request.deadlines = k_deadlines;
  Collector collector;
  const auto head = deps.transport.perform(request, collector, cancel);
  deps.log.write("models", "GET " + url + ": " +
                               (head.ok() ? std::to_string(head->status) : head.error().message));
  if (!head.ok() || head->status != 200) return std::nullopt;
  return std::move(collector.body);
}

}  // namespace

gemini::ModelInfo learn_limits(gemini::ModelInfo known, const agent::Route& route,
                               const fs::path& cache, const LimitsDeps& deps,
                               const CancelToken& cancel) {
  const auto url = route.endpoint.model_url(known.id);
  if (!url) return known;
  const fs::path file = cache.empty() ? fs::path() : cache / (known.id + ".json");
  if (!file.empty()) {
    if (const auto kept = read_fresh(file, deps)) {
      if (auto better = refined(known, *kept)) return *std::move(better);
    }
  }
  const auto answer = ask(*url, route, deps, cancel);
  auto better = answer ? refined(known, *answer) : std::nullopt;
  if (!better) return known;
  if (!file.empty() && deps.files.create_directories(cache).ok()) {
    (void)deps.files.replace(file, *answer);  // only a loss of time next time
  }
  return *std::move(better);
}

}  // namespace yume::strategies
