// SPDX-License-Identifier: MIT
#include "gemini/grounding_reader.h"

#include <cstdint>

namespace yume::gemini {
namespace {

using json_walk::each_element;
using json_walk::each_member;
using json_walk::k_ok;
using json_walk::read_string;
using json_walk::Status;
namespace od = json_walk::od;

// Beyond every text and list: a number that is none points nowhere, and hurts nobody.
constexpr std::size_t k_no_index = SIZE_MAX;

Status read_index(od::value value, std::size_t& index) {
  std::uint64_t number = 0;
  const bool fine = value.get_uint64().get(number) == k_ok;
  index = fine ? static_cast<std::size_t>(number) : k_no_index;
  return k_ok;
}

Status read_source(od::value value, GroundingSource& source) {
  return each_member(value, [&](od::raw_json_string kind, od::value place) -> Status {
    if (kind != "web") return k_ok;  // maps, files: no page to show
    return each_member(place, [&](od::raw_json_string key, od::value member) -> Status {
      if (key == "uri") return read_string(member, source.uri);
      if (key == "title") return read_string(member, source.title);
      if (key == "domain") return read_string(member, source.domain);
      return k_ok;
    });
  });
}

Status read_segment(od::value value, GroundingSupport& support) {
  return each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
    if (key == "endIndex") return read_index(member, support.end);
    if (key == "text") return read_string(member, support.text);
    return k_ok;
  });
}

Status read_support(od::value value, GroundingSupport& support) {
  return each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
    if (key == "segment") return read_segment(member, support);
    if (key != "groundingChunkIndices") return k_ok;
    return each_element(
        member, [&](od::value one) { return read_index(one, support.sources.emplace_back()); });
  });
}

}  // namespace

Status read_grounding(od::value value, Grounding& grounding) {
  return each_member(value, [&](od::raw_json_string key, od::value member) -> Status {
    if (key == "webSearchQueries") {
      return each_element(member, [&](od::value one) {
        return read_string(one, grounding.queries.emplace_back());
      });
    }
    if (key == "groundingChunks") {
      return each_element(member, [&](od::value one) {
        return read_source(one, grounding.sources.emplace_back());
      });
    }
    if (key == "groundingSupports") {
      return each_element(member, [&](od::value one) {
        return read_support(one, grounding.supports.emplace_back());
      });
    }
    return k_ok;
  });
}

}  // namespace yume::gemini
