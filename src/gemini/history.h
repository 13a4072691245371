// SPDX-License-Identifier: MIT
// The conversation as Gemini wants it back: serialised contents that are appended to and re-sent
// verbatim, so that a turn costs what it adds, not what it holds. Keeps the API's rules on order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::gemini {

// The answer to one function call.
struct FunctionResponse {
  std::optional<std::string> call_id;  // only when the model gave one
  std::string name;
  std::string text;
  bool is_error = false;
};

class History {
 public:
  // A fresh user text. Joins a user content before it; after function responses, an interrupted
  // model turn is put between, since the API refuses text mixed with responses.
  void add_user_text(std::string_view text);
  // Raw JSON parts as the model sent them. Nothing happens when empty.
  void add_model_parts(const std::vector<std::string>& parts);
  // All responses of one model content, in the order of its calls.
  void add_function_responses(const std::vector<FunctionResponse>& responses);

  [[nodiscard]] bool empty() const { return contents_.empty(); }
  // Views of the contents array's text, brackets and commas included; valid until the next change.
  [[nodiscard]] std::vector<std::string_view> segments() const;

 private:
  enum class Kind { user_text, model, function_responses };
  struct Content {
    Kind kind;
    std::string json;
  };

  std::vector<Content> contents_;
};

}  // namespace yume::gemini
