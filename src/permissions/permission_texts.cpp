// SPDX-License-Identifier: MIT
#include "permissions/permission_texts.h"

#include "util/path_text.h"

namespace yume::permissions {

std::string not_granted(const std::string& what, const std::string& remedy) {
  return "Claude requested permissions to " + what + ", but you haven't granted it yet. " + remedy;
}

std::string dont_ask_text(const std::string& tool) {
  return "Permission to use " + tool +
         " has been denied because yume-cli is running in don't ask mode. Add a matching rule to "
         "--allowedTools to permit it.";
}

std::string opaque_denial(const std::string& command, const std::string& why) {
  return "Permission to use Bash with command " + command +
         " has been denied: there are deny rules, and whether they match cannot be told, because " +
         why + ". Write the command with plain words only.";
}

std::string closed_denial(const std::string& tool, const std::filesystem::path& path, Closed how) {
  if (how == Closed::own) {
    return "Permission to use " + tool +
           " has been denied: the file holds credentials or the memory of a process, which no "
           "setting opens.";
  }
  return "Permission to use " + tool + " has been denied: " + to_utf8(path) +
         " holds personal credentials. Only an allow rule of the user for this file, such as "
         "Read(/" +
         to_utf8(path) + "), opens it.";
}

std::string closed_inside_denial(const std::filesystem::path& folder) {
  return "Permission to use Bash has been denied: the command would read or list all of " +
         to_utf8(folder) +
         ", which contains credentials. Name the folders that are needed, or run it with "
         "--sandbox workspace-write, where credentials cannot be read.";
}

std::string question_denial(const std::string& tool, const Rule& rule) {
  return not_granted("use " + tool, "The rule " + rule.text() + " (" + rule.origin.name +
                                        ") wants a question each time, and nobody can be asked.");
}

std::string outside_denial(const std::filesystem::path& path) {
  return "Permission denied: " + to_utf8(path) +
         " is outside the working directory. Start with --add-dir " + to_utf8(path.parent_path()) +
         " or --permission-mode bypassPermissions to permit it.";
}

std::string protected_denial(const std::filesystem::path& path) {
  return "Permission denied: " + to_utf8(path) +
         " is a protected file (version control, shell start-up, credentials or "
         "settings). Start with --permission-mode bypassPermissions to permit it.";
}

std::string write_remedy(const std::string& tool, const std::filesystem::path& path,
                         WriteFacts facts) {
  if (facts.is_protected) {
    return "It is a protected file; start with --permission-mode bypassPermissions to permit it.";
  }
  if (facts.inside) {
    return "Start with --permission-mode acceptEdits or --allowedTools " + tool + " to permit it.";
  }
  return "Start with --allowedTools \"Edit(/" + to_utf8(path) + ")\" to permit it.";
}

}  // namespace yume::permissions
