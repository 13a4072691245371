// SPDX-License-Identifier: MIT
#include "tools/args.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace yume::tools {
namespace {

using nlohmann::json;

std::optional<std::int64_t> as_integer(const json& value) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    return std::nullopt;
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::trunc(number) == number && std::abs(number) < 9e15) {
      return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
  }
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

ArgReader::ArgReader(std::string_view tool, const json& input) : tool_(tool), input_(input) {}

const json* ArgReader::find(const char* name) {
  known_.emplace_back(name);
  const auto found = input_.find(name);
  return found == input_.end() || found->is_null() ? nullptr : &*found;
}

std::string ArgReader::required_string(const char* name) {
  const json* value = find(name);
  if (value == nullptr) {
    problems_.push_back("The required parameter " + named(name) + " is missing");
    return {};
  }
  if (!value->is_string()) {
    problems_.push_back("The parameter " + named(name) + " must be a string");
    return {};
  }
  return value->get<std::string>();
}

std::optional<std::string> ArgReader::optional_string(const char* name) {
  const json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) {
    problems_.push_back("The parameter " + named(name) + " must be a string");
    return std::nullopt;
  }
  return value->get<std::string>();
}

std::optional<std::int64_t> ArgReader::optional_integer(const char* name) {
  const json* value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::int64_t> number = as_integer(*value);
  if (!number) problems_.push_back("The parameter " + named(name) + " must be an integer");
  return number;
}

bool ArgReader::optional_bool(const char* name, bool otherwise) {
  const json* value = find(name);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  if (*value == "true") return true;
  if (*value == "false") return false;
  problems_.push_back("The parameter " + named(name) + " must be true or false");
  return otherwise;
}

std::vector<std::string> ArgReader::optional_strings(const char* name) {
  const json* value = find(name);
  if (value == nullptr) return {};
  if (value->is_string()) return {value->get<std::string>()};
  const bool fine =
      value->is_array() &&
      std::all_of(value->begin(), value->end(), [](const json& one) { return one.is_string(); });
  if (fine) return value->get<std::vector<std::string>>();
  problems_.push_back("The parameter " + named(name) + " must be an array of strings");
  return {};
}

std::vector<ArgReader> ArgReader::required_objects(const char* name) {
  const json* value = find(name);
  if (value == nullptr) {
    problems_.push_back("The required parameter " + named(name) + " is missing");
    return {};
  }
  const bool fine =
      value->is_array() &&
      std::all_of(value->begin(), value->end(), [](const json& one) { return one.is_object(); });
  if (!fine) {
    problems_.push_back("The parameter " + named(name) + " must be an array of objects");
    return {};
  }
  std::vector<ArgReader> readers;
  for (const json& one : *value) {
    readers.emplace_back(tool_, one);
    readers.back().prefix_ = std::string(name) + "[" + std::to_string(readers.size() - 1) + "].";
  }
  return readers;
}

void ArgReader::adopt(ArgReader& part) {
  part.find_unknown();
  problems_.insert(problems_.end(), part.problems_.begin(), part.problems_.end());
}

void ArgReader::find_unknown() {
  for (const auto& [name, value] : input_.items()) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      problems_.push_back("An unexpected parameter " + named(name.c_str()) + " was provided");
    }
  }
}

std::optional<core::ToolOutcome> ArgReader::problems() {
  find_unknown();
  if (problems_.empty()) return std::nullopt;
  std::string text = "InputValidationError: " + tool_ + " failed due to the following " +
                     (problems_.size() == 1 ? "issue:" : "issues:");
  for (const std::string& problem : problems_) text += "\n" + problem;
  return refused_input(text);
}

core::ToolOutcome refused_input(std::string_view text) {
  core::ToolOutcome outcome;
  outcome.is_error = true;
  outcome.content.append("<tool_use_error>").append(text).append("</tool_use_error>");
  outcome.details = core::CallFailed{std::string(text)};
  return outcome;
}

}  // namespace yume::tools
