// SPDX-License-Identifier: MIT
// Jupyter notebooks (.ipynb): their cells for reading, and changing one cell so that every byte of
// the others stays. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/media.h"
#include "core/tool_details.h"
#include "util/result.h"

namespace yume::tools {

struct CellOutput {
  std::string type;  // "stream", "execute_result", "display_data", "error"
  std::string text;
  std::optional<core::Media> image;
  std::string image_problem = {};  // in the place of a picture that cannot be shown
};

struct Cell {
  std::string id;    // its own, or "cell-N" for the Nth, counted from 0
  std::string type;  // "code", "markdown", "raw"
  std::string source;
  std::string language;  // of a code cell
  std::optional<std::int64_t> execution_count;
  std::vector<CellOutput> outputs;
};

struct Notebook {
  std::string language;
  std::vector<Cell> cells;
};

// Error: why the text is no notebook.
Result<Notebook> parse_notebook(std::string_view text);

using core::CellEditMode;

struct CellEdit {
  CellEditMode mode = CellEditMode::replace;
  std::optional<std::string> cell_id;  // for insert: the cell before; none: at the beginning
  std::string new_source;
  std::optional<std::string> cell_type;  // "code" or "markdown"
  std::string fresh_id;                  // for a new cell, where the format has ids
};

struct EditedNotebook {
  std::string text;
  Cell cell;  // as it is now; for remove: as it was
  std::string old_source;
  std::string language;
};

// Errors carry the words for the model.
Result<EditedNotebook> edit_notebook(std::string_view text, const CellEdit& edit);

}  // namespace yume::tools
