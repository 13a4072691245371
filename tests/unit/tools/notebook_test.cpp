// SPDX-License-Identifier: MIT
#include "tools/notebook.h"

#include "support/file_tool_scene.h"
#include "support/sample_media.h"

#include <gtest/gtest.h>

namespace yume::tools {
namespace {

using nlohmann::json;
using test::refused;

// As Jupyter writes it: one space, keys sorted, a final newline; odd numbers must survive.
const std::string k_notebook = R"json({
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "c1",
   "metadata": {"odd":   1.50},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "1\n"
     ]
    }
   ],
   "source": [
    "print(1)"
   ]
},
  {
   "cell_type": "markdown",
   "id": "c2",
   "metadata": {},
   "source": [
    "# Title\n",
    "text"
   ]
  }
 ],
 "metadata": {
  "x": 1e5,
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
)json";

struct Scene : test::FileToolScene {
  Scene() { files.add_file("/w/n.ipynb", k_notebook); }
  std::string edit(const json& input) {
    json whole = {{"notebook_path", "n.ipynb"}, {"new_source", "print(2)"}};
    whole.update(input);
    return run(*notebook_edit_tool, whole);
  }
};

TEST(ReadNotebook, ShowsCellsWithTheirOutputs) {
  Scene scene;
  EXPECT_EQ(
      scene.read({{"file_path", "n.ipynb"}}),
      "ok: <cell id=\"c1\">print(1)</cell id=\"c1\">\n1\n\n"
      "<cell id=\"c2\"><cell_type>markdown</cell_type># Title\ntext</cell id=\"c2\"> | "
      R"json({"type":"notebook","file":{"filePath":"n.ipynb","cells":[{"cellType":"code",)json"
      R"json("source":"print(1)","execution_count":1,"cell_id":"c1","language":"python",)json"
      R"json("outputs":[{"output_type":"stream","text":"1\n"}]},{"cellType":"markdown",)json"
      R"json("source":"# Title\ntext","cell_id":"c2"}]}})json");
  EXPECT_EQ(scene.read({{"file_path", "n.ipynb"}, {"offset", 1}, {"limit", 1}}).substr(0, 8),
            "ok: 1\t{ ");
}

TEST(ReadNotebook, FallsBackToTextForWhatIsNone) {
  Scene scene;
  scene.files.add_file("/w/broken.ipynb", "{\"cells\": [");
  EXPECT_EQ(scene.read({{"file_path", "broken.ipynb"}}).substr(0, 17), "ok: 1\t{\"cells\": [");
}

TEST(ReadNotebook, GivesPicturesToTheModel) {
  const auto notebook = parse_notebook(
      R"({"cells":[{"cell_type":"code","source":"x","outputs":[{"output_type":"display_data",)"
      R"("data":{"image/png":")" +
      test::small_png().base64 +
      R"(\n","text/plain":["<Figure>"]}},)"
      R"({"output_type":"error","ename":"E","evalue":"v","traceback":["t1","t2"]}]}]})");
  ASSERT_TRUE(notebook.ok());
  const Cell& cell = notebook->cells.at(0);
  EXPECT_EQ(cell.id, "cell-0");
  EXPECT_EQ(cell.outputs.at(0).image, test::small_png());
  EXPECT_EQ(cell.outputs.at(0).text, "<Figure>");
  EXPECT_EQ(cell.outputs.at(1).text, "E: v\nt1\nt2");
}

TEST(ReadNotebook, SaysWhichPictureIsNone) {
  Scene scene;
  scene.files.add_file(
      "/w/p.ipynb",
      R"({"cells":[{"cell_type":"code","source":"x","outputs":[{"output_type":"display_data",)"
      R"("data":{"image/png":"aGk=","text/plain":["<Figure>"]}}]}]})");
  const std::string shown = scene.read({{"file_path", "p.ipynb"}});
  EXPECT_NE(shown.find("<Figure>[image/png of 2 bytes withheld: its bytes are no PNG"),
            std::string::npos)
      << shown;
}

