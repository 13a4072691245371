// SPDX-License-Identifier: MIT
#include "tools/notebook.h"

#include "core/media_check.h"
#include "tools/json_spans.h"
#include "tools/line_diff.h"
#include "tools/line_endings.h"
#include "tools/text_encoding.h"
#include "util/escape_codes.h"
#include "util/json_io.h"
#include "util/json_tree.h"

#include <algorithm>
#include <utility>

namespace yume::tools {
namespace {

using json = nlohmann::ordered_json;

constexpr int k_deepest = 100;

Error no_notebook(std::string why) {
  return Error{.code = ErrorCode::invalid_argument, .message = std::move(why)};
}

const json& member(const json& object, const char* name) {
  static const json k_nothing;
  if (!object.is_object()) return k_nothing;
  const auto found = object.find(name);
  return found == object.end() ? k_nothing : *found;
}

// A text that may be cut into an array of lines.
std::string joined(const json& text) {
  if (text.is_string()) return text.get<std::string>();
  std::string out;
  if (text.is_array()) {
    for (const json& line : text) {
      if (line.is_string()) out += line.get_ref<const std::string&>();
    }
  }
  return out;
}

std::string language_of(const json& notebook) {
  const json& metadata = member(notebook, "metadata");
  for (const json* name : {&member(member(metadata, "language_info"), "name"),
                           &member(member(metadata, "kernelspec"), "language")}) {
    if (name->is_string()) return name->get<std::string>();
  }
  return "python";
}

void add_image(const json& data, CellOutput& out) {
  for (const char* type : {"image/png", "image/jpeg"}) {
    std::string base64 = joined(member(data, type));
    std::erase_if(base64, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
    if (base64.empty()) continue;
    core::Media media{.mime_type = type, .base64 = std::move(base64)};
    if (const auto fault = core::media_fault(media)) {
      out.image_problem = core::withheld_text(media, *fault);
    } else {
      out.image = std::move(media);
    }
    return;
  }
}

CellOutput output_of(const json& output) {
  CellOutput out{.type = joined(member(output, "output_type")), .text = {}, .image = {}};
  if (out.type == "stream") {
    out.text = joined(member(output, "text"));
  } else if (out.type == "error") {
    out.text = joined(member(output, "ename")) + ": " + joined(member(output, "evalue"));
    for (const json& line : member(output, "traceback")) out.text += "\n" + joined(line);
  } else {
    const json& data = member(output, "data");
    out.text = joined(member(data, "text/plain"));
    add_image(data, out);
  }
  // Kernels colour what they print, tracebacks above all, whoever will read it.
  out.text = without_escape_codes(out.text);
  return out;
}

std::string id_of(const json& cell, std::size_t index) {
  const json& id = member(cell, "id");
  return id.is_string() ? id.get<std::string>() : "cell-" + std::to_string(index);
}

Cell cell_of(const json& cell, std::size_t index, const std::string& language) {
  Cell out;
  out.id = id_of(cell, index);
  out.type = joined(member(cell, "cell_type"));
  out.source = joined(member(cell, "source"));
  if (out.type != "code") return out;
  out.language = language;
  if (const json& count = member(cell, "execution_count"); count.is_number_integer()) {
    out.execution_count = count.get<std::int64_t>();
  }
  if (const json& outputs = member(cell, "outputs"); outputs.is_array()) {
    for (const json& output : outputs) out.outputs.push_back(output_of(output));
  }
  return out;
}

Result<json> parse(std::string_view text) {
  if (const auto fine = check_json(text, k_deepest); !fine) {
    return no_notebook("it is not valid JSON (" + fine.error().message + ")");
  }
  json notebook = read_ordered_json(text);
  if (notebook.is_discarded()) return no_notebook("it is not valid JSON");
  if (!member(notebook, "cells").is_array()) return no_notebook("it has no array of cells");
  return notebook;
}

// How the file is written.
struct Style {
  std::string unit;  // one step of indentation; empty: all on one line
  std::string end = "\n";
};

Style style_of(std::string_view text) {
  Style style;
  const std::size_t brace = text.find('{');
  const std::size_t next = text.find_first_not_of(" \t\r\n", brace + 1);
  if (brace == std::string_view::npos || next == std::string_view::npos) return style;
  const std::string_view gap = text.substr(brace + 1, next - brace - 1);
  const std::size_t line = gap.rfind('\n');
  if (line != std::string_view::npos) style.unit = gap.substr(line + 1);
  if (line_ends_of(text) == LineEnds::crlf) style.end = "\r\n";
  return style;
}

std::string written(const json& cell, const Style& style) {
  if (style.unit.empty()) return write_json(cell);
  const std::string text = write_json(cell, {.indent = static_cast<int>(style.unit.size()),
                                             .indent_character = style.unit.front()});
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += style.end + style.unit + style.unit;
    } else {
      out.push_back(c);
    }
  }
  return out;
}

json source_as(const std::string& source, bool as_lines) {
  if (!as_lines) return source;
  json lines = json::array();
  for (const std::string_view line : lines_with_ends(source)) lines.push_back(std::string(line));
  return lines;
}

// One edit on its way.
class CellEditor {
 public:
  CellEditor(std::string_view text, json notebook, JsonArraySpans spans, const CellEdit& edit)
      : text_(text),
        notebook_(std::move(notebook)),
        spans_(std::move(spans)),
        edit_(edit),
        style_(style_of(text)),
        language_(language_of(notebook_)) {}

