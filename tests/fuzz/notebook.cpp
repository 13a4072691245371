// SPDX-License-Identifier: MIT
// The first line chooses the edit, the rest is a notebook. Reading it never fails hard; an edited
// one is still a notebook, and a cell that is put in and taken out again leaves no trace.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tools/notebook.h"

namespace {

using namespace yume::tools;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string first(input.substr(0, end));
  const std::string_view text = input.substr(end + 1);
  const auto notebook = parse_notebook(text);
  const CellEdit replace{.mode = CellEditMode::replace,
                         .cell_id = first,
                         .new_source = "a\nb",
                         .cell_type = {},
                         .fresh_id = {}};
  const auto replaced = edit_notebook(text, replace);
  if (replaced.ok()) {
    const auto again = parse_notebook(replaced->text);
    require(notebook.ok() && again.ok() && again->cells.size() == notebook->cells.size());
    require(replaced->cell.source == "a\nb");
  }
  if (!notebook.ok()) return 0;
  CellEdit insert{.mode = CellEditMode::insert,
                  .cell_id = {},
                  .new_source = first.find('\xFF') == std::string::npos ? "x" : "",
                  .cell_type = "code",
                  .fresh_id = "fresh-id"};
  const auto inserted = edit_notebook(text, insert);
  if (!inserted.ok()) return 0;
  const CellEdit remove{.mode = CellEditMode::remove,
                        .cell_id = "cell-0",
                        .new_source = {},
                        .cell_type = {},
                        .fresh_id = {}};
  const auto removed = edit_notebook(inserted->text, remove);
  require(removed.ok());
  require(parse_notebook(removed->text)->cells.size() == notebook->cells.size());
  const bool counted = std::any_of(notebook->cells.begin(), notebook->cells.end(),
                                   [](const Cell& cell) { return cell.id == "cell-0"; });
  if (!notebook->cells.empty() && !counted) require(removed->text == text);
  return 0;
}
