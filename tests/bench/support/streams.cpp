// SPDX-License-Identifier: MIT
#include "streams.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace yume::bench {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view k_final_chunk = "0\r\n\r\n";
constexpr std::size_t k_signature_bytes = 400;

// splitmix64: the same words on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t below(std::uint64_t limit) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return (z ^ (z >> 31U)) % limit;
  }

  char letter() { return static_cast<char>('a' + below(26)); }

 private:
  std::uint64_t state_;
};

// Words with now and then a quote, a line break and a letter outside ASCII, as models write.
void append_word(std::string& text, Random& random) {
  for (std::uint64_t left = 2 + random.below(8); left > 0; --left) text += random.letter();
  const std::uint64_t kind = random.below(60);
  if (kind == 0) {
    text += "\xC3\xA9";
  } else if (kind < 3) {
    text += "\"";
  }
  text += random.below(12) == 0 ? '\n' : ' ';
}

std::string text_of(std::size_t bytes, Random& random) {
  std::string text;
  while (text.size() + 16 < bytes) append_word(text, random);
  while (text.size() < bytes) text += random.letter();
  return text;
}

std::string signature(Random& random) {
  std::string text;
  while (text.size() < k_signature_bytes) text += random.letter();
  return text;
}

enum class Finish { no, yes };

std::string event_chunk(const ordered_json& part, std::size_t tokens, Finish finish) {
  ordered_json candidate;
  candidate["content"]["parts"].push_back(part);
  candidate["content"]["role"] = "model";
  if (finish == Finish::yes) candidate["finishReason"] = "STOP";
  candidate["index"] = 0;
  ordered_json event;
  event["candidates"].push_back(candidate);
  event["usageMetadata"] = {{"promptTokenCount", 2100},
                            {"candidatesTokenCount", tokens},
                            {"totalTokenCount", 2100 + tokens}};
  event["modelVersion"] = "gemini-3.8-flash";
  event["responseId"] = "mF3raJ2uKs6kvdIPxKnQwQE";
  const std::string data = "data: " + event.dump() + "\r\n\r\n";
  return fmt::format("{:x}\r\n{}\r\n", data.size(), data);
}

}  // namespace

TextStream make_text_stream(std::size_t chunks, std::size_t chunk_bytes) {
  TextStream stream;
  Random random(chunks * 1'000'003 + chunk_bytes);
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::string text = text_of(chunk_bytes, random);
    stream.text += text;
    stream.chunk_ends.push_back(stream.text.size());
    const Finish finish = i + 1 == chunks ? Finish::yes : Finish::no;
    stream.chunks.push_back(event_chunk({{"text", text}}, stream.text.size() / 4, finish));
  }
  stream.chunks.back() += k_final_chunk;
  return stream;
}

std::string join(const std::vector<std::string>& pieces) {
  std::string all;
  for (const std::string& piece : pieces) all += piece;
  return all;
}

std::string_view stream_head() {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
}

std::string call_answer(std::string_view tool, std::string_view args) {
  Random random(args.size());
  ordered_json part;
  part["functionCall"]["name"] = tool;
  part["functionCall"]["args"] = ordered_json::parse(args);
  part["thoughtSignature"] = signature(random);
  return std::string(stream_head()) + event_chunk(part, 20, Finish::yes) +
         std::string(k_final_chunk);
}

std::string last_answer(std::string_view text) {
  return std::string(stream_head()) + event_chunk({{"text", text}}, 10, Finish::yes) +
         std::string(k_final_chunk);
}

std::string make_file_text(std::size_t bytes, std::size_t seed) {
  Random random(seed);
  std::string text;
  while (text.size() < bytes) append_word(text, random);
  text.back() = '\n';
  return text;
}

}  // namespace yume::bench
