// SPDX-License-Identifier: MIT
// Walking JSON with simdjson, once and in the order of the text: what the readers of streams and of
// session files share. Include it in .cpp files only.
#pragma once

#include <simdjson.h>

#include <new>
#include <string>
#include <string_view>

namespace yume::json_walk {

namespace od = simdjson::ondemand;

// simdjson reports errors as codes; between functions that walk they travel as this one type.
using Status = simdjson::error_code;
inline constexpr Status k_ok = simdjson::SUCCESS;

#define YUME_SIMD(expression)                                                                     \
  if (const ::yume::json_walk::Status status = (expression); status != ::yume::json_walk::k_ok) { \
    return status;                                                                                \
  }

// A parser that gets no memory says so by a code; it must not be taken for bad JSON.
inline Status with_memory(Status status) {
  if (status == simdjson::MEMALLOC) throw std::bad_alloc();
  return status;
}

// A copy that the parser may read beyond the end of.
inline simdjson::padded_string padded(std::string_view text) {
  simdjson::padded_string copy(text);
  if (copy.size() != text.size()) throw std::bad_alloc();
  return copy;
}

inline Status read_string(od::value value, std::string& out) {
  std::string_view view;
  YUME_SIMD(value.get_string().get(view));
  out.assign(view);
  return k_ok;
}

// Writers leave out what is not there; some say null instead.
inline bool is_null(od::field& field) {
  bool null = false;
  return field.value().is_null().get(null) == k_ok && null;
}

// `read(key, value)` for each member that is there. What it returns ends the reading, unless good.
template <class Read>
Status each_member(od::object& object, Read read) {
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    if (is_null(field)) continue;
    YUME_SIMD(read(field.key(), field.value()));
  }
  return k_ok;
}

template <class Read>
Status each_member(od::value value, Read read) {
  od::object object;
  YUME_SIMD(value.get_object().get(object));
  return each_member(object, read);
}

template <class Read>
Status each_element(od::value value, Read read) {
  od::array array;
  YUME_SIMD(value.get_array().get(array));
  for (auto element : array) {
    od::value one;
    YUME_SIMD(std::move(element).get(one));
    YUME_SIMD(read(one));
  }
  return k_ok;
}

}  // namespace yume::json_walk
