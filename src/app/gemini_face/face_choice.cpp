// SPDX-License-Identifier: MIT
#include "app/gemini_face/face_choice.h"

#include "util/ascii.h"

#include <optional>

namespace yume::app {
namespace {

constexpr std::string_view k_flag = "--as";

// "gemini", also as a link of any place, and as Windows has it.
bool is_called_gemini(std::string_view program) {
  const std::size_t slash = program.find_last_of("/\\");
  const std::string name =
      ascii_lower(slash == std::string_view::npos ? program : program.substr(slash + 1));
  return name == "gemini" || name == "gemini.exe";
}

Result<Face> face_named(const std::string& origin, const std::string& name) {
  if (name == "gemini") return Face::gemini;
  if (name == "claude") return Face::claude;
  return Error{.code = ErrorCode::invalid_argument,
               .message = "error: " + origin + " is '" + name + "'; it can be claude or gemini"};
}

}  // namespace

Result<ChosenFace> choose_face(std::string_view program, const std::vector<std::string>& tokens,
                               const platform::Environment& environment) {
  ChosenFace chosen;
  std::optional<std::string> flag;
  bool flags_over = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    flags_over = flags_over || token == "--";
    if (!flags_over && token == k_flag) {
      flag = i + 1 < tokens.size() ? tokens[++i] : "";
    } else if (!flags_over && token.starts_with(std::string(k_flag) + "=")) {
      flag = token.substr(k_flag.size() + 1);
    } else {
      chosen.tokens.push_back(token);
    }
  }
  if (flag) {
    YUME_TRY(chosen.face, face_named("--as", *flag));
  } else if (const auto variable = environment.get("YUME_CLI_FACE"); variable) {
    YUME_TRY(chosen.face, face_named("YUME_CLI_FACE", *variable));
  } else if (is_called_gemini(program)) {
    chosen.face = Face::gemini;
  }
  return chosen;
}

}  // namespace yume::app
