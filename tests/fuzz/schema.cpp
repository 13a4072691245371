// SPDX-License-Identifier: MIT
// Any bytes become an object schema in valid JSON, and cleaning twice changes nothing more. As a
// function's name they become a good one.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gemini/schema.h"
#include "util/json_io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const yume::RawJson once = yume::gemini::clean_schema({text});
  if (!yume::check_json(once.text).ok() || !once.text.starts_with(R"({"type":"object")")) {
    std::abort();
  }
  if (yume::gemini::clean_schema(once) != once) std::abort();

  const std::string name = yume::gemini::clean_function_name(text);
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  };
  const bool good = !name.empty() && name.size() <= 64 &&
                    std::all_of(name.begin(), name.end(), allowed) &&
                    yume::gemini::clean_function_name(name) == name;
  if (!good) std::abort();
  return 0;
}
