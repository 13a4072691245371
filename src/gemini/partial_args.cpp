// SPDX-License-Identifier: MIT
#include "gemini/partial_args.h"

#include "gemini/json_path.h"
#include "util/json_io.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace yume::gemini {
namespace {

constexpr std::size_t k_max_depth = 128;
constexpr std::size_t k_max_bytes = 16U << 20U;
constexpr std::size_t k_max_members = 2'000;  // of one object: they are searched one by one
constexpr std::size_t k_node_cost = 64;

enum class Kind { object, array, string, scalar };

// A value in the making. Text is JSON already, so that the same bytes are shown and finished with;
// a string's lacks the quotes. Keys have theirs.
struct Node {
  Kind kind = Kind::object;
  std::string text = {};
  std::vector<std::string> keys = {};  // of an object, one per child
  std::vector<Node> children = {};

  [[nodiscard]] bool is_container() const { return kind == Kind::object || kind == Kind::array; }
};

std::string json_quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string escaped(std::string_view text) {
  const std::string with_quotes = json_quoted(text);
  return with_quotes.substr(1, with_quotes.size() - 2);
}

std::string_view opening(Kind kind) {
  return kind == Kind::object ? "{" : kind == Kind::array ? "[" : kind == Kind::string ? "\"" : "";
}

std::string_view closing(Kind kind) {
  return kind == Kind::object ? "}" : kind == Kind::array ? "]" : kind == Kind::string ? "\"" : "";
}

void write(const Node& node, std::string& out) {
  out.append(opening(node.kind)).append(node.text);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out.push_back(',');
    if (node.kind == Kind::object) out.append(node.keys[i]).push_back(':');
    write(node.children[i], out);
  }
  out.append(closing(node.kind));
}

// What closes the text of everything inside `node` that is still open: the chain of last children.
std::string closing_inside(const Node& node) {
  std::string out;
  for (const Node* at = &node; !at->children.empty();) {
    at = &at->children.back();
    out.insert(0, closing(at->kind));
  }
  return out;
}

// The child's place; the number of children when it is not there yet.
std::size_t find_child(const Node& node, const PathStep& step) {
  if (const auto* index = std::get_if<std::size_t>(&step)) return *index;
  const std::string key = json_quoted(std::get<std::string>(step));
  if (!node.keys.empty() && node.keys.back() == key) return node.keys.size() - 1;
  const auto found = std::find(node.keys.begin(), node.keys.end(), key);
  return static_cast<std::size_t>(found - node.keys.begin());
}

Kind container_for(const PathStep& step) {
  return std::holds_alternative<std::size_t>(step) ? Kind::array : Kind::object;
}

Error mismatch(const PartialArg& arg, std::string_view why) {
  return {.code = ErrorCode::protocol,
          .message = "arguments at '" + arg.path.substr(0, 80) + "': " + std::string(why)};
}

// The spelling of the wire, but 5.0 is 5: the wire knows only floating numbers, tools know both.
std::optional<std::string> number_text(std::string text) {
  const bool plain = !text.empty() && text.find_first_not_of("0123456789+-.eE") == text.npos;
  if (!plain || !check_json(text).ok()) return std::nullopt;
  const std::size_t point = text.find('.');
  if (point != text.npos && text.find_first_not_of('0', point + 1) == text.npos) text.resize(point);
  return text;
}

// The value that a piece brings to a new place; nullopt for a number that is none.
std::optional<Node> new_node(const PartialArg& arg, bool names_array) {
  if (const auto* text = std::get_if<std::string>(&arg.value)) {
    return Node{.kind = Kind::string, .text = escaped(*text)};
  }
  if (const auto* number = std::get_if<NumberText>(&arg.value)) {
    auto text = number_text(number->text);
    if (!text) return std::nullopt;
    return Node{.kind = Kind::scalar, .text = *std::move(text)};
  }
  if (const auto* truth = std::get_if<bool>(&arg.value)) {
    return Node{.kind = Kind::scalar, .text = *truth ? "true" : "false"};
  }
  if (std::holds_alternative<std::nullptr_t>(arg.value)) {
    return Node{.kind = Kind::scalar, .text = "null"};
  }
  return Node{.kind = names_array ? Kind::array : Kind::object};
}

}  // namespace

struct PartialArgs::State {
  Node root = {};
  std::size_t bytes = 0;
  bool awaits_more = false;
  bool finished = false;
  std::optional<Error> failure = std::nullopt;

  std::string delta = "{";
  bool exact = true;
  std::vector<bool> repeat = {};  // outermost members changed since the text stopped being exact

  // How far a path exists.
  struct Place {
    Node* node = nullptr;
    std::size_t known_steps = 0;
    bool open = true;           // its text is not closed yet
    std::size_t outermost = 0;  // which member of the root it is in
  };

  Result<void> apply(const PartialArg& arg);
  Result<Place> locate(const PartialArg& arg, const JsonPath& path);
  Result<void> create(const PartialArg& arg, const JsonPath& path, const Place& place);
  Result<void> change(const PartialArg& arg, const JsonPath& path, const Place& place);
  void note_change(const Place& place);
  Node& add_child(Node& parent, const PathStep& step, Node child);
};

