// SPDX-License-Identifier: MIT
// Which models there are (models.json, compiled in and read on first use), what a user's settings
// add to them, and which Gemini model stands in for a Claude name. Unknown gemini ids pass through
// with the traits of their generation; newer ones than any known get the newest.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gemini/model_info.h"
#include "gemini/model_row.h"
#include "util/json_io.h"
#include "util/result.h"

namespace yume::gemini {

// Name, in lower case, to model id or to another name. A family's word ("sonnet") also stands for
// every Claude id with that word in it, "claude" for those that no other entry fits.
using ModelMap = std::map<std::string, std::string, std::less<>>;

// "sonnet=gemini-4-argon,haiku=flash". The error tells which entry is wrong; later entries win.
Result<ModelMap> parse_model_map(std::string_view text);

class ModelCatalog {
 public:
  static const ModelCatalog& built_in();

  // This catalog with more rows, a JSON array in the form of models.json. A row whose id is known
  // changes the fields it names; what a new row leaves out is what was known about its id before.
  // The error names row and field.
  [[nodiscard]] Result<ModelCatalog> with_rows(const RawJson& rows) const;

  // Any id gets an answer; dated and preview variants share the row with the longest fitting id.
  // Prices are those of the given day; without one, those before every dated change.
  [[nodiscard]] ModelInfo info(std::string_view id, Day on = {}) const;

  // Whether a row fits the id; else what info() answers is supposed from its name.
  [[nodiscard]] bool knows(std::string_view id) const;

  // The Gemini id for any name a host may pass: empty, "default", a Claude name or alias, a gemini
  // id in any spelling. The user's map is asked first.
  [[nodiscard]] std::string resolve(std::string_view name, const ModelMap& user = {}) const;

  // The ids that have a row, and the names that are mapped; both in the file's order.
  [[nodiscard]] std::vector<std::string> ids() const;
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& names() const {
    return names_;
  }

 private:
  class DataFile;

  static Result<ModelCatalog> parse(std::string_view data_file);
  [[nodiscard]] ModelCatalog with_rows_read() const;
  [[nodiscard]] ModelRow known_row(std::string_view id, std::size_t count) const;
  [[nodiscard]] std::optional<std::string> mapped(std::string_view name,
                                                  const ModelMap& user) const;

  // A row of the file is read when somebody asks for it: each start needs one or two.
  struct Row {
    std::string id;
    std::optional<ModelRow> read;
  };

  std::shared_ptr<const DataFile> file_;  // what the rows that are not read yet come from
  std::vector<Row> rows_;
  std::vector<std::pair<std::string, std::string>> names_;
};

// The built-in catalog's answers.
std::string resolve_model_id(std::string_view name, const ModelMap& user = {});
ModelInfo model_info(std::string_view id, Day on = {});

}  // namespace yume::gemini
