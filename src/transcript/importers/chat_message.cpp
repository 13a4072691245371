// SPDX-License-Identifier: MIT
#include "transcript/importers/chat_message.h"

#include <utility>

namespace yume::transcript::import {
namespace {

enum class Speaker { user, model, interface };

void add_call(const Json& call, HistoryBuilder& history) {
  const Json& function = at(call, {"function"});  // OpenAI's envelope
  const Json& named = function.is_object() ? function : call;
  const std::string name = text_at(named, {"name", "toolName", "tool_name"});
  if (name.empty()) return;
  history.call(text_at(call, {"id", "toolCallId", "tool_call_id", "tool_use_id"}), name,
               object_of(at(named, {"input", "args", "arguments", "parameters"})));
}

void add_result(const Json& result, HistoryBuilder& history) {
  core::PastResult past;
  past.call_id = text_at(result, {"tool_use_id", "toolCallId", "tool_call_id", "toolUseId"});
  past.text = result_text(at(result, {"content", "output", "result", "text"}), past.media);
  past.is_error = flag_at(result, {"is_error", "isError"});
  history.result(std::move(past));
}

void add_text(std::string_view text, Speaker speaker, HistoryBuilder& history) {
  if (speaker == Speaker::user) history.user_text(text);
  if (speaker == Speaker::model) history.reply_text(text);
}

std::string fenced(const Json& block) {
  return "```" + text_at(block, {"language", "lang"}) + "\n" +
         text_at(block, {"code", "text", "content"}) + "\n```";
}

void add_block(const Json& block, Speaker speaker, HistoryBuilder& history) {
  if (block.is_string()) {
    add_text(block.get_ref<const std::string&>(), speaker, history);
    return;
  }
  const std::string type = text_at(block, {"type"});
  if (type == "tool_use" || type == "tool_call") {
    add_call(block, history);
  } else if (type == "tool_result") {
    add_result(block, history);
  } else if (type == "thinking" || type == "redacted_thinking" || type == "error") {
    return;  // not for the model: thoughts are another's, errors a host's
  } else if (type == "code") {
    add_text(fenced(block), speaker, history);
  } else if (auto media = media_of(block)) {
    // Models draw nothing here; a picture in a reply is still something the user has seen.
    if (speaker == Speaker::user) history.user_media(*std::move(media));
  } else if (type == "artifact") {
    const std::string title = text_at(block, {"title", "name"});
    add_text((title.empty() ? "" : title + "\n") + fenced(block), speaker, history);
  } else {
    add_text(text_at(block, {"text", "content"}), speaker, history);
  }
}

// Rows of Yume's window come as an object: a call, a result, or a note.
void add_row(const Json& row, Speaker speaker, HistoryBuilder& history) {
  const bool is_result = !at(row, {"tool_use_id", "toolCallId", "tool_call_id"}).is_null();
  const bool is_call = !at(row, {"name"}).is_null() && !at(row, {"input", "args"}).is_null();
  if (is_result) {
    add_result(row, history);
  } else if (is_call) {
    add_call(row, history);
  } else {
    add_block(row, speaker, history);
  }
}

void add_content(const Json& content, Speaker speaker, HistoryBuilder& history) {
  if (content.is_string()) {
    add_text(content.get_ref<const std::string&>(), speaker, history);
  } else if (content.is_array()) {
    for (const Json& block : content) add_block(block, speaker, history);
  } else if (content.is_object()) {
    add_row(content, speaker, history);
  }
}

Speaker speaker_of(const std::string& role) {
  if (role == "user" || role == "human") return Speaker::user;
  if (role == "assistant" || role == "model" || role == "gemini") return Speaker::model;
  return Speaker::interface;
}

}  // namespace

void add_chat_message(const Json& message, HistoryBuilder& history) {
  const std::string role = text_at(message, {"role", "type"});
  if (role == "tool" || role == "function") {
    add_result(message, history);
    return;
  }
  const Speaker speaker = speaker_of(role);
  if (speaker == Speaker::model) {
    history.begin_reply();
    if (std::string model = text_at(message, {"model"}); !model.empty()) {
      history.model(std::move(model));
    }
  }
  add_content(at(message, {"content", "message", "text"}), speaker, history);
  for (const Json& call : at(message, {"toolCalls", "tool_calls"})) add_call(call, history);
  for (const Json& result : at(message, {"toolResults", "tool_results"})) {
    add_result(result, history);
  }
}

}  // namespace yume::transcript::import
