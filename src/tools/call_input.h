// SPDX-License-Identifier: MIT
// The arguments of a call, read once: what hosts are shown and what the tool plans with come from
// the same reading. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "util/json_io.h"

namespace yume::tools {

struct CallInput {
  RawJson given;                                  // as the model wrote it
  std::optional<RawJson> renamed = std::nullopt;  // under our names, where the model used others
  // Either of them, read; null when it cannot be used. Shared because the type is not complete
  // here, and never changed.
  std::shared_ptr<const nlohmann::json> fields = nullptr;
  std::string problem = {};  // why it cannot be used

  // What hosts see of it.
  [[nodiscard]] const RawJson& shown() const { return renamed ? *renamed : given; }
};

// `called` is the model's name for the tool, `args` a JSON object.
CallInput read_call_input(std::string_view called, std::string args);

}  // namespace yume::tools
