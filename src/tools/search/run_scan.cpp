// SPDX-License-Identifier: MIT
#include "tools/search/run_scan.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace yume::tools::search {
namespace {

constexpr std::size_t k_none = std::string_view::npos;

RunScan::Probe make_probe(const ByteRun& run, std::size_t place) {
  RunScan::Probe probe{.place = place};
  for (std::size_t byte = 0; byte < 128; ++byte) {
    if (!run[place][byte]) continue;
    std::uint8_t& row = probe.low[byte % 16];
    row = static_cast<std::uint8_t>(row | 1U << byte / 16);
  }
  for (std::size_t byte = 128; byte < 256; ++byte) {
    if (run[place][byte]) probe.beyond_ascii = 0x80;
  }
  return probe;
}

RunScan::Wanted make_wanted(ByteRun run) {
  std::vector<double> shares;
  for (const ByteSet& bytes : run) shares.push_back(frequency(bytes));
  const auto rarest = [&shares] {
    return static_cast<std::size_t>(std::min_element(shares.begin(), shares.end()) -
                                    shares.begin());
  };
  const std::size_t first = rarest();
  shares[first] = 2;  // more than any share, so that the second is another if there is one
  const std::size_t second = rarest();
  RunScan::Wanted wanted{
      .run = {}, .first = make_probe(run, first), .second = make_probe(run, second)};
  wanted.run = std::move(run);
  return wanted;
}

}  // namespace

RunScan::RunScan(std::vector<ByteRun> runs) {
  for (ByteRun& run : runs) {
    longest_ = std::max(longest_, run.size());
    wanted_.push_back(make_wanted(std::move(run)));
  }
}

bool RunScan::Wanted::is_at(const char* at) const {
  return std::all_of(run.begin(), run.end(), [&at](const ByteSet& bytes) {
    return bytes[static_cast<unsigned char>(*at++)];
  });
}

std::size_t RunScan::find_plainly(std::string_view text, std::size_t from) const {
  for (std::size_t at = from; at < text.size(); ++at) {
    for (const Wanted& wanted : wanted_) {
      if (text.size() - at < wanted.run.size()) continue;
      const std::size_t rarest = wanted.first.place;
      if (!wanted.run[rarest][static_cast<unsigned char>(text[at + rarest])]) continue;
      if (wanted.is_at(text.data() + at)) return at;
    }
  }
  return k_none;
}

#if defined(__x86_64__)
namespace {

#define YUME_AVX2 __attribute__((target("avx2,popcnt")))

constexpr std::size_t k_step = sizeof(__m256i);

bool has_avx2() {
  static const bool k_has =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  return k_has;
}

YUME_AVX2 inline __m256i load(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}

struct ProbeVectors {
  __m256i low;
  __m256i beyond_ascii;
};

YUME_AVX2 inline ProbeVectors vectors_of(const RunScan::Probe& probe) {
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(probe.low.data()));
  return {_mm256_broadcastsi128_si256(low),
          _mm256_set1_epi8(static_cast<char>(probe.beyond_ascii))};
}

// Zero where the byte is not in the probe's set.
YUME_AVX2 inline __m256i hits(__m256i bytes, const ProbeVectors& probe) {
  const __m256i bit_of_upper_half =
      _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64,
                       -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
  const __m256i in_ascii = _mm256_and_si256(_mm256_shuffle_epi8(probe.low, bytes),
                                            _mm256_shuffle_epi8(bit_of_upper_half, upper));
  return _mm256_or_si256(in_ascii, _mm256_and_si256(bytes, probe.beyond_ascii));
}

// Leaves `from` where it stopped when there was nothing, near the end of the text.
YUME_AVX2 std::size_t find_with_avx2(std::span<const RunScan::Wanted> all, std::size_t longest,
                                     std::string_view text, std::size_t& from) {
  std::array<ProbeVectors, 2 * RunScan::k_most_runs> probes;
  for (std::size_t n = 0; n < all.size(); ++n) {
    probes[2 * n] = vectors_of(all[n].first);
    probes[2 * n + 1] = vectors_of(all[n].second);
  }
  const __m256i zero = _mm256_setzero_si256();
  for (; from + longest + k_step <= text.size(); from += k_step) {
    const char* at = text.data() + from;
    std::size_t best = k_none;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const __m256i first = hits(load(at + all[n].first.place), probes[2 * n]);
      const __m256i second = hits(load(at + all[n].second.place), probes[2 * n + 1]);
      const __m256i misses =
          _mm256_or_si256(_mm256_cmpeq_epi8(first, zero), _mm256_cmpeq_epi8(second, zero));
      for (unsigned bits = ~static_cast<unsigned>(_mm256_movemask_epi8(misses)); bits != 0;
           bits &= bits - 1) {
        const auto place = static_cast<std::size_t>(std::countr_zero(bits));
        if (place >= best) break;
        if (all[n].is_at(at + place)) best = place;
      }
    }
    if (best != k_none) return from + best;
  }
  return k_none;
}

// Leaves `at` where it stopped, near the end of the text.
YUME_AVX2 std::size_t count_with_avx2(std::string_view text, std::size_t& at) {
  const __m256i newline = _mm256_set1_epi8('\n');
  std::size_t count = 0;
  for (; at + k_step <= text.size(); at += k_step) {
    const __m256i equal = _mm256_cmpeq_epi8(load(text.data() + at), newline);
    const auto bits = static_cast<unsigned>(_mm256_movemask_epi8(equal));
    count += static_cast<std::size_t>(__builtin_popcount(bits));
  }
  return count;
}

}  // namespace

std::size_t RunScan::find(std::string_view text, std::size_t from) const {
  if (has_avx2()) {
    const std::size_t found = find_with_avx2(wanted_, longest_, text, from);
    if (found != k_none) return found;
  }
  return find_plainly(text, from);
}

std::size_t count_newlines(std::string_view text) {
  std::size_t at = 0;
  const std::size_t count = has_avx2() ? count_with_avx2(text, at) : 0;
  text.remove_prefix(at);
  return count + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

#else

std::size_t RunScan::find(std::string_view text, std::size_t from) const {
  return find_plainly(text, from);
}

std::size_t count_newlines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

#endif

}  // namespace yume::tools::search
