// SPDX-License-Identifier: MIT
// Encoding a generateContent request: a prefix that stays the same byte for byte, so that the
// server can reuse its cache of it, the history's own pieces, and a short tail with what may change
// from try to try.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gemini/history.h"
#include "gemini/model_info.h"
#include "gemini/thinking.h"
#include "util/json_io.h"

namespace yume::gemini {

struct FunctionDeclaration {
  std::string name;
  std::string description;
  RawJson parameters;  // JSON Schema of any kind; cleaned here
  // Nothing of it would change: cleaning takes longer than all else before a first request.
  bool is_clean = false;
};

// How strictly the adjustable filters block; `server` sends nothing and leaves it to the server.
enum class Safety { off, block_none, block_only_high, block_medium, block_low, server };

struct RequestSettings {
  std::string system_instruction = {};  // empty: none
  std::vector<FunctionDeclaration> functions = {};
  ThinkingRequest thinking = {};
  Safety safety = Safety::off;
  std::optional<std::int64_t> max_output_tokens = std::nullopt;  // less than the model's own limit
  bool google_search = false;  // the server may search the web; not together with functions
};

// What one try at a request leaves out or adds after an earlier one went wrong.
struct RequestVariant {
  bool thinking = true;            // false: no thinking setting at all
  bool least_thinking = false;     // the model used up its output with thoughts
  bool options = true;             // false: only what every server knows
  bool validated_calls = false;    // the server holds calls to their schema
  std::string only_function = {};  // the reply must be a call of it; empty: as the model likes
  bool stream_arguments = false;   // calls may come in pieces (Vertex)
  std::string continuation = {};   // token of the hop before
};

class RequestEncoder {
 public:
  RequestEncoder(ModelInfo model, RequestSettings settings);

  // Another prompt and other functions from now on. The prefix is new, and the server's cache of it
  // lost.
  void set_prefix(std::string system_instruction,
                  const std::vector<FunctionDeclaration>& functions);

  // What follows the contents; keep it while body() is in use.
  [[nodiscard]] std::string tail(const RequestVariant& variant) const;
  // The body in segments that borrow from the encoder, the history and the tail.
  [[nodiscard]] std::vector<std::string_view> body(const History& history,
                                                   std::string_view tail) const;

  [[nodiscard]] const ModelInfo& model() const { return model_; }
  // Of everything but the contents, for estimates.
  [[nodiscard]] std::size_t prefix_bytes() const { return prefix_.size(); }

 private:
  void make_prefix(const std::vector<FunctionDeclaration>& functions);
  void write_tool_config(JsonWriter& json, const RequestVariant& variant) const;
  void write_generation_config(JsonWriter& json, const RequestVariant& variant) const;

  ModelInfo model_;
  ThinkingRequest thinking_;
  Safety safety_;
  std::int64_t max_output_tokens_;
  std::string system_instruction_;
  bool google_search_;
  bool has_functions_ = false;
  std::string prefix_;  // up to and including `"contents":[`
};

}  // namespace yume::gemini
