// SPDX-License-Identifier: MIT
// One tool call of an ACP agent, put together from everything that its updates say of it, as a call
// and a result of ours. Agents differ in what they say: claude-agent-acp has the input and the
// result, gemini has neither, and then they are made of titles, places and changes. Pure.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

#include "core/tool_call.h"
#include "foreign/line_decoder.h"

namespace yume::foreign {

class AcpCall {
 public:
  using Json = nlohmann::ordered_json;
  // What a command has printed in a terminal of the client's.
  using TerminalOutput = std::function<std::string(const std::string& terminal_id)>;

  // Takes over what an update says; what it leaves out stays.
  void merge(const Json& update);

  [[nodiscard]] bool has_input() const;
  [[nodiscard]] bool has_begun() const;  // it runs, or has run
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool failed() const { return status_ != "completed"; }

  [[nodiscard]] core::ToolCall call(CallWords words) const;
  [[nodiscard]] core::ToolOutcome outcome(const core::ToolCall& call,
                                          const TerminalOutput& terminal) const;

  bool announced = false;
  bool finished = false;

 private:
  [[nodiscard]] std::string tool_name() const;
  [[nodiscard]] Json made_input(const std::string& name) const;
  [[nodiscard]] const Json* first_diff() const;
  [[nodiscard]] std::string first_path() const;
  [[nodiscard]] std::string output_text(const TerminalOutput& terminal) const;

  std::string id_;
  std::string title_;
  std::string kind_;
  std::string status_ = "pending";
  std::string name_;
  Json raw_input_;
  Json raw_output_;
  std::vector<Json> content_;
  std::vector<std::string> places_;
};

// What a block of a prompt or a reply says as text: a text, a resource's text or a link to it, the
// kind of a picture.
std::string block_text(const nlohmann::ordered_json& block);

}  // namespace yume::foreign
