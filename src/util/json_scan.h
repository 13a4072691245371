// SPDX-License-Identifier: MIT
// Reads JSON that need not fit into memory: checks it byte by byte as it comes, and reports where
// containers begin and end, keys, and short values. Keeps one short text and a bit for each level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yume {

enum class JsonContainer { object, array };

// What a scan reports, in the order of the text. Offsets count from the first byte that was fed,
// plus the start of the scan.
class JsonScanHandler {
 public:
  virtual ~JsonScanHandler() = default;
  virtual void on_begin(JsonContainer container, std::uint64_t at) = 0;
  virtual void on_end(std::uint64_t behind) = 0;
  // Escapes as they are written. A text that is longer than the limit, or deeper, is empty.
  virtual void on_key(std::string_view key) = 0;
  virtual void on_string(std::string_view text) = 0;
  virtual void on_scalar(std::string_view text) = 0;  // a number, true, false or null
};

class JsonScanner {
 public:
  struct Limits {
    std::size_t max_depth = 128;      // of containers; deeper is an error
    std::size_t reported_depth = 8;   // keys and values below are not kept
    std::size_t longest_text = 4096;  // what is longer is reported as empty
  };

  JsonScanner(JsonScanHandler& handler, const Limits& limits)
      : handler_(handler), limits_(limits) {}

  // Forgets everything; the next byte is the `start`th of the whole.
  void restart(std::uint64_t start);
  // After an error nothing more is reported until a restart.
  void feed(std::string_view bytes);
  // Exactly one value, and it is whole. A number at the end counts.
  [[nodiscard]] bool finish();

 private:
  enum class Expects { value, value_or_end, key, key_or_end, colon, comma_or_end, nothing };
  enum class Token { none, string, escape, unicode, scalar };

  void between(char c);
  void begin_value(char c);
  void open(JsonContainer container);
  void close(JsonContainer container);
  void after_comma();
  std::size_t in_string(std::string_view bytes, std::size_t from);
  void in_escape(char c);
  void keep(char c);
  void end_string();
  void end_scalar();
  void value_done();
  void fail() { failed_ = true; }
  [[nodiscard]] bool keeps_text() const { return containers_.size() <= limits_.reported_depth; }

  JsonScanHandler& handler_;
  Limits limits_;
  std::uint64_t at_ = 0;
  Expects expects_ = Expects::value;
  Token token_ = Token::none;
  int hex_digits_ = 0;
  bool is_key_ = false;
  bool too_long_ = false;
  bool failed_ = false;
  std::string text_;
  std::vector<JsonContainer> containers_;
};

}  // namespace yume
