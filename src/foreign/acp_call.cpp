// SPDX-License-Identifier: MIT
#include "foreign/acp_call.h"

#include "core/gemini_cli_input.h"
#include "core/gemini_cli_tools.h"
#include "core/tool_names.h"
#include "foreign/call_details.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::foreign {
namespace {

using Json = nlohmann::ordered_json;

struct KindName {
  std::string_view kind;
  std::string_view name;
};
constexpr std::array k_kinds = {
    KindName{"read", "Read"},
    KindName{"edit", "Edit"},
    KindName{"delete", "Delete"},
    KindName{"move", "Move"},
    KindName{"search", "Grep"},
    KindName{"execute", "Bash"},
    KindName{"fetch", "WebFetch"},
    KindName{"think", "Think"},
    KindName{"switch_mode", "SwitchMode"},
};

// Lists as lists, also where an older agent sends the only element.
std::vector<Json> list_of(const Json& value) {
  if (value.is_array()) return {value.begin(), value.end()};
  if (value.is_null()) return {};
  return {value};
}

std::string place_of(const Json& place) {
  if (place.is_string()) return place.get<std::string>();
  return place.is_object() ? text_at(place, "path") : "";
}

bool is_tool(std::string_view name) {
  return core::name_of_gemini_cli_tool(name) || core::is_known_tool(name) ||
         name.starts_with("mcp__");
}

// "write_file-1712", "run_shell_command__c1", "Write-0af3": what is before the mark names the tool.
std::string tool_in(std::string_view id) {
  for (const std::string_view mark : {"__", "-"}) {
    const std::string_view name = id.substr(0, id.find(mark));
    if (name.size() < id.size() && is_tool(name)) return std::string(name);
  }
  return "";
}

std::string joined_texts(const Json& blocks) {
  std::string text;
  for (const Json& block : blocks) {
    const std::string one = block.is_string() ? block.get<std::string>() : block_text(block);
    if (!text.empty() && !one.empty()) text += '\n';
    text += one;
  }
  return text;
}

// An agent's result as text; empty: it is none.
std::string raw_text(const Json& raw) {
  if (raw.is_string()) return raw.get<std::string>();
  if (raw.is_array()) return joined_texts(raw);
  if (!raw.is_object() || raw.empty()) return "";
  for (const char* key : {"output", "stdout", "text", "formatted_output"}) {
    if (auto text = text_at(raw, key); !text.empty()) return text;
  }
  if (raw.contains("content")) return raw_text(raw["content"]);
  return write_json(raw);
}

}  // namespace

std::string block_text(const Json& block) {
  if (!block.is_object()) return block.is_string() ? block.get<std::string>() : "";
  const std::string type = text_at(block, "type");
  if (type == "resource_link") {
    const std::string name = text_at(block, "name");
    const std::string uri = text_at(block, "uri");
    return name.empty() ? uri : "[" + name + "](" + uri + ")";
  }
  if (type == "resource") {
    const auto resource = block.find("resource");
    if (resource == block.end() || !resource->is_object()) return "";
    const std::string text = text_at(*resource, "text");
    return text.empty() ? text_at(*resource, "uri") : text;
  }
  if (type == "image" || type == "audio") return "[" + text_at(block, "mimeType") + "]";
  return text_at(block, "text");
}

void AcpCall::merge(const Json& update) {
  const auto take = [&update](const char* key, std::string& text) {
    if (auto value = text_at(update, key); !value.empty()) text = std::move(value);
  };
  take("toolCallId", id_);
  take("title", title_);
  take("kind", kind_);
  take("status", status_);
  take("name", name_);
  const auto value = [&update](const char* key) -> const Json* {
    const auto found = update.find(key);
    return found == update.end() || found->is_null() ? nullptr : &*found;
  };
  if (const Json* meta = value("_meta"); meta != nullptr && meta->is_object()) {
    const auto claude = meta->find("claudeCode");
    const bool has = claude != meta->end() && claude->is_object();
    const std::string tool = has ? text_at(*claude, "toolName") : "";
    if (!tool.empty()) name_ = tool;
  }
  if (const Json* input = value("rawInput"); input != nullptr && !input->empty()) {
    raw_input_ = *input;
  }
  if (const Json* output = value("rawOutput")) raw_output_ = *output;
  if (const Json* content = value("content")) content_ = list_of(*content);
  if (const Json* places = value("locations")) {
    places_.clear();
    for (const Json& place : list_of(*places)) places_.push_back(place_of(place));
  }
}

bool AcpCall::has_input() const {
  return raw_input_.is_object() && !raw_input_.empty();
}

