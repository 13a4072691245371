// SPDX-License-Identifier: MIT
#include "app/acp/past_events.h"

#include "core/todo.h"
#include "util/json_tree.h"

#include <string>
#include <utility>

namespace yume::app {
namespace {

using transcript::ShownItem;

std::vector<core::Todo> todos_of(const core::ToolCall& call) {
  std::vector<core::Todo> todos;
  const nlohmann::json input = read_json(call.input.text);
  const auto list = input.is_object() ? input.find("todos") : input.end();
  if (!input.is_object() || list == input.end() || !list->is_array()) return todos;
  for (const nlohmann::json& one : *list) {
    if (!one.is_object()) continue;
    const auto status = core::todo_status_from(text_at(one, "status"));
    core::Todo todo{.content = text_at(one, "content"),
                    .status = status.value_or(core::TodoStatus::pending),
                    .active_form = text_at(one, "activeForm")};
    if (!todo.content.empty()) todos.push_back(std::move(todo));
  }
  return todos;
}

// As far as a transcript says what a result brought.
core::ToolDetails details_of(const ShownItem& item) {
  if (item.call.name == "TodoWrite" && !item.result->is_error) {
    return core::TodosChanged{.before = {}, .after = todos_of(item.call)};
  }
  if (item.result->patch.empty()) return core::NoDetails{};
  const nlohmann::json input = read_json(item.call.input.text);
  return core::FileEdited{.path = input.is_object() ? text_at(input, "file_path") : std::string(),
                          .replacement = {},
                          .before = {},
                          .patch = item.result->patch};
}

core::ToolOutcome outcome_of(const ShownItem& item) {
  core::ToolOutcome outcome;
  if (!item.result) {
    outcome.is_error = true;
    outcome.content = "The call was cut off: nothing is known of what it brought.";
    return outcome;
  }
  outcome.is_error = item.result->is_error;
  outcome.content = item.result->text;
  outcome.media = item.result->media;
  outcome.details = details_of(item);
  return outcome;
}

core::PromptTaken prompt_of(const ShownItem& item) {
  core::PromptTaken taken{.uuid = item.message_id, .message = {}};
  if (!item.text.empty()) taken.message.blocks.emplace_back(item.text);
  for (const core::Media& media : item.media) taken.message.blocks.emplace_back(media);
  return taken;
}

}  // namespace

std::vector<core::Event> past_events(const transcript::ShownSession& shown) {
  std::vector<core::Event> events;
  for (const ShownItem& item : shown.items) {
    switch (item.kind) {
      case ShownItem::Kind::prompt:
        events.emplace_back(prompt_of(item));
        break;
      case ShownItem::Kind::text:
      case ShownItem::Kind::failure:
        events.emplace_back(core::MessageStarted{.message_id = item.message_id, .model = {}});
        events.emplace_back(core::TextDelta{item.text});
        break;
      case ShownItem::Kind::thought:
        events.emplace_back(core::MessageStarted{.message_id = item.message_id, .model = {}});
        events.emplace_back(core::ThoughtDelta{item.text});
        break;
      case ShownItem::Kind::call:
        events.emplace_back(core::ToolCallReady{item.call});
        events.emplace_back(core::ToolFinished{item.call, outcome_of(item)});
        break;
      case ShownItem::Kind::interruption:
      case ShownItem::Kind::compaction:
        break;
    }
  }
  return events;
}

}  // namespace yume::app
