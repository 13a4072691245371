// SPDX-License-Identifier: MIT
// The text of a view that Yume reads (see yume_view.h), written and read back. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_call.h"
#include "core/usage.h"
#include "transcript/shown_session.h"
#include "util/json_io.h"

namespace yume::transcript {

// What Yume shows of a conversation.
struct ViewMessage {
  bool from_user = false;
  std::string content;          // empty for a reply of calls alone
  std::vector<RawJson> calls;   // {id,name,input}
  std::string message_id = {};  // while it may still grow
};

struct ViewContent {
  std::string model;
  std::string cwd;
  std::string created;  // ISO
  std::string title;
  int compactions = 0;
  core::Usage last_request;  // the context's size
  core::Usage total;
  double cost_usd = 0;
  std::vector<ViewMessage> history;
};

// A call as a view has it; long texts in its input are cut.
RawJson view_call(const core::ToolCall& call);

// `log_bytes`: how much of the session's file the view covers.
std::string view_text(const std::string& id, const ViewContent& content, const std::string& updated,
                      std::uint64_t log_bytes);

struct ParsedView {
  ViewContent content;
  std::uint64_t log_bytes = 0;
};
std::optional<ParsedView> parse_view(std::string_view text);

// What a request of a model has cost.
using Price = std::function<double(const std::string& model, const core::Usage& usage)>;
ViewContent view_of(const ShownSession& session, const Price& price);

}  // namespace yume::transcript
