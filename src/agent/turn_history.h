// SPDX-License-Identifier: MIT
// What one turn adds to the conversation: the prompt, replies, results and notes of our own, in the
// server's form and in the session's records, which stay in step. Takes back or withholds what the
// server refuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/context_keeper.h"
#include "agent/model_client.h"
#include "agent/tool_runner.h"
#include "core/message.h"
#include "core/turn_port.h"
#include "gemini/history.h"

namespace yume::agent {

class TurnHistory {
 public:
  // `note` follows the message for the model; it may be empty. All references outlive the turn.
  TurnHistory(const core::UserMessage& message, std::string note, core::TurnPort& port,
              ContextKeeper& keeper, gemini::MediaPlace media_place);

  // What the prompt will take.
  [[nodiscard]] std::int64_t prompt_tokens() const;
  // The session has the message in its records already.
  void begin();
  // The message never was; before begin() or after.
  void take_back_prompt();

  // Nothing was added behind the prompt that the server has not accepted.
  [[nodiscard]] bool at_prompt() const { return responses_.empty(); }
  // Removes the prompt for a moment, so that it is not part of what is summed up.
  void lift_prompt();
  void put_prompt();

  // The server's answer to a request that was made when the next record stood at `position`.
  // Takes the reply's parts.
  void add_reply(AskResult& result, std::size_t position);
  void add_results(const std::vector<FinishedCall>& finished, const std::string& record_before);
  // A message of the user that came while the calls ran, and is in the records already.
  void add_meanwhile(core::UserMessage message);
  // The model is asked to go on with these words.
  void add_note(const std::string& text);

  // The conversation must go on without what the server refuses: the prompt, or the last results.
  void take_back();
  // A text with the reason takes the place of pictures and documents: of what was added last, or of
  // everything. Returns how many there were.
  std::size_t withhold_new_media(const std::string& why);
  std::size_t withhold_all_media(const std::string& why);
  // Where those of later results go: the model is another one.
  void place_media(gemini::MediaPlace place) { media_place_ = place; }

 private:
  void replace_responses();
  [[nodiscard]] const core::UserMessage& message() const {
    return without_media_ ? *without_media_ : message_;
  }

  const core::UserMessage& message_;
  std::optional<core::UserMessage> without_media_;
  std::string note_;
  core::TurnPort& port_;
  ContextKeeper& keeper_;
  gemini::History& history_;
  gemini::MediaPlace media_place_;
  gemini::History::Mark start_ = {};  // before the prompt
  std::vector<gemini::FunctionResponse> responses_;
  std::vector<std::string> call_ids_;  // of the responses, as hosts know them
  std::string record_before_results_;
  std::optional<core::UserMessage> meanwhile_;  // behind the responses
  gemini::History::Mark before_meanwhile_ = {};
};

}  // namespace yume::agent
