// SPDX-License-Identifier: MIT
// Puts together a conversation that was had elsewhere, so that it can be asked on here: neighbours
// become one message, every call has a fit name, an id of its own and exactly one result, and the
// user speaks first. Every importer ends here. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/conversation.h"
#include "core/message.h"

namespace yume::transcript {

// What another program knew about a reply; may be empty.
struct ReplyFacts {
  std::string id;
  std::string time = {};
  core::Usage usage = {};
};

class HistoryBuilder {
 public:
  // What is blank, or noise of a user interface, is left out.
  void user_text(std::string_view text);
  void user_media(core::Media media);
  // Of the prompt that begins with the next text; one that goes on keeps what it has.
  void prompt_facts(std::string time, std::string uuid);

  // A reply begins. Its thoughts, texts and calls follow.
  void begin_reply(ReplyFacts facts = {});
  void thought(std::string_view text);
  void reply_text(std::string_view text);
  // `id` may be empty, or one that came before. `input` that is no object is wrapped into one.
  void call(const std::string& id, std::string_view name, RawJson input);
  [[nodiscard]] bool knows_call(const std::string& id) const { return latest_.contains(id); }
  // The result of the last call of this id; without one, of the oldest open call. Else dropped.
  void result(core::PastResult result);

  // A reply as this program kept it, which goes back as it is.
  void whole_reply(core::PastReply reply);
  void model(std::string model) { out_.model = std::move(model); }

  core::Conversation finish();

 private:
  using Step = std::variant<core::PastPrompt, core::PastReply>;

  core::PastReply& reply();
  core::UserMessage& prompt();
  std::string fresh_id(const std::string& wanted);
  void add_reply(core::PastReply reply);

  std::vector<Step> steps_;
  bool begins_ = false;                              // a new reply, with the next part of one
  ReplyFacts facts_;                                 // of that reply
  core::PastPrompt prompt_facts_;                    // of the next prompt
  std::set<std::string> used_replies_;               // ids of replies
  std::map<std::string, std::string> latest_;        // the id an id now stands for
  std::set<std::string> used_;                       // every id given
  std::map<std::string, core::PastResult> results_;  // by the id given
  core::Conversation out_;
};

// What a person said, without the tags that hosts put around it; empty when nothing is left.
std::string without_noise(std::string_view text);

}  // namespace yume::transcript
