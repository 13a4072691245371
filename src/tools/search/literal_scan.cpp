// SPDX-License-Identifier: MIT
#include "tools/search/literal_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace yume::tools::search {
namespace {

constexpr std::size_t k_none = std::string_view::npos;

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

char folded(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// How common a byte is in source text: the higher, the more common. Only the order matters.
std::size_t commonness(char c) {
  constexpr std::string_view k_rare_to_common =
      "ZQXJKYzqjxVWHGUk7986543BFMDLwRvPyNOIA2C10ETSbgf"
      "\"_'pm=;,ul.hd()cioasnrt\ne ";
  const std::size_t rank = k_rare_to_common.find(c);
  return rank == k_none ? 0 : rank + 1;
}

}  // namespace

LiteralScan::LiteralScan(std::vector<std::string> needles, LetterCase letter_case)
    : needles_(std::move(needles)), letter_case_(letter_case) {
  for (const std::string& needle : needles_) {
    Probe probe;
    for (std::size_t i = 1; i < needle.size(); ++i) {
      if (commonness(needle[i]) < commonness(needle[probe.first])) probe.first = i;
    }
    probe.second = probe.first == 0 ? needle.size() - 1 : 0;
    for (std::size_t i = 0; i < needle.size(); ++i) {
      if (i != probe.first && commonness(needle[i]) < commonness(needle[probe.second])) {
        probe.second = i;
      }
    }
    probes_.push_back(probe);
    longest_ = std::max(longest_, needle.size());
  }
}

bool LiteralScan::is_at(const std::string& needle, const char* at) const {
  if (letter_case_ == LetterCase::exact) return std::memcmp(needle.data(), at, needle.size()) == 0;
  return std::equal(needle.begin(), needle.end(), at,
                    [](char wanted, char c) { return wanted == folded(c); });
}

std::size_t LiteralScan::find_slowly(std::string_view text, std::size_t from) const {
  for (std::size_t at = from; at < text.size(); ++at) {
    for (const std::string& needle : needles_) {
      if (text.size() - at >= needle.size() && is_at(needle, text.data() + at)) return at;
    }
  }
  return k_none;
}

#if defined(__SSE2__)

// Leaves `from` where it stopped when there was nothing, near the end of the text.
std::size_t LiteralScan::find_fast(std::string_view text, std::size_t& from) const {
  struct Vectors {
    __m128i first;
    __m128i second;
    __m128i first_mask;
    __m128i second_mask;
  };
  std::array<Vectors, k_most_needles> vectors;
  const std::size_t count = needles_.size();
  const auto mask_for = [this](char c) {
    return static_cast<char>(letter_case_ == LetterCase::ascii_folded && is_lower(c) ? 0x20 : 0);
  };
  for (std::size_t n = 0; n < count; ++n) {
    const char first = needles_[n][probes_[n].first];
    const char second = needles_[n][probes_[n].second];
    vectors[n] = {_mm_set1_epi8(first), _mm_set1_epi8(second), _mm_set1_epi8(mask_for(first)),
                  _mm_set1_epi8(mask_for(second))};
  }
  const auto load = [](const char* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  };
  constexpr std::size_t k_step = sizeof(__m128i);
  for (; from + longest_ + k_step <= text.size(); from += k_step) {
    const char* at = text.data() + from;
    std::size_t best = k_none;
    for (std::size_t n = 0; n < count; ++n) {
      const Vectors& v = vectors[n];
      const __m128i first =
          _mm_cmpeq_epi8(_mm_or_si128(load(at + probes_[n].first), v.first_mask), v.first);
      const __m128i second =
          _mm_cmpeq_epi8(_mm_or_si128(load(at + probes_[n].second), v.second_mask), v.second);
      auto bits = static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(first, second)));
      for (; bits != 0; bits &= bits - 1) {
        const auto place = static_cast<std::size_t>(std::countr_zero(bits));
        if (place >= best) break;
        if (is_at(needles_[n], at + place)) best = place;
      }
    }
    if (best != k_none) return from + best;
  }
  return k_none;
}

std::size_t count_newlines(std::string_view text) {
  constexpr std::size_t k_step = sizeof(__m128i);
  const __m128i newline = _mm_set1_epi8('\n');
  std::size_t count = 0;
  std::size_t at = 0;
  for (; at + k_step <= text.size(); at += k_step) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    count += static_cast<std::size_t>(
        std::popcount(static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, newline)))));
  }
  return count + static_cast<std::size_t>(
                     std::count(text.begin() + static_cast<long>(at), text.end(), '\n'));
}

#else

std::size_t LiteralScan::find_fast(std::string_view text, std::size_t& from) const {
  if (needles_.size() > 1 || letter_case_ != LetterCase::exact) return k_none;
  const std::size_t found = text.find(needles_.front(), from);
  if (found == k_none) from = text.size();
  return found;
}

std::size_t count_newlines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

#endif

std::size_t LiteralScan::find(std::string_view text, std::size_t from) const {
  const std::size_t found = find_fast(text, from);
  return found != k_none ? found : find_slowly(text, from);
}

}  // namespace yume::tools::search
