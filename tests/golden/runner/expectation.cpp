// SPDX-License-Identifier: MIT
#include "golden/runner/expectation.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "golden/runner/line_diff.h"
#include "golden/runner/normalise.h"
#include "golden/runner/standard_values.h"

namespace yume::golden {
namespace {

using Json = nlohmann::ordered_json;

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// Names of headers that never belong to a claim: the transport's business.
bool is_dull(std::string_view name) {
  constexpr std::array<std::string_view, 4> k_dull{"Host", "Content-Length", "User-Agent",
                                                   "Accept"};
  return std::any_of(k_dull.begin(), k_dull.end(),
                     [&](std::string_view dull) { return same_name(name, dull); });
}

Json function_names(const Json& tools) {
  Json names = Json::array();
  if (!tools.is_array()) return names;
  for (const Json& tool : tools) {
    if (!tool.is_object() || !tool.contains("functionDeclarations")) continue;
    for (const Json& function : tool["functionDeclarations"]) {
      if (function.is_object() && function.contains("name")) names.push_back(function["name"]);
    }
  }
  return names;
}

void add_contents(const demo::RecordedRequest& request, const Json& body, Json& out) {
  Json credentials = Json::array();
  for (const char* name : {"x-goog-api-key", "authorization"}) {
    if (request.find_header(name) != nullptr) credentials.push_back(name);
  }
  out["credentials"] = credentials;
  if (!body.is_object()) {
    if (!request.body.empty()) out["body"] = request.body;
    return;
  }
  for (const auto& [key, value] : body.items()) {
    if (key == "contents" || key == "generationConfig" || key == "toolConfig" ||
        key == "continuationToken") {
      out[key] = value;
    } else if (key == "tools") {
      out["functions"] = function_names(value);
    }
  }
}

void add_all(const demo::RecordedRequest& request, const Json& body, Json& out) {
  Json headers = Json::array();
  for (const demo::Header& header : request.headers) {
    if (!is_dull(header.name)) headers.push_back(header.name + ": " + header.value);
  }
  out["headers"] = headers;
  if (request.body.empty()) return;
  out["body"] = body.is_discarded() ? Json(request.body) : body;
}

std::string normalised(Normaliser& normaliser, const std::string& bytes) {
  return is_binary(bytes) ? bytes : normaliser.apply(bytes);
}

// Names first: where they are random, only what stands for them has an order that stays.
void add_changed(const std::string& folder, const FileTree& before, const FileTree& after,
                 Normaliser& normaliser, FileTree& tree) {
  std::map<std::string, const FileState*> changed;
  for (const auto& [name, state] : after) {
    const auto old = before.find(name);
    if (old != before.end() && old->second == state) continue;
    changed[normaliser.apply(name)] = &state;
  }
  for (const auto& [name, state] : changed) {
    tree[folder + name] = {.bytes = normalised(normaliser, state->bytes),
                           .executable = state->executable};
  }
}

std::string describe(const std::string& name, const FileState& expected, const FileState& actual) {
  std::string out = "expect/" + name + " differs (- expected, + actual):\n";
  if (expected.executable != actual.executable) {
    out += actual.executable ? "actual is executable\n" : "actual is not executable\n";
  }
  if (expected.bytes == actual.bytes) return out;
  if (is_binary(expected.bytes) || is_binary(actual.bytes)) {
    return out + "binary, " + std::to_string(expected.bytes.size()) + " bytes expected, " +
           std::to_string(actual.bytes.size()) + " came\n";
  }
  return out + line_diff(expected.bytes, actual.bytes);
}

}  // namespace

std::string request_text(const demo::RecordedRequest& request, RequestDetail detail) {
  const Json body = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  Json out{{"method", request.method}, {"target", request.target}};
  if (detail == RequestDetail::full) {
    add_all(request, body, out);
  } else {
    add_contents(request, body, out);
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string stdout_name(const GoldenCase& golden) {
  for (const char* name : {"stdout.txt", "stdout.ndjson"}) {
    if (std::filesystem::exists(golden.folder / "expect" / name)) return name;
  }
  const bool json = std::any_of(golden.args.begin(), golden.args.end(), [](const std::string& arg) {
    return arg.ends_with("stream-json") || arg == "json" || arg.ends_with("format=json");
  });
  return json ? "stdout.ndjson" : "stdout.txt";
}

FileTree actual_tree(const GoldenCase& golden, const Observation& seen,
                     const std::vector<Literal>& standard_values) {
  Normaliser normaliser(seen.literals);
  FileTree tree;
  if (!seen.stdout_text.empty()) {
    tree[stdout_name(golden)].bytes = normaliser.apply(seen.stdout_text);
  }
  if (golden.requests != RequestDetail::none) {
    for (std::size_t i = 0; i < seen.requests.size(); ++i) {
      tree["requests/" + two_digits(i + 1) + ".json"].bytes =
          normaliser.apply(request_text(seen.requests[i], golden.requests));
    }
  }
  add_changed("files/", seen.files_before, seen.files_after, normaliser, tree);
  if (golden.compares_home) {
    add_changed("home/", seen.home_before, seen.home_after, normaliser, tree);
  }
  std::string deleted;
  for (const auto& [name, state] : seen.files_before) {
    if (!seen.files_after.contains(name)) deleted += name + "\n";
  }
  if (!deleted.empty()) tree["deleted"].bytes = deleted;
  if (!seen.stderr_text.empty()) tree["stderr"].bytes = normaliser.apply(seen.stderr_text);
  if (!golden.defines.empty()) return tree;
  for (auto& [name, state] : tree) {
    if (!is_binary(state.bytes)) state.bytes = with_macros(std::move(state.bytes), standard_values);
  }
  return tree;
}

std::vector<std::string> differences(const FileTree& expected, const FileTree& actual) {
  std::vector<std::string> out;
  for (const auto& [name, state] : expected) {
    const auto found = actual.find(name);
    if (found == actual.end()) {
      out.push_back(describe(name, state, FileState{.executable = state.executable}));
    } else if (found->second != state) {
      out.push_back(describe(name, state, found->second));
    }
  }
  for (const auto& [name, state] : actual) {
    if (!expected.contains(name)) {
      out.push_back(describe(name, FileState{.executable = state.executable}, state));
    }
  }
  return out;
}

}  // namespace yume::golden
