// SPDX-License-Identifier: MIT
#include "gemini/model_catalog.h"

#include "gemini/data_texts.h"
#include "gemini/model_row_reader.h"
#include "util/json_walk.h"

#include <algorithm>
#include <cstdlib>

namespace yume::gemini {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view k_spaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(k_spaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(k_spaces) - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
}

// "gemini-3.8-flash" fits "gemini-3.8-flash-preview", but not "gemini-3.8-flashy".
bool fits(std::string_view row_id, std::string_view id) {
  return id.starts_with(row_id) &&
         (id.size() == row_id.size() || !is_word_character(id[row_id.size()]));
}

// "sonnet" is a word of "us.anthropic.claude-sonnet-4-5-20250929-v1:0".
bool has_word(std::string_view id, std::string_view word) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  for (std::size_t at = id.find(word); at != id.npos; at = id.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(id[at - 1])) && (end == id.size() || !is_letter(id[end]))) {
      return true;
    }
  }
  return false;
}

// Without the path of a resource ("models/x", "publishers/google/models/x") or of a vendor.
std::string_view without_path(std::string_view name) {
  const std::size_t models = name.rfind("models/");
  if (models != name.npos && (models == 0 || name[models - 1] == '/')) {
    return name.substr(models + std::string_view("models/").size());
  }
  for (const std::string_view vendor : {"google/", "anthropic/"}) {
    if (name.starts_with(vendor)) return name.substr(vendor.size());
  }
  return name;
}

// Without the mark of a variant that Claude puts in brackets: "sonnet[1m]".
std::string_view without_variant(std::string_view name) {
  const std::size_t bracket = name.find('[');
  return name.ends_with(']') ? name.substr(0, bracket) : name;
}

// The one of the first `count` rows with the longest id that fits; `count` when none does.
template <class Row>
std::size_t fitting_row(const std::vector<Row>& rows, std::string_view id, std::size_t count) {
  std::size_t best = count;
  for (std::size_t i = 0; i < count; ++i) {
    const bool longer = best == count || rows[i].id.size() > rows[best].id.size();
    if (longer && fits(rows[i].id, id)) best = i;
  }
  return best;
}

Error in_row(std::size_t number, const std::string& id, const Error& error) {
  const std::string name = id.empty() ? "" : " (" + id + ")";
  return {.code = error.code,
          .message = "row " + std::to_string(number) + name + ": " + error.message};
}

}  // namespace

Result<ModelMap> parse_model_map(std::string_view text) {
  ModelMap map;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view entry = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (entry.empty()) continue;
    const std::size_t equals = std::min(entry.find('='), entry.size() - 1);
    const std::string_view name = trimmed(entry.substr(0, equals));
    const std::string_view id = trimmed(entry.substr(equals + 1));
    if (name.empty() || id.empty()) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "'" + std::string(entry) + "' is not of the form name=model"};
    }
    map.insert_or_assign(lower(name), std::string(id));
  }
  return map;
}

// models.json, taken apart but not read.
class ModelCatalog::DataFile {
 public:
  Result<void> parse(std::string_view text) {
    dom::object file;
    const bool good = json_walk::with_memory(parser_.parse(json_walk::padded(text)).get(file)) ==
                          simdjson::SUCCESS &&
                      file["names"].get(names) == simdjson::SUCCESS &&
                      file["models"].get(rows) == simdjson::SUCCESS;
    if (good) return {};
    return Error{.code = ErrorCode::internal, .message = "models.json lacks names or models"};
  }

  dom::object names;
  dom::array rows;

 private:
  dom::parser parser_;  // the above point into it
};

const ModelCatalog& ModelCatalog::built_in() {
  static const ModelCatalog catalog = [] {
    auto parsed = parse(data_text("models"));
    if (!parsed.ok()) std::abort();  // the file is part of the program; a test reads it
    return std::move(parsed).value();
  }();
  return catalog;
}

Result<ModelCatalog> ModelCatalog::parse(std::string_view data_file) {
  const auto file = std::make_shared<DataFile>();
  if (auto parsed = file->parse(data_file); !parsed.ok()) return parsed.error();
  ModelCatalog catalog;
  for (const auto [name, id] : file->names) {
    std::string_view text;
    if (id.get(text) != simdjson::SUCCESS) {
      return Error{.code = ErrorCode::internal, .message = "models.json: a name has no id"};
    }
    catalog.names_.emplace_back(name, text);
  }
  for (const dom::element row : file->rows) {
    YUME_TRY(std::string id, read_row_id(row));
    catalog.rows_.push_back({.id = std::move(id), .read = std::nullopt});
  }
  catalog.file_ = file;
  return catalog;
}

