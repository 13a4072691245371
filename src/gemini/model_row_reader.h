// SPDX-License-Identifier: MIT
// Reading a line of models.json, or of a user's settings in the same form (docs/models.md).
#pragma once

#include <simdjson.h>

#include <string>

#include "gemini/model_row.h"

namespace yume::gemini {

// The row's id. The error says what is wrong with it.
Result<std::string> read_row_id(simdjson::dom::element row);

// Changes in `known` what the row names. The error names the field and what it should hold.
Result<void> read_row(simdjson::dom::element row, ModelRow& known);

}  // namespace yume::gemini