  Result<EditedNotebook> run() {
    if (edit_.mode == CellEditMode::insert && !edit_.cell_type) {
      return no_notebook("Cell type is required when using edit_mode=insert.");
    }
    if (edit_.mode != CellEditMode::insert && !edit_.cell_id) {
      return no_notebook("Cell ID must be specified when not inserting a new cell.");
    }
    std::optional<std::size_t> index;
    if (edit_.cell_id) {
      index = index_of(*edit_.cell_id);
      if (!index)
        return no_notebook("Cell with ID \"" + *edit_.cell_id + "\" not found in notebook.");
    }
    switch (edit_.mode) {
      case CellEditMode::replace:
        return replace(*index);
      case CellEditMode::insert:
        return insert(index ? *index + 1 : 0);
      case CellEditMode::remove:
        return remove(*index);
    }
    return no_notebook("unknown edit mode");
  }

 private:
  json& cells() { return notebook_["cells"]; }

  std::optional<std::size_t> index_of(const std::string& id) {
    for (std::size_t i = 0; i < cells().size(); ++i) {
      if (id_of(cells()[i], i) == id) return i;
    }
    // A cell with an id of its own may still be counted.
    for (std::size_t i = 0; i < cells().size(); ++i) {
      if ("cell-" + std::to_string(i) == id) return i;
    }
    return std::nullopt;
  }

  Result<EditedNotebook> replace(std::size_t index) {
    json& cell = cells()[index];
    if (!cell.is_object()) return no_notebook("the cell is not an object");
    const std::string old_source = joined(member(cell, "source"));
    cell["source"] = source_as(edit_.new_source, !member(cell, "source").is_string());
    if (edit_.cell_type) cell["cell_type"] = *edit_.cell_type;
    if (joined(member(cell, "cell_type")) == "code") {
      // What ran before is not what stands there now.
      cell["execution_count"] = nullptr;
      cell["outputs"] = json::array();
    } else {
      cell.erase("execution_count");
      cell.erase("outputs");
    }
    const JsonSpan& span = spans_.elements[index];
    return finish(spliced(span, written(cell, style_)), index, old_source);
  }

  Result<EditedNotebook> insert(std::size_t index) {
    const json cell = fresh_cell();
    cells().insert(cells().begin() + static_cast<std::ptrdiff_t>(index), cell);
    const std::string text = written(cell, style_);
    const auto& elements = spans_.elements;
    JsonSpan place = spans_.whole;
    std::string added;
    if (elements.empty()) {
      const std::string line = style_.unit.empty() ? "" : style_.end + style_.unit;
      added = "[" + line + style_.unit + text + line + "]";
    } else if (index == 0) {
      place = {elements[0].begin, elements[0].begin};
      added = text + "," + gap_before(0);
    } else {
      place = {elements[index - 1].end, elements[index - 1].end};
      added = "," + gap_before(index - 1) + text;
    }
    return finish(spliced(place, added), index, "");
  }

