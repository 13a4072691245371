// SPDX-License-Identifier: MIT
// The text of a view that Yume reads (see yume_view.h), written and read back. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/tool_call.h"
#include "core/usage.h"
#include "transcript/session_observer.h"
#include "transcript/shown_session.h"
#include "util/json_io.h"
#include "util/result.h"

namespace yume::transcript {

// What Yume shows of a conversation.
struct ViewMessage {
  bool from_user = false;
  // One text in pieces, long ones where the session's file has them. None for a reply of calls
  // alone.
  std::vector<std::variant<std::string, TextPlace>> content = {};
  std::vector<RawJson> calls = {};  // {id,name,input}
  std::string message_id = {};      // while it may still grow

  void add_text(std::string_view text);
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

struct ViewState {
  std::string id;
  std::string updated;          // ISO
  std::uint64_t log_bytes = 0;  // how much of the session's file the view covers
};
// How a view is written without being in memory as a whole.
struct ViewPorts {
  std::function<Result<void>(std::string_view piece)> write;
  std::function<Result<std::string>(const TextPlace& place)> read;
};
// With a newline at its end. Ends with the first error of a port.
Result<void> write_view(const ViewState& state, const ViewContent& content, const ViewPorts& ports);

struct ParsedView {
  ViewContent content;
  std::uint64_t log_bytes = 0;
};
std::optional<ParsedView> parse_view(std::string_view text);

// What a request of a model has cost.
using Price = std::function<double(const std::string& model, const core::Usage& usage)>;
ViewContent view_of(const ShownSession& session, const Price& price);

}  // namespace yume::transcript
