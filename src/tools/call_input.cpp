// SPDX-License-Identifier: MIT
#include "tools/call_input.h"

#include "tools/aliases.h"
#include "util/json_tree.h"

#include <utility>

namespace yume::tools {
namespace {

constexpr int k_deepest = 64;

}  // namespace

CallInput read_call_input(std::string_view called, std::string args) {
  CallInput input{.given = {std::move(args)}};
  if (const auto fine = check_json(input.given.text, k_deepest); !fine.ok()) {
    input.problem = fine.error().message;
    return input;
  }
  nlohmann::json fields = read_json(input.given.text);
  if (rename_fields(called, fields)) input.renamed = RawJson{write_json(fields)};
  input.fields = std::make_shared<const nlohmann::json>(std::move(fields));
  return input;
}

}  // namespace yume::tools