  Result<EditedNotebook> remove(std::size_t index) {
    const auto& elements = spans_.elements;
    const Cell old = cell_of(cells()[index], index, language_);
    cells().erase(cells().begin() + static_cast<std::ptrdiff_t>(index));
    JsonSpan place = {spans_.whole.begin + 1, spans_.whole.end - 1};
    if (elements.size() > 1) {
      place = index == 0 ? JsonSpan{elements[0].begin, elements[1].begin}
                         : JsonSpan{elements[index - 1].end, elements[index].end};
    }
    YUME_TRY(std::string text, checked(spliced(place, "")));
    return EditedNotebook{
        .text = std::move(text), .cell = old, .old_source = old.source, .language = language_};
  }

  json fresh_cell() {
    const bool code = *edit_.cell_type == "code";
    const bool as_lines = cells().empty() || !member(cells()[0], "source").is_string();
    json cell = json::object();
    cell["cell_type"] = *edit_.cell_type;
    if (code) cell["execution_count"] = nullptr;
    if (has_ids()) cell["id"] = edit_.fresh_id;
    cell["metadata"] = json::object();
    if (code) cell["outputs"] = json::array();
    cell["source"] = source_as(edit_.new_source, as_lines);
    return cell;
  }

  // Since version 4.5 of the format.
  bool has_ids() {
    const json& major = member(notebook_, "nbformat");
    const json& minor = member(notebook_, "nbformat_minor");
    const auto number = [](const json& value) {
      return value.is_number_integer() ? value.get<std::int64_t>() : 0;
    };
    return number(major) > 4 || (number(major) == 4 && number(minor) >= 5);
  }

  std::string gap_before(std::size_t index) const {
    const std::size_t begin = spans_.elements[index].begin;
    const std::size_t from = text_.find_last_not_of(" \t\r\n", begin - 1) + 1;
    return std::string(text_.substr(from, begin - from));
  }

  std::string spliced(const JsonSpan& place, std::string_view added) const {
    std::string out(text_.substr(0, place.begin));
    return out.append(added).append(text_.substr(place.end));
  }

  // What was put together must be what was meant.
  Result<std::string> checked(std::string text) const {
    const json again = read_ordered_json(text);
    if (again != notebook_) {
      return no_notebook("The notebook is written in a way that cannot be changed safely.");
    }
    return text;
  }

  Result<EditedNotebook> finish(std::string text, std::size_t index, std::string old_source) {
    YUME_TRY(std::string fine, checked(std::move(text)));
    return EditedNotebook{.text = std::move(fine),
                          .cell = cell_of(cells()[index], index, language_),
                          .old_source = std::move(old_source),
                          .language = language_};
  }

  std::string_view text_;
  json notebook_;
  JsonArraySpans spans_;
  const CellEdit& edit_;
  Style style_;
  std::string language_;
};

}  // namespace

Result<Notebook> parse_notebook(std::string_view text) {
  if (text.starts_with(k_utf8_mark)) text.remove_prefix(k_utf8_mark.size());
  YUME_TRY(const json parsed, parse(text));
  Notebook notebook{.language = language_of(parsed), .cells = {}};
  std::size_t index = 0;
  for (const json& cell : parsed["cells"]) {
    notebook.cells.push_back(cell_of(cell, index++, notebook.language));
  }
  return notebook;
}

Result<EditedNotebook> edit_notebook(std::string_view text, const CellEdit& edit) {
  const bool has_mark = text.starts_with(k_utf8_mark);
  if (has_mark) text.remove_prefix(k_utf8_mark.size());
  auto notebook = parse(text);
  if (!notebook) return no_notebook("Notebook is not valid: " + notebook.error().message + ".");
  auto spans = find_json_array(text, "cells");
  if (!spans || spans->elements.size() != (*notebook)["cells"].size()) {
    return no_notebook("The notebook is written in a way that cannot be changed safely.");
  }
  auto edited = CellEditor(text, *std::move(notebook), *std::move(spans), edit).run();
  if (edited.ok() && has_mark) edited->text.insert(0, k_utf8_mark);
  return edited;
}

}  // namespace yume::tools
