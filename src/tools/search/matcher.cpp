// SPDX-License-Identifier: MIT
#include "tools/search/matcher.h"

#include "tools/search/required_runs.h"
#include "tools/search/run_scan.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>
#include <utility>

namespace yume::tools::search {
namespace {

constexpr std::size_t k_longest_pattern = 16'384;
constexpr int k_largest_program = 50'000;
constexpr std::int64_t k_memory = 16 << 20;
// Of each byte of a text; more are not worth looking for.
constexpr double k_most_candidates = 0.15;
// Starting the engine for one line costs as much as it takes to go on for this many bytes.
constexpr std::ptrdiff_t k_cost_of_a_start = 200;
constexpr std::ptrdiff_t k_patience = 1000 * k_cost_of_a_start;
constexpr std::size_t k_pause = 1U << 20U;
constexpr std::size_t k_none = std::string_view::npos;

Error bad_pattern(std::string message) {
  return Error{.code = ErrorCode::invalid_argument, .message = std::move(message)};
}

// A `\n` that is not itself escaped: without multiline it could never match.
bool names_a_newline(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\n') return true;
    if (pattern[i] != '\\') continue;
    if (++i < pattern.size() && pattern[i] == 'n') return true;
  }
  return false;
}

RE2::Options engine_options(const MatcherOptions& options) {
  RE2::Options made;
  made.set_log_errors(false);
  made.set_case_sensitive(!options.ignore_case);
  made.set_never_nl(!options.multiline);
  made.set_max_mem(k_memory);
  return made;
}

}  // namespace

struct Matcher::Parts {
  Parts(const std::string& pattern, const RE2::Options& options) : engine(pattern, options) {}

  RE2 engine;
  // Where a match can be. Looking there first saves time, unless a text has candidates everywhere:
  // then the engine works alone for a while.
  std::optional<RunScan> runs;
  std::ptrdiff_t saved = k_patience;
  std::size_t paused = 0;        // for this many bytes
  std::size_t whole_length = 0;  // of the one string that is the whole pattern; 0 when it is not
};

Matcher::Matcher(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Matcher::Matcher(Matcher&& other) noexcept = default;
Matcher::~Matcher() = default;

Result<Matcher> Matcher::compile(std::string_view pattern, const MatcherOptions& options) {
  if (pattern.size() > k_longest_pattern) {
    return bad_pattern("regex parse error: the pattern is longer than 16,384 bytes");
  }
  if (!options.multiline && names_a_newline(pattern)) {
    return bad_pattern(
        "the literal \"\\n\" is not allowed in a regex\n\nConsider enabling multiline mode with "
        "multiline: true. When multiline mode is enabled, new line characters can be matched.");
  }
  const std::string flags = options.multiline ? "(?ms)" : "(?m)";
  auto parts = std::make_unique<Parts>(flags + std::string(pattern), engine_options(options));
  if (!parts->engine.ok()) {
    std::string why = parts->engine.error();
    if (const std::size_t at = why.find(flags); at != k_none) why.erase(at, flags.size());
    return bad_pattern("regex parse error:\n    " + std::string(pattern) + "\nerror: " + why);
  }
  // A slow match costs program size x text; this keeps the product within reason.
  if (parts->engine.ProgramSize() > k_largest_program) {
    return bad_pattern("regex parse error: the compiled pattern is too large; make it simpler");
  }
  if (!options.multiline) {
    RequiredRuns required =
        required_runs(pattern, options.ignore_case ? LetterCase::ignored : LetterCase::exact);
    if (required.is_whole) parts->whole_length = required.any_of.front().size();
    double expected = 0;
    for (const ByteRun& run : required.any_of) expected += frequency(run);
    if (required.is_whole || (expected > 0 && expected < k_most_candidates)) {
      parts->runs.emplace(std::move(required.any_of));
    }
  }
  return Matcher(std::move(parts));
}

std::optional<Match> Matcher::find_with_engine(std::string_view text, std::size_t from,
                                               std::size_t to) const {
  const re2::StringPiece piece(text.data(), text.size());
  re2::StringPiece found;
  if (!parts_->engine.Match(piece, from, to, RE2::UNANCHORED, &found, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  const bool in_the_void =
      begin == text.size() && (text.empty() || text.back() == '\n') && found.empty();
  if (in_the_void) return std::nullopt;
  return Match{.begin = begin, .end = begin + found.size()};
}

std::optional<Match> Matcher::find_by_runs(std::string_view text, std::size_t from) const {
  for (std::size_t at = from; at < text.size();) {
    const std::size_t candidate = parts_->runs->find(text, at);
    if (candidate == k_none) return std::nullopt;
    if (parts_->whole_length > 0) {
      return Match{.begin = candidate, .end = candidate + parts_->whole_length};
    }
    const std::size_t before = candidate == 0 ? k_none : text.rfind('\n', candidate - 1);
    const std::size_t line = before == k_none ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', candidate), text.size());
    const auto found = find_with_engine(text, std::max(line, at), end);
    const auto passed = static_cast<std::ptrdiff_t>(candidate - at);
    parts_->saved = std::min(parts_->saved + passed, k_patience);
    if (found) return found;
    at = end + 1;
    parts_->saved -= k_cost_of_a_start;
    if (parts_->saved < 0) {
      parts_->saved = k_patience;
      parts_->paused = k_pause;
      return find_alone(text, std::min(at, text.size()));
    }
  }
  return std::nullopt;
}

std::optional<Match> Matcher::find_alone(std::string_view text, std::size_t from) const {
  const auto found = find_with_engine(text, from, text.size());
  const std::size_t passed = (found ? found->end : text.size()) - from;
  parts_->paused -= std::min(parts_->paused, passed);
  return found;
}

std::optional<Match> Matcher::find(std::string_view text, std::size_t from) const {
  if (from > text.size()) return std::nullopt;
  if (parts_->runs && parts_->paused == 0) return find_by_runs(text, from);
  return find_alone(text, from);
}

}  // namespace yume::tools::search
