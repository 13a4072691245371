// SPDX-License-Identifier: MIT
// One text of settings, read: what a settings.json or --settings says. Keys that mean nothing here
// are left alone; a mistake in one that does is an error, never half read. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "config/permission_settings.h"
#include "config/sandbox_settings.h"
#include "gemini/model_catalog.h"
#include "hooks/hook_settings.h"
#include "util/json_io.h"
#include "util/result.h"

namespace yume::config {

// Whether the Yume app is shown a text that still grows, and how often at most.
struct LiveText {
  bool on = true;
  std::optional<std::chrono::milliseconds> gap = {};  // absent: the usual one

  friend bool operator==(const LiveText&, const LiveText&) = default;
};

struct Settings {
  std::optional<std::string> model = {};               // `model`: what to use when none is named
  std::optional<std::string> gcloud_path = {};         // `gcloudPath`, absolute
  std::optional<std::string> dialect = {};             // `dialect`
  std::optional<LiveText> live_text = {};              // `liveText`
  gemini::ModelMap model_map = {};                     // `modelMap`
  std::optional<RawJson> models = {};                  // `models`: rows for the catalog
  std::optional<double> compact_threshold = {};        // `compactThreshold`, a share of the window
  std::optional<std::size_t> max_message_bytes = {};   // `maxMessageSize`
  hooks::HookSettings hooks = {};                      // `hooks`
  std::optional<PermissionSettings> permissions = {};  // `permissions`
  std::optional<SandboxSettings> sandbox = {};         // `sandbox`
  std::optional<RawJson> mcp_servers = {};             // `mcpServers`, by name
};

// The message names key and reason.
Result<Settings> parse_settings(std::string_view text);

// "70%", "70" or "0.7"; nullopt when it is none, or outside 10% to 95%.
std::optional<double> parse_share(std::string_view text);

// "on", "off", or the milliseconds between two lines, at most a minute; nullopt when it is none.
std::optional<LiveText> parse_live_text(std::string_view text);

// The dialect that a text of settings names, by a mere look at its characters: also one that
// cannot be read, so that whoever reports that knows to whom.
std::optional<std::string> find_dialect(std::string_view text);

// The longest message that is read from stdin. 100 MB of data is what Gemini takes within a
// request, counted in base64; the rest is room for how a host may write it (`+` as \u002b makes
// base64 a twelfth longer) and for text beside it.
inline constexpr std::size_t k_max_message_bytes = 128U << 20U;
// "64M"; nullopt when it is none, or outside 1K to 1G.
std::optional<std::size_t> parse_message_size(std::string_view text);

}  // namespace yume::config