Result<PartialArgs::State::Place> PartialArgs::State::locate(const PartialArg& arg,
                                                             const JsonPath& path) {
  Place place{.node = &root};
  for (const PathStep& step : path.steps) {
    Node& node = *place.node;
    if (node.kind != container_for(step)) return mismatch(arg, "a different kind is there");
    const std::size_t child = find_child(node, step);
    if (child > node.children.size()) return mismatch(arg, "elements before it are missing");
    if (place.known_steps == 0) place.outermost = child;
    if (child == node.children.size()) break;
    place.open = place.open && child + 1 == node.children.size();
    place.node = &node.children[child];
    ++place.known_steps;
  }
  // Inside what does not exist yet, an array has no element but the first.
  for (std::size_t i = place.known_steps + 1; i < path.steps.size(); ++i) {
    const auto* index = std::get_if<std::size_t>(&path.steps[i]);
    if (index != nullptr && *index != 0) return mismatch(arg, "elements before it are missing");
  }
  return place;
}

// Call before the change. The first change of closed text ends the exact showing.
void PartialArgs::State::note_change(const Place& place) {
  if (exact && !place.open) {
    exact = false;
    delta += closing_inside(root);
    repeat.assign(root.children.size(), false);
  }
  if (exact) return;
  if (repeat.size() <= place.outermost) repeat.resize(place.outermost + 1, false);
  repeat[place.outermost] = true;
}

Node& PartialArgs::State::add_child(Node& parent, const PathStep& step, Node child) {
  if (exact) {
    delta += closing_inside(parent);
    if (!parent.children.empty()) delta.push_back(',');
  }
  if (parent.kind == Kind::object) {
    parent.keys.push_back(json_quoted(std::get<std::string>(step)));
    if (exact) delta.append(parent.keys.back()).push_back(':');
    bytes += parent.keys.back().size();
  }
  if (exact) delta.append(opening(child.kind)).append(child.text);
  bytes += child.text.size() + k_node_cost;
  parent.children.push_back(std::move(child));
  return parent.children.back();
}

Result<void> PartialArgs::State::create(const PartialArg& arg, const JsonPath& path,
                                        const Place& place) {
  // A value that is announced, but of which nothing is known yet.
  const bool nothing = std::holds_alternative<std::monostate>(arg.value) && arg.will_continue;
  if (nothing) return {};
  auto leaf = new_node(arg, path.names_array);
  if (!leaf) return mismatch(arg, "not a number");
  if (place.node->children.size() >= k_max_members && place.node->kind == Kind::object) {
    return Error{.code = ErrorCode::too_large, .message = "arguments have too many members"};
  }
  note_change(place);
  Node* node = place.node;
  for (std::size_t i = place.known_steps; i < path.steps.size(); ++i) {
    const bool last = i + 1 == path.steps.size();
    Node child = last ? *std::move(leaf) : Node{.kind = container_for(path.steps[i + 1])};
    node = &add_child(*node, path.steps[i], std::move(child));
  }
  return {};
}

Result<void> PartialArgs::State::change(const PartialArg& arg, const JsonPath& path,
                                        const Place& place) {
  Node& node = *place.node;
  if (path.names_array && node.kind != Kind::array) return mismatch(arg, "no array is there");
  if (std::holds_alternative<std::monostate>(arg.value)) return {};
  if (node.is_container()) return mismatch(arg, "an object or array is there already");
  auto value = new_node(arg, path.names_array);
  if (!value) return mismatch(arg, "not a number");
  if (node.kind == Kind::string && value->kind == Kind::string) {
    if (value->text.empty()) return {};
    note_change(place);
    if (exact) delta += value->text;
    node.text += value->text;
    bytes += value->text.size();
    return {};
  }
  if (node.kind == value->kind && node.text == value->text) return {};
  Place replaced = place;
  replaced.open = false;  // what was shown of it is wrong now
  note_change(replaced);
  bytes += value->text.size();
  node = *std::move(value);
  return {};
}

Result<void> PartialArgs::State::apply(const PartialArg& arg) {
  YUME_TRY(const JsonPath path, parse_json_path(arg.path, k_max_depth));
  if (path.names_array && !std::holds_alternative<std::monostate>(arg.value)) {
    return mismatch(arg, "an array cannot have a value of its own");
  }
  YUME_TRY(const Place place, locate(arg, path));
  awaits_more = arg.will_continue;
  const bool known = place.known_steps == path.steps.size();
  auto done = known ? change(arg, path, place) : create(arg, path, place);
  if (done.ok() && bytes > k_max_bytes) {
    return Error{.code = ErrorCode::too_large, .message = "arguments are too large"};
  }
  return done;
}

PartialArgs::PartialArgs() : state_(std::make_unique<State>()) {}
PartialArgs::~PartialArgs() = default;
PartialArgs::PartialArgs(PartialArgs&&) noexcept = default;
PartialArgs& PartialArgs::operator=(PartialArgs&&) noexcept = default;

Result<void> PartialArgs::apply(const PartialArg& arg) {
  if (!state_->failure && state_->finished) {
    state_->failure = Error{.code = ErrorCode::protocol, .message = "arguments after their end"};
  }
  if (state_->failure) return *state_->failure;
  auto applied = state_->apply(arg);
  if (!applied.ok()) state_->failure = applied.error();
  return applied;
}

bool PartialArgs::awaits_more() const {
  return state_->awaits_more;
}

Result<std::string> PartialArgs::finish() {
  State& state = *state_;
  if (state.failure) return *state.failure;
  std::string text;
  write(state.root, text);
  if (state.finished) return text;
  state.finished = true;
  if (state.exact) state.delta += closing_inside(state.root);
  for (std::size_t i = 0; i < state.repeat.size(); ++i) {
    if (!state.repeat[i]) continue;
    state.delta.append(",").append(state.root.keys[i]).append(":");
    write(state.root.children[i], state.delta);
  }
  state.delta.push_back('}');
  return text;
}

std::string PartialArgs::take_delta() {
  return std::exchange(state_->delta, {});
}

bool PartialArgs::streams_exactly() const {
  return state_->exact;
}

}  // namespace yume::gemini
