// SPDX-License-Identifier: MIT
// The yardstick of resume_bench: reads a session file and parses every line of it, and nothing
// else.
//
//   resume_reader nlohmann|simdjson FILE
#include <simdjson.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace {

template <class Parse>
std::size_t count_messages(const std::string& bytes, std::size_t size, Parse parse) {
  std::size_t messages = 0;
  for (std::size_t at = 0; at < size;) {
    const std::size_t end = std::min(bytes.find('\n', at), size);
    if (end > at) messages += parse(at, end - at) ? 1 : 0;
    at = end + 1;
  }
  return messages;
}

std::size_t with_nlohmann(const std::string& bytes) {
  return count_messages(bytes, bytes.size(), [&bytes](std::size_t at, std::size_t length) {
    const auto line = nlohmann::json::parse(std::string_view(bytes).substr(at, length));
    return line.contains("message");
  });
}

std::size_t with_simdjson(std::string& bytes) {
  const std::size_t size = bytes.size();
  bytes.append(simdjson::SIMDJSON_PADDING, '\0');
  simdjson::dom::parser parser;
  return count_messages(bytes, size, [&](std::size_t at, std::size_t length) {
    simdjson::dom::element line;
    simdjson::dom::element message;
    if (parser.parse(bytes.data() + at, length, /*realloc_if_needed=*/false).get(line) !=
        simdjson::SUCCESS) {
      return false;
    }
    return line["message"].get(message) == simdjson::SUCCESS;
  });
}

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string bytes = read_file(argv[2]);
  const bool simd = std::string_view(argv[1]) == "simdjson";
  const std::size_t messages = simd ? with_simdjson(bytes) : with_nlohmann(bytes);
  std::printf("%zu\n", messages);
  return messages > 0 ? 0 : 1;
}
