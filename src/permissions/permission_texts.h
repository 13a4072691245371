// SPDX-License-Identifier: MIT
// What a model, a host and a person read about a refusal: what happened, why, what to do. Claude's
// words where hosts look for them. Pure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "permissions/policy.h"

namespace yume::permissions {

inline constexpr std::string_view k_vital_removal =
    "Permission denied: this command would remove the file system's root, the home directory "
    "or the working directory. Name the files to remove one by one.";

inline constexpr std::string_view k_bypass_not_permitted =
    "bypassPermissions was not permitted when the session began. Start it with "
    "--dangerously-skip-permissions or --allow-dangerously-skip-permissions.";

// "Claude requested permissions to WHAT, but you haven't granted it yet. REMEDY"
std::string not_granted(const std::string& what, const std::string& remedy);
std::string closed_inside_denial(const std::filesystem::path& folder);
std::string dont_ask_text(const std::string& tool);
std::string opaque_denial(const std::string& command, const std::string& why);
std::string closed_denial(const std::string& tool, const std::filesystem::path& path, Closed how);
std::string question_denial(const std::string& tool, const Rule& rule);
std::string outside_denial(const std::filesystem::path& path);
std::string protected_denial(const std::filesystem::path& path);

struct WriteFacts {
  bool inside = false;
  bool is_protected = false;
};
// What would permit this write.
std::string write_remedy(const std::string& tool, const std::filesystem::path& path,
                         WriteFacts facts);

}  // namespace yume::permissions