TEST(ReadNotebook, ShowsNoEscapeCodes) {
  const auto notebook = parse_notebook(
      R"({"cells":[{"cell_type":"code","source":"x","outputs":[{"output_type":"stream",)"
      R"("text":["\u001b[33mslow\u001b[0m\n"]},{"output_type":"error","ename":"E","evalue":"v",)"
      R"("traceback":["\u001b[0;31mE\u001b[0m: v"]}]}]})");
  ASSERT_TRUE(notebook.ok());
  EXPECT_EQ(notebook->cells.at(0).outputs.at(0).text, "slow\n");
  EXPECT_EQ(notebook->cells.at(0).outputs.at(1).text, "E: v\nE: v");
}

TEST(NotebookEdit, ReplacesACellAndLeavesTheOthersAlone) {
  Scene scene;
  EXPECT_EQ(scene.edit({{"cell_id", "c1"}}),
            refused("File has not been read yet. Read it first before writing to it."));
  scene.read({{"file_path", "n.ipynb"}});
  const std::string result = scene.edit({{"cell_id", "c1"}});
  EXPECT_EQ(scene.planned, "writes /w/n.ipynb");
  const std::string prefix = "ok: Updated cell c1 with print(2) | ";
  ASSERT_EQ(result.substr(0, prefix.size()), prefix);
  const json details = json::parse(result.substr(prefix.size()));
  const std::string after = scene.content("/w/n.ipynb");
  EXPECT_EQ(details, (json{{"new_source", "print(2)"},
                           {"old_source", "print(1)"},
                           {"cell_type", "code"},
                           {"language", "python"},
                           {"edit_mode", "replace"},
                           {"cell_id", "c1"},
                           {"error", ""},
                           {"notebook_path", "n.ipynb"},
                           {"original_file", k_notebook},
                           {"updated_file", after}}));
  const std::size_t second = k_notebook.find("  {\n   \"cell_type\": \"markdown\"");
  EXPECT_EQ(after.substr(after.size() - (k_notebook.size() - second)), k_notebook.substr(second));
  EXPECT_EQ(after.substr(0, after.size() - (k_notebook.size() - second)),
            "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n"
            "   \"id\": \"c1\",\n   \"metadata\": {\n    \"odd\": 1.5\n   },\n   \"outputs\": [],\n"
            "   \"source\": [\n    \"print(2)\"\n   ]\n  },\n");
  EXPECT_EQ(scene.edit({{"cell_id", "c2"}, {"new_source", "x"}}).substr(0, 4), "ok: ")
      << "it knows what it wrote itself";
}

TEST(NotebookEdit, InsertsAndDeletesWithoutATrace) {
  for (const json& where : {json::object(), json{{"cell_id", "c1"}}, json{{"cell_id", "c2"}}}) {
    Scene scene;
    scene.read({{"file_path", "n.ipynb"}});
    json input = {{"edit_mode", "insert"}, {"cell_type", "code"}};
    input.update(where);
    const std::string inserted = scene.edit(input);
    ASSERT_EQ(inserted.substr(0, 18), "ok: Inserted cell ");
    const std::string id = inserted.substr(18, 8);
    EXPECT_EQ(scene.edit({{"edit_mode", "delete"}, {"cell_id", id}}).substr(0, 29),
              "ok: Deleted cell " + id + " | {");
    EXPECT_EQ(scene.content("/w/n.ipynb"), k_notebook);
  }
}

TEST(NotebookEdit, WorksOnEmptyAndCompactNotebooks) {
  const CellEdit insert{.mode = CellEditMode::insert,
                        .cell_id = {},
                        .new_source = "a\nb",
                        .cell_type = "markdown",
                        .fresh_id = "f"};
  EXPECT_EQ(
      edit_notebook(R"({"cells":[],"nbformat":4})", insert)->text,
      R"({"cells":[{"cell_type":"markdown","metadata":{},"source":["a\n","b"]}],"nbformat":4})");
  EXPECT_EQ(
      edit_notebook("{\n  \"cells\": []\n}", insert)->text,
      "{\n  \"cells\": [\n    {\n      \"cell_type\": \"markdown\",\n      \"metadata\": {},\n"
      "      \"source\": [\n        \"a\\n\",\n        \"b\"\n      ]\n    }\n  ]\n}");
  const CellEdit remove{.mode = CellEditMode::remove,
                        .cell_id = "cell-0",
                        .new_source = {},
                        .cell_type = {},
                        .fresh_id = {}};
  EXPECT_EQ(edit_notebook("{\"cells\": [ {\"source\":\"x\"} ]}", remove)->text, "{\"cells\": []}");
}

TEST(NotebookEdit, KeepsASourceThatIsOneString) {
  const CellEdit replace{.mode = CellEditMode::replace,
                         .cell_id = "a",
                         .new_source = "x\ny",
                         .cell_type = "markdown",
                         .fresh_id = {}};
  EXPECT_EQ(edit_notebook(R"({"cells":[{"id":"a","cell_type":"code","outputs":[],"source":"o"}]})",
                          replace)
                ->text,
            R"({"cells":[{"id":"a","cell_type":"markdown","source":"x\ny"}]})");
}

TEST(NotebookEdit, ExplainsWhatItCannotDo) {
  Scene scene;
  scene.files.add_file("/w/broken.ipynb", "{");
  scene.read({{"file_path", "n.ipynb"}});
  scene.read({{"file_path", "broken.ipynb"}});
  EXPECT_EQ(scene.edit({{"cell_id", "none"}}),
            refused("Cell with ID \"none\" not found in notebook."));
  EXPECT_EQ(scene.edit(json::object()),
            refused("Cell ID must be specified when not inserting a new cell."));
  EXPECT_EQ(scene.edit({{"edit_mode", "insert"}}),
            refused("Cell type is required when using edit_mode=insert."));
  EXPECT_EQ(scene.edit({{"edit_mode", "move"}}),
            refused("Edit mode must be replace, insert, or delete."));
  EXPECT_EQ(scene.edit({{"cell_id", "c1"}, {"cell_type", "raw"}}),
            refused("Cell type must be code or markdown."));
  EXPECT_EQ(scene.edit({{"notebook_path", "a.txt"}}),
            refused("File must be a Jupyter notebook (.ipynb file). For editing other file types, "
                    "use the Edit tool."));
  EXPECT_EQ(scene.edit({{"notebook_path", "m.ipynb"}, {"cell_id", "c1"}}),
            refused("File does not exist. Note: your current working directory is /w. Did you mean "
                    "n.ipynb?"));
  EXPECT_EQ(scene.edit({{"notebook_path", "broken.ipynb"}, {"cell_id", "c1"}}).substr(0, 63),
            "error: <tool_use_error>Notebook is not valid: it is not valid J");
  EXPECT_EQ(scene.content("/w/n.ipynb"), k_notebook);
}

}  // namespace
}  // namespace yume::tools