bool AcpCall::has_begun() const {
  return status_ != "pending";
}

bool AcpCall::is_over() const {
  return status_ == "completed" || status_ == "failed" || status_ == "cancelled";
}

const Json* AcpCall::first_diff() const {
  const auto found = std::find_if(content_.begin(), content_.end(), [](const Json& one) {
    return one.is_object() && text_at(one, "type") == "diff";
  });
  return found == content_.end() ? nullptr : &*found;
}

std::string AcpCall::first_path() const {
  const Json* diff = first_diff();
  std::string path = diff != nullptr ? text_at(*diff, "path") : "";
  if (path.empty() && !places_.empty()) path = places_.front();
  return path;
}

std::string AcpCall::tool_name() const {
  if (!name_.empty()) return name_;
  if (auto name = tool_in(id_); !name.empty()) return name;
  const auto* known = std::find_if(k_kinds.begin(), k_kinds.end(),
                                   [this](const KindName& one) { return one.kind == kind_; });
  if (known == k_kinds.end()) return "Tool";
  const Json* diff = first_diff();
  const bool is_new = diff != nullptr && text_at(*diff, "oldText").empty();
  return kind_ == "edit" && is_new ? "Write" : std::string(known->name);
}

// In our words: there are none of the agent's.
Json AcpCall::made_input(const std::string& name) const {
  const Json* diff = first_diff();
  const std::string path = first_path();
  if (name == "Read") return {{"file_path", path.empty() ? title_ : path}};
  if (name == "Write") {
    return {{"file_path", path},
            {"content", diff != nullptr ? text_at(*diff, "newText") : std::string()}};
  }
  if (name == "Edit") {
    return {{"file_path", path},
            {"old_string", diff != nullptr ? text_at(*diff, "oldText") : std::string()},
            {"new_string", diff != nullptr ? text_at(*diff, "newText") : std::string()}};
  }
  if (name == "Bash") return {{"command", title_}};
  if (name == "LS") return {{"path", path.empty() ? title_ : path}};
  if (name == "Grep" || name == "Glob") return {{"pattern", title_}};
  if (name == "WebSearch") return {{"query", title_}};
  if (name == "WebFetch") return {{"prompt", title_}};
  Json input = Json::object();
  if (!title_.empty()) input["title"] = title_;
  return input;
}

core::ToolCall AcpCall::call(CallWords words) const {
  core::ToolCall call{.id = id_, .name = tool_name(), .input = {"{}"}};
  const bool ours = words == CallWords::ours;
  if (has_input()) {
    if (!ours || !core::name_of_gemini_cli_tool(call.name)) {
      call.input.text = write_json(raw_input_);
      return call;
    }
    const core::MappedCall mapped = core::map_gemini_cli_call(call.name, raw_input_);
    call.name = mapped.name;
    call.input.text = write_json(mapped.input);
    return call;
  }
  const std::string name(core::tool_name_for(call.name));
  call.input.text = write_json(made_input(name));
  // A list of tasks without the tasks would empty the host's.
  if (ours && name != "TodoWrite") call.name = name;
  return call;
}

std::string AcpCall::output_text(const TerminalOutput& terminal) const {
  if (auto text = raw_text(raw_output_); !text.empty()) return text;
  std::string text;
  const auto add = [&text](const std::string& one) {
    if (!text.empty() && !one.empty()) text += '\n';
    text += one;
  };
  for (const Json& one : content_) {
    if (!one.is_object()) continue;
    const std::string type = text_at(one, "type");
    if (type == "terminal" && terminal) add(terminal(text_at(one, "terminalId")));
    const auto inner = one.find("content");
    if (type == "content" && inner != one.end()) add(block_text(*inner));
    if (type == "text") add(text_at(one, "text"));
  }
  return text;
}

core::ToolOutcome AcpCall::outcome(const core::ToolCall& call,
                                   const TerminalOutput& terminal) const {
  core::ToolOutcome outcome{.is_error = failed(), .content = output_text(terminal), .details = {}};
  add_details(call, outcome);
  const Json* diff = first_diff();
  const bool says_nothing = std::holds_alternative<core::NoDetails>(outcome.details);
  if (says_nothing && !outcome.is_error && diff != nullptr) {
    const std::string before = text_at(*diff, "oldText");
    outcome.details =
        core::FileWritten{.path = text_at(*diff, "path"),
                          .content = text_at(*diff, "newText"),
                          .before = before.empty() ? std::nullopt : std::optional(before),
                          .patch = {}};
  }
  return outcome;
}

}  // namespace yume::foreign
