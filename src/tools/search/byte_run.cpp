// SPDX-License-Identifier: MIT
#include "tools/search/byte_run.h"

#include <array>
#include <string_view>

namespace yume::tools::search {
namespace {

// Shares that add up to one. Squares of the rank come near enough to what source trees have.
std::array<double, 256> make_shares() {
  constexpr std::string_view k_rare_to_common =
      "ZQXJKYzqjxVWHGUk7986543BFMDLwRvPyNOIA2C10ETSbgf"
      "\"_'pm=;,ul.hd()cioasnrt\ne ";
  std::array<double, 256> shares{};
  shares.fill(1);
  for (std::size_t rank = 0; rank < k_rare_to_common.size(); ++rank) {
    const auto byte = static_cast<unsigned char>(k_rare_to_common[rank]);
    shares[byte] += static_cast<double>(rank * rank);
  }
  double total = 0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
  return shares;
}

}  // namespace

double frequency(const ByteSet& bytes) {
  static const std::array<double, 256> k_shares = make_shares();
  double sum = 0;
  for (std::size_t byte = 0; byte < k_shares.size(); ++byte) {
    if (bytes[byte]) sum += k_shares[byte];
  }
  return sum;
}

double frequency(const ByteRun& run) {
  double product = 1;
  for (const ByteSet& bytes : run) product *= frequency(bytes);
  return product;
}

}  // namespace yume::tools::search