// What the first `count` rows tell about an id: its family's row, or what its name lets suppose.
ModelRow ModelCatalog::known_row(std::string_view id, std::size_t count) const {
  const std::size_t index = fitting_row(rows_, id, count);
  ModelRow row;
  if (index == count) {
    row = supposed_row(id);
  } else if (rows_[index].read) {
    row = *rows_[index].read;
  } else {
    row = known_row(rows_[index].id, index);
    // The file is part of the program, and a test reads all of its rows.
    if (!read_row(file_->rows.at(index).value_unsafe(), row).ok()) std::abort();
  }
  row.info.id = std::string(id);
  row.info.is_thinking_named = id.find("thinking") != id.npos;
  return row;
}

// What a user says about a row changes no other row of the file.
ModelCatalog ModelCatalog::with_rows_read() const {
  ModelCatalog catalog = *this;
  for (std::size_t i = 0; i < catalog.rows_.size(); ++i) {
    Row& row = catalog.rows_[i];
    if (!row.read) row.read = catalog.known_row(row.id, i + 1);
  }
  return catalog;
}

Result<ModelCatalog> ModelCatalog::with_rows(const RawJson& rows) const {
  dom::parser parser;
  dom::element json;
  if (json_walk::with_memory(parser.parse(rows.text).get(json)) != simdjson::SUCCESS) {
    return Error{.code = ErrorCode::invalid_argument, .message = "not JSON"};
  }
  dom::array array;
  if (json.get(array) != simdjson::SUCCESS) {
    return Error{.code = ErrorCode::invalid_argument, .message = "not a list of rows"};
  }
  ModelCatalog catalog = with_rows_read();
  std::size_t number = 0;
  for (const dom::element element : array) {
    ++number;
    const auto id = read_row_id(element);
    if (!id.ok()) return in_row(number, "", id.error());
    ModelRow row = catalog.known_row(*id, catalog.rows_.size());
    if (const auto read = read_row(element, row); !read.ok()) {
      return in_row(number, *id, read.error());
    }
    auto place = std::find_if(catalog.rows_.begin(), catalog.rows_.end(),
                              [&id](const Row& one) { return one.id == *id; });
    if (place == catalog.rows_.end()) place = catalog.rows_.insert(place, Row{*id, {}});
    place->read = std::move(row);
  }
  return catalog;
}

ModelInfo ModelCatalog::info(std::string_view id, Day on) const {
  ModelRow row = known_row(id, rows_.size());
  row.info.prices = row.prices_on(on);
  return std::move(row.info);
}

bool ModelCatalog::knows(std::string_view id) const {
  return fitting_row(rows_, id, rows_.size()) != rows_.size();
}

// One step: the user's word first, then ours. A Claude id is found by the family in it.
std::optional<std::string> ModelCatalog::mapped(std::string_view name, const ModelMap& user) const {
  if (const auto exact = user.find(name); exact != user.end()) return exact->second;
  const bool is_claude = name.find("claude") != name.npos;
  if (is_claude) {
    for (const auto& [word, id] : user) {
      if (word != "claude" && has_word(name, word)) return id;
    }
    if (const auto any = user.find("claude"); any != user.end()) return any->second;
  }
  for (const auto& [word, id] : names_) {
    if (name == word || (is_claude && has_word(name, word))) return id;
  }
  return is_claude ? mapped("default", user) : std::nullopt;
}

std::string ModelCatalog::resolve(std::string_view name, const ModelMap& user) const {
  const std::string_view given = without_path(trimmed(name));
  std::string key = lower(given);
  if (key.empty()) key = "default";
  std::optional<std::string> target;
  if (const auto variant = user.find(key); variant != user.end()) target = variant->second;
  if (!target) target = mapped(without_variant(key), user);
  if (target) {
    // What a user maps to may be one of our names; asking the user's map again could go in circles.
    const std::string_view id = without_path(trimmed(*target));
    return mapped(without_variant(lower(id)), {}).value_or(std::string(id));
  }
  const bool ours = key.starts_with("gemini") || key.starts_with("gemma");
  return ours ? key : std::string(given);
}

std::vector<std::string> ModelCatalog::ids() const {
  std::vector<std::string> ids;
  for (const Row& row : rows_) ids.push_back(row.id);
  return ids;
}

std::string resolve_model_id(std::string_view name, const ModelMap& user) {
  return ModelCatalog::built_in().resolve(name, user);
}

ModelInfo model_info(std::string_view id, Day on) {
  return ModelCatalog::built_in().info(id, on);
}

}  // namespace yume::gemini
