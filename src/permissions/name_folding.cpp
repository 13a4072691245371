// SPDX-License-Identifier: MIT
#include "permissions/name_folding.h"

#include "permissions/name_folding_table.h"
#include "util/utf8.h"

#include <algorithm>

namespace yume::permissions {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode's default ignorable characters.
constexpr std::array<Range, 18> k_invisible = {{{0x00AD, 0x00AD},
                                                {0x034F, 0x034F},
                                                {0x061C, 0x061C},
                                                {0x115F, 0x1160},
                                                {0x17B4, 0x17B5},
                                                {0x180B, 0x180F},
                                                {0x200B, 0x200F},
                                                {0x202A, 0x202E},
                                                {0x2060, 0x206F},
                                                {0x3164, 0x3164},
                                                {0xFE00, 0xFE0F},
                                                {0xFEFF, 0xFEFF},
                                                {0xFFA0, 0xFFA0},
                                                {0xFFF0, 0xFFF8},
                                                {0x1BCA0, 0x1BCA3},
                                                {0x1D173, 0x1D17A},
                                                {0xE0000, 0xE0FFF},
                                                {0x2028, 0x2029}}};

// Look like the space that separates words, and do not separate them.
constexpr std::array<Range, 5> k_other_spaces = {
    {{0x00A0, 0x00A0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x202F, 0x205F}, {0x3000, 0x3000}}};

bool in_ranges(const auto& ranges, char32_t character) {
  return std::any_of(ranges.begin(), ranges.end(), [character](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

void append_folded(char32_t character, std::string& out) {
  if (in_ranges(k_invisible, character)) return;
  const auto run =
      std::find_if(k_folded_runs.begin(), k_folded_runs.end(), [character](const FoldedRun& one) {
        return character >= one.first && character <= one.last;
      });
  if (run != k_folded_runs.end()) {
    out.push_back(static_cast<char>(run->ascii + static_cast<char>(character - run->first)));
    return;
  }
  const auto sequence =
      std::find_if(k_folded_sequences.begin(), k_folded_sequences.end(),
                   [character](const FoldedSequence& one) { return one.character == character; });
  if (sequence != k_folded_sequences.end()) {
    out.append(sequence->ascii);
    return;
  }
  append_utf8(out, character);
}

}  // namespace

std::string fold_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (std::size_t at = 0; at < name.size();) {
    const char c = name[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
      ++at;
      continue;
    }
    const DecodedCharacter decoded = decode_utf8(name, at);
    append_folded(decoded.code_point, out);
    at += decoded.length;
  }
  // "..." and ".." are names of their own.
  if (out.find_first_not_of('.') == std::string::npos) return out;
  while (!out.empty() && (out.back() == '.' || out.back() == ' ')) out.pop_back();
  return out;
}

bool has_hidden_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) return true;
      ++at;
      continue;
    }
    const DecodedCharacter decoded = decode_utf8(text, at);
    const char32_t character = decoded.code_point;
    const bool control = character >= 0x80 && character < 0xA0;
    if (!decoded.valid || control || in_ranges(k_invisible, character) ||
        in_ranges(k_other_spaces, character)) {
      return true;
    }
    at += decoded.length;
  }
  return false;
}

}  // namespace yume::permissions
