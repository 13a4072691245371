// SPDX-License-Identifier: MIT
// The conversation as Gemini wants it back: serialised contents that are appended to and re-sent
// verbatim, so that a turn costs what it adds, not what it holds. Keeps the API's rules on order:
// what is in here may be sent as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/media.h"
#include "core/message.h"

namespace yume::gemini {

// Stands for a signature that was lost or is not ours; the server takes it and skips its check.
inline constexpr std::string_view k_stand_in_signature = "skip_thought_signature_validator";

// The answer to one function call.
struct FunctionResponse {
  std::optional<std::string> call_id;  // only when the model gave one
  std::string name;
  std::string text;
  std::vector<core::Media> media = {};
  bool is_error = false;
};

// Where media of a tool's result go: newer models take them inside the response, older ones beside
// it.
enum class MediaPlace { in_response, beside_response };

class History {
 public:
  // A fresh user message. Joins a user content before it; after function responses, an interrupted
  // model turn is put between, since the API refuses text mixed with responses.
  void add_user(const core::UserMessage& message);
  // The same for a message that came while the tools ran, whose results the model has not seen yet.
  void add_user_meanwhile(const core::UserMessage& message);
  // Returns the part it became.
  std::string add_user_text(std::string_view text);
  // The same from JSON parts that were made here before.
  void add_user_raw(const std::vector<std::string>& parts) { add_user_parts(parts); }
  // Raw JSON parts as the model sent them. Nothing happens when empty.
  void add_model_parts(std::vector<std::string> parts);
  // All responses of one model content, in the order of its calls.
  void add_function_responses(const std::vector<FunctionResponse>& responses,
                              MediaPlace place = MediaPlace::in_response);

  // Every signature becomes the stand-in: those of another model or backend are refused.
  void replace_signatures();

  // A place to go back to, while only a user message or nothing was added since.
  struct Mark {
    std::size_t contents = 0;
    std::size_t last_bytes = 0;  // of the last content, which a user message may join
  };
  [[nodiscard]] Mark mark() const;
  // The server refuses what was added since: sent again it would be refused for ever.
  void rewind(const Mark& mark);
  // The same for results of tools, which must stay paired with their calls. Nothing happens when
  // the last content is none.
  void withhold_last_responses(const std::vector<FunctionResponse>& instead);
  // The same for every picture and document, wherever it is; a text says so in its place. How many
  // there were.
  std::size_t withhold_media(std::string_view why);
  // Another model may take media of results only beside the responses; those that newer ones take
  // inside are then put there. The other way round nothing is done: all models take them beside.
  void place_media(MediaPlace place);

  // Views of the contents array's text, brackets and commas included; valid until the next change.
  [[nodiscard]] std::vector<std::string_view> segments() const;
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Who spoke last.
  enum class Last { nothing, user_text, model, function_responses };
  [[nodiscard]] Last last() const;

  // For compaction. Tokens are estimates.
  [[nodiscard]] std::size_t size() const { return contents_.size(); }
  [[nodiscard]] std::int64_t tokens() const;
  [[nodiscard]] std::int64_t tokens_of(std::size_t content) const;
  // Both sides of a cut before this content can be sent: no call loses its result.
  [[nodiscard]] bool may_cut_before(std::size_t content) const;
  [[nodiscard]] bool is_user_message(std::size_t content) const;
  // A copy of the contents from `first` up to, not including, `last`.
  [[nodiscard]] History part(std::size_t first, std::size_t last) const;
  // Everything of `other` behind what is here; a user message joins one before it.
  void append(const History& other);
  // A user message before everything else; the one that is first now joins it.
  void put_first(std::string_view text);
  // Results of tools among the first `count` contents that are longer than this are cut to their
  // beginning and end, their media left out. True when anything became shorter.
  bool shorten_responses(std::size_t count, std::size_t longest);

 private:
  enum class Kind { user_text, model, function_responses };
  struct Content {
    Kind kind;
    std::string json;
    std::int64_t tokens = 0;
  };

  void add_user_parts(const std::vector<std::string>& parts);
  void put_model_text_behind_responses(std::string_view text);
  void push(Kind kind, std::string json);
  void set(Content& content, std::string json);

  std::vector<Content> contents_;
  std::size_t bytes_ = 0;
};

}  // namespace yume::gemini
