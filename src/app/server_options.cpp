// SPDX-License-Identifier: MIT
#include "app/server_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace yume::app {
namespace {

using platform::Environment;

constexpr std::chrono::milliseconds k_longest_deadline = std::chrono::hours(24);

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_space = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(k_space), text.size()));
  return text.substr(0, text.find_last_not_of(k_space) + 1);
}

// The first of the variables that says something.
std::string variable(const Environment& environment,
                     std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto value = environment.get(name)) {
      if (const std::string_view text = trimmed(*value); !text.empty()) return std::string(text);
    }
  }
  return {};
}

std::string flag_or(const Arguments& arguments, const char* flag, std::string otherwise) {
  const std::string given(trimmed(arguments.value(flag).value_or("")));
  return given.empty() ? std::move(otherwise) : given;
}

std::optional<bool> wants_vertex(const Environment& environment) {
  // The newer name wins.
  std::string text =
      variable(environment, {"GOOGLE_GENAI_USE_ENTERPRISE", "GOOGLE_GENAI_USE_VERTEXAI"});
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text.empty()) return std::nullopt;
  return text == "true" || text == "1";
}

Error usage(std::string message) {
  return {.code = ErrorCode::invalid_argument, .message = "error: " + std::move(message)};
}

Result<gemini::Safety> read_safety(const Arguments& arguments) {
  constexpr std::array<std::pair<std::string_view, gemini::Safety>, 6> k_choices = {{
      {"off", gemini::Safety::off},
      {"none", gemini::Safety::block_none},
      {"high", gemini::Safety::block_only_high},
      {"medium", gemini::Safety::block_medium},
      {"low", gemini::Safety::block_low},
      {"server", gemini::Safety::server},
  }};
  const auto given = arguments.value("safety");
  if (!given) return gemini::Safety::off;
  for (const auto& [name, safety] : k_choices) {
    if (name == *given) return safety;
  }
  return usage("option '--safety <filter>' argument '" + *given +
               "' is invalid. Allowed choices are off, none, high, medium, low, server.");
}

// "A: b, C: d"
Result<std::vector<net::Header>> read_headers(std::string_view text) {
  std::vector<net::Header> headers;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    if (trimmed(entry).empty()) continue;
    const std::size_t colon = entry.find(':');
    const std::string_view name = trimmed(entry.substr(0, colon));
    if (colon == std::string_view::npos || name.empty()) {
      return usage("GEMINI_CLI_CUSTOM_HEADERS must look like 'Name: value, Name: value'");
    }
    headers.push_back({std::string(name), std::string(trimmed(entry.substr(colon + 1)))});
  }
  return headers;
}

// A whole number from 1, under the first of the names that is set.
Result<std::optional<std::int64_t>> read_count(const Environment& environment,
                                               std::initializer_list<std::string_view> names) {
  const std::string text = variable(environment, names);
  if (text.empty()) return std::optional<std::int64_t>();
  std::int64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failure != std::errc() || end != text.data() + text.size() || count < 1) {
    return usage(std::string(*names.begin()) + " is '" + text +
                 "'; it must be a whole number from 1");
  }
  return std::optional(count);
}

Result<net::Deadlines> read_deadlines(const Environment& environment) {
  net::Deadlines deadlines;
  const auto read = [&environment](std::string_view name,
                                   std::chrono::milliseconds& deadline) -> Result<void> {
    YUME_TRY(const auto count, read_count(environment, {name}));
    if (count) deadline = std::min(std::chrono::milliseconds(*count), k_longest_deadline);
    return {};
  };
  for (const auto& [name, deadline] :
       {std::pair{"YUME_CONNECT_TIMEOUT_MS", &deadlines.connect},
        std::pair{"YUME_FIRST_BYTE_TIMEOUT_MS", &deadlines.first_byte},
        std::pair{"YUME_IDLE_TIMEOUT_MS", &deadlines.idle},
        std::pair{"YUME_REPLY_TIMEOUT_MS", &deadlines.total}}) {
    if (auto done = read(name, *deadline); !done.ok()) return std::move(done).error();
  }
  return deadlines;
}

}  // namespace

Result<ServerOptions> read_server_options(const Arguments& arguments,
                                          const Environment& environment) {
  ServerOptions options;
  gemini::EndpointRequest& endpoint = options.endpoint;
  endpoint.api_base = flag_or(arguments, "api-base", "");
  endpoint.gemini_base = variable(environment, {"GOOGLE_GEMINI_BASE_URL"});
  endpoint.vertex_base = variable(environment, {"GOOGLE_VERTEX_BASE_URL"});
  endpoint.vertex = wants_vertex(environment);
  endpoint.project = flag_or(
      arguments, "project",
      variable(environment, {"GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT_ID"}));
  endpoint.location =
      flag_or(arguments, "location", variable(environment, {"GOOGLE_CLOUD_LOCATION"}));
  endpoint.version = variable(environment, {"GOOGLE_GENAI_API_VERSION"});
  options.key_as_bearer = variable(environment, {"GEMINI_API_KEY_AUTH_MECHANISM"}) == "bearer";
  YUME_TRY(options.extra_headers,
           read_headers(variable(environment, {"GEMINI_CLI_CUSTOM_HEADERS"})));
  YUME_TRY(options.safety, read_safety(arguments));
  YUME_TRY(options.max_output_tokens,
           read_count(environment, {"YUME_MAX_OUTPUT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS"}));
  YUME_TRY(options.deadlines, read_deadlines(environment));
  return options;
}

}  // namespace yume::app
