// SPDX-License-Identifier: MIT
// What the server says, prepared before anything is measured: text that does not repeat itself, the
// events of a Gemini stream around it, and the bytes of a whole answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yume::bench {

// A reply of text, ready to send. Every event is one HTTP chunk.
struct TextStream {
  std::string text;                     // all of it, as the program must deliver it
  std::vector<std::size_t> chunk_ends;  // offsets in `text`
  std::vector<std::string> chunks;      // the last one ends the reply and the HTTP body
};

// Always the same for the same numbers. `chunk_bytes` is the length of each piece of text.
TextStream make_text_stream(std::size_t chunks, std::size_t chunk_bytes);

std::string join(const std::vector<std::string>& pieces);

// The head of every answer.
std::string_view stream_head();

// A complete answer that asks for one call; `args` is JSON.
std::string call_answer(std::string_view tool, std::string_view args);

// A complete answer that ends the turn.
std::string last_answer(std::string_view text);

// About as many bytes of text as asked for, in lines of ordinary length.
std::string make_file_text(std::size_t bytes, std::size_t seed);

}  // namespace yume::bench
