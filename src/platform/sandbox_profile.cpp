// SPDX-License-Identifier: MIT
#include "platform/sandbox_profile.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "util/path_order.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

// A string of the profile's language, which is that of TinyScheme.
std::string quoted(const fs::path& path) {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string text = "\"";
  for (const char c : to_utf8(path)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text.append("\\").push_back(c);
    } else if (byte < 0x20 || byte == 0x7F) {
      text.append("\\x").push_back(k_digits[byte >> 4U]);
      text.push_back(k_digits[byte & 0xFU]);
    } else {
      text.push_back(c);
    }
  }
  return text + "\"";
}

// Of a rule that matches nothing the system would make one that matches everything.
std::string rule(std::string_view head, std::string_view filter, const Paths& paths) {
  if (paths.empty()) return {};
  std::string text = "(" + std::string(head);
  for (const fs::path& path : paths) {
    text.append("\n  (").append(filter).append(" ").append(quoted(path)).append(")");
  }
  return text + ")\n";
}

bool is_inside_any(const fs::path& path, const Paths& roots) {
  return std::any_of(roots.begin(), roots.end(),
                     [&](const fs::path& root) { return lies_strictly_inside(path, root); });
}

// Folders that cannot be renamed, or what is read-only in them would lie somewhere else.
Paths folders_on_the_way(const Paths& outer, const Paths& inner) {
  std::set<fs::path> found;
  for (const fs::path& path : inner) {
    for (fs::path folder = path.parent_path(); is_inside_any(folder, outer);
         folder = folder.parent_path()) {
      found.insert(folder);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::string sandbox_profile(const Sandbox& sandbox, const RealPath& real_path) {
  Sandbox whole = sandbox;
  if (!whole.temporary.empty()) whole.writable.push_back(whole.temporary);
  const SandboxPlaces places = real_places(whole, real_path);
  Paths reopened = places.writable;
  std::erase_if(reopened,
                [&](const fs::path& path) { return !is_inside_any(path, places.read_only); });
  // The last rule that fits counts.
  std::string text = "(version 1)\n(allow default)\n(deny file-write*)\n";
  text += rule("allow file-write*", "literal",
               {"/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"});
  text += "(allow file-write* (regex #\"^/dev/(ptmx|ttys[0-9]+)$\"))\n";
  text += rule("allow file-write*", "subpath", places.writable);
  text += rule("deny file-write*", "subpath", places.read_only);
  text += rule("deny file-write-unlink", "literal",
               folders_on_the_way(places.writable, places.read_only));
  text += rule("allow file-write*", "subpath", reopened);
  text += rule("deny file-read* file-write*", "subpath", places.closed);
  text += rule("deny network-outbound", "subpath", places.closed_sockets);
  if (sandbox.network == NetworkAccess::denied) text += "(deny network*)\n";
  // Programs that the system would start outside the wall: `open`, `osascript`.
  text += "(deny lsopen)\n(deny appleevent-send)\n";
  text += "(deny signal)\n(allow signal (target same-sandbox))\n";
  text += "(deny process-info*)\n(allow process-info* (target same-sandbox))\n";
  return text;
}

std::vector<std::string> sandbox_starter(const std::string& profile) {
  return {"/usr/bin/sandbox-exec", "-p", profile};
}

}  // namespace yume::platform
