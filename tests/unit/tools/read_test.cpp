// SPDX-License-Identifier: MIT
// Read beyond plain small texts: caps, encodings, pictures, documents, near names.
#include "support/file_tool_scene.h"
#include "support/sample_media.h"
#include "tools/line_window.h"
#include "tools/similar_name.h"
#include "tools/text_encoding.h"
#include "util/base64.h"

#include <gtest/gtest.h>

namespace yume::tools {
namespace {

using namespace std::string_literals;
using nlohmann::json;
using Scene = test::FileToolScene;
using test::failed;
using test::refused;

json details_of(const std::string& outcome) {
  const std::size_t from = outcome.find(" | ") + 3;
  return json::parse(outcome.substr(from, outcome.rfind(" ~ ") - from));
}
std::string note_of(const std::string& outcome) {
  const std::size_t at = outcome.rfind(" ~ ");
  return at == std::string::npos ? "" : outcome.substr(at + 3);
}

TEST(ReadTool, ShowsTheFirstPartOfWhatHasTooManyTokens) {
  Scene scene;
  std::string text;
  for (int i = 1; i <= 12'000; ++i) text += "line " + std::to_string(i) + " xxxxx\n";
  ASSERT_LT(text.size(), 256U << 10U);
  scene.files.add_file("/w/long", text);
  const std::string first = scene.read({{"file_path", "long"}});
  const json file = details_of(first)["file"];
  EXPECT_EQ(file["truncatedByTokenCap"], true);
  EXPECT_EQ(file["totalLines"], 12'001);
  const auto shown = file["numLines"].get<int>();
  EXPECT_GT(shown, 3000);
  const std::string next = std::to_string(shown + 1);
  EXPECT_EQ(note_of(first), "Shown are lines 1-" + std::to_string(shown) +
                                " of 12001, as many as fit. Go on with offset " + next +
                                " and a limit, or search with Grep.");
  EXPECT_EQ(first.find("Go on"), first.rfind("Go on")) << "for the model only";
  EXPECT_EQ(scene.read({{"file_path", "long"}, {"offset", shown + 1}, {"limit", 1}})
                .starts_with("ok: " + next + "\tline " + next + " xxxxx | "),
            true);
  EXPECT_TRUE(scene.edit("long", "line 12000 ", "x").starts_with("ok: "))
      << "the whole file is known, whatever part was shown";
}

TEST(ReadTool, ShowsTheBeginningOfALineThatIsTooLong) {
  Scene scene;
  scene.files.add_file("/w/one", std::string(200'000, 'x') + "\nlast");
  const std::string outcome = scene.read({{"file_path", "one"}});
  EXPECT_EQ(details_of(outcome)["file"]["content"], std::string(100'000, 'x'));
  EXPECT_NE(note_of(outcome).find("Line 1 is very long"), std::string::npos);
  EXPECT_NE(note_of(outcome).find("Go on with offset 2"), std::string::npos);
  EXPECT_TRUE(scene.read({{"file_path", "one"}, {"offset", 2}}).starts_with("ok: 2\tlast | "));
}

TEST(ReadTool, TakesNoLimitForNone) {
  Scene scene;
  scene.files.add_file("/w/a", "1\n2");
  EXPECT_TRUE(scene.read({{"file_path", "a"}, {"limit", 0}}).starts_with("ok: 1\t1\n2\t2 | "));
}

TEST(ReadTool, TellsOfLinesThatEndWithCrAlone) {
  Scene scene;
  scene.files.add_file("/w/mac", "one\rtwo\r");
  EXPECT_NE(note_of(scene.read({{"file_path", "mac"}})).find("end with CR alone"),
            std::string::npos);
}

TEST(ReadTool, DecodesUtf16AndSaysSo) {
  // F-05
  Scene scene;
  scene.files.add_file("/w/le", "\xFF\xFEh\0i\0\r\0\n\0\x3D\xD8\x00\xDE"s);
  scene.files.add_file("/w/be", "\xFE\xFF\0h\0i"s);
  const std::string outcome = scene.read({{"file_path", "le"}});
  EXPECT_TRUE(outcome.starts_with("ok: 1\thi\n2\t\U0001F600 | ")) << outcome;
  EXPECT_NE(note_of(outcome).find("UTF-16"), std::string::npos);
  EXPECT_TRUE(scene.read({{"file_path", "be"}}).starts_with("ok: 1\thi | "));
  EXPECT_NE(scene.edit("le", "hi", "ho").find("UTF-16 text, which can be read but not changed"),
            std::string::npos);
  EXPECT_NE(scene.write("be", "x").find("UTF-16"), std::string::npos);
}

TEST(ReadTool, ShowsForeignBytesAndGuardsThem) {
  // F-05
  Scene scene;
  scene.files.add_file("/w/latin1", "caf\xE9 = 1\n");
  const std::string outcome = scene.read({{"file_path", "latin1"}});
  EXPECT_TRUE(outcome.starts_with("ok: 1\tcaf\uFFFD = 1\n2\t | "));
  EXPECT_NE(note_of(outcome).find("not UTF-8"), std::string::npos);
  EXPECT_NE(scene.edit("latin1", "1", "\u00E9").find("only ASCII text can be put into it"),
            std::string::npos);
  EXPECT_NE(scene.write("latin1", "caf\uFFFD = 2\n").find("only ASCII text"), std::string::npos);
  EXPECT_TRUE(scene.edit("latin1", "1", "2").starts_with("ok: "));
  EXPECT_EQ(scene.content("/w/latin1"), "caf\xE9 = 2\n");
}

TEST(ReadTool, NamesTheKindOfABinaryFile) {
  Scene scene;
  scene.files.add_file("/w/x.dat", "a\0b"s);
  EXPECT_EQ(scene.read({{"file_path", "x.dat"}}),
            refused("This tool cannot read binary files. The file appears to be a binary .dat "
                    "file. Use Bash to inspect it, for example with file, strings or xxd."));
}

TEST(ReadTool, ShowsPicturesToTheModel) {
  Scene scene;
  const core::Media png = test::small_png();
  scene.files.add_file("/w/p.txt", *from_base64(png.base64));
  Plan plan = scene.read_tool->plan({{"file_path", "p.txt"}}, scene.context());
  const core::ToolOutcome outcome = std::get<PlannedCall>(plan).run(scene.context());
  EXPECT_EQ(outcome.content, "Image file read: p.txt (image/png, 2x3, 68 bytes)");
  EXPECT_EQ(outcome.media, (std::vector<core::Media>{png}));
  EXPECT_TRUE(outcome.media_is_content);
  EXPECT_EQ(test::details_text(outcome),
            R"({"type":"image","file":{"base64":")" + png.base64 +
                R"(","type":"image/png","originalSize":68,"dimensions":{"originalWidth":2,)"
                R"("originalHeight":3,"displayWidth":2,"displayHeight":3}}})");
}

TEST(ReadTool, SendsNoPictureThatIsNone) {
  Scene scene;
  scene.files.add_file("/w/p.png", "\x89PNG\r\n\x1A\n\0\0\0\r"s);
  scene.files.add_file("/w/d.pdf", "%PDF-1.4\n%%EOF\n");
  const std::string rest =
      " It was not sent to you, because the server would refuse the whole request. Look at it "
      "with Bash, for example with file or xxd.";
  EXPECT_EQ(scene.read({{"file_path", "p.png"}}),
            failed("The file begins like a file of type image/png, but its header is cut off or "
                   "damaged (12 bytes)." +
                   rest));
  EXPECT_EQ(scene.read({{"file_path", "d.pdf"}}),
            failed("The file begins like a file of type application/pdf, but it has no pages (15 "
                   "bytes)." +
                   rest));
}

TEST(ReadTool, ShowsDocumentsToTheModel) {
  Scene scene;
  scene.files.add_file("/w/d.pdf", "%PDF-1.4\n1 0 obj\n");
  EXPECT_EQ(scene.read({{"file_path", "d.pdf"}, {"pages", "2-3"}}),
            "ok: PDF file read: d.pdf (17 bytes) | "
            R"({"type":"pdf","file":{"filePath":"d.pdf","base64":"JVBERi0xLjQKMSAwIG9iago=",)"
            R"("originalSize":17}})"
            " ~ The whole document is attached; pages cannot be picked out. Look at pages 2-3 of "
            "it.");
}

TEST(ReadTool, RefusesMediaThatNoRequestCanHold) {
  Scene scene;
  scene.files.add_file("/w/d.pdf", "%PDF-1.4\n" + std::string(14U << 20U, 'x'));
  scene.files.add_file("/w/p.gif", "GIF89a" + std::string(14U << 20U, 'x'));
  EXPECT_EQ(scene.read({{"file_path", "d.pdf"}}),
            failed("PDF file (14336KB) exceeds the 14336KB that can be sent to the model. Extract "
                   "its text or some pages with Bash first, for example with pdftotext or qpdf."));
  EXPECT_EQ(scene.read({{"file_path", "p.gif"}}),
            failed("Image file (14336KB) exceeds the 14336KB that can be sent to the model. Make "
                   "it smaller with Bash first."));
}

TEST(ReadTool, KeepsBigPicturesOutOfTheDetails) {
  Scene scene;
  scene.files.add_file("/w/p.gif", "GIF89a" + std::string(600'000, 'x'));
  EXPECT_EQ(details_of(scene.read({{"file_path", "p.gif"}}))["file"].contains("base64"), false);
}

TEST(ReadTool, SuggestsANearName) {
  Scene scene;
  scene.files.add_file("/w/src/parser.cpp", "");
  scene.files.add_file("/w/src/secret.key", "");
  EXPECT_EQ(scene.read({{"file_path", "src/Parser.cpp"}}),
            failed("File does not exist. Note: your current working directory is /w. Did you mean "
                   "parser.cpp?"));
  ToolContext context = scene.context();
  context.hides = [](const std::filesystem::path& path) { return path.extension() == ".key"; };
  Plan plan = scene.read_tool->plan({{"file_path", "src/secrets.key"}}, context);
  EXPECT_EQ(std::get<PlannedCall>(plan).run(context).content,
            "File does not exist. Note: your current working directory is /w.")
      << "what may not be read is not named";
}

TEST(SimilarName, PrefersTheNearest) {
  const std::vector<std::string> names = {"main.cpp", "main.h", "README.md", "util.cpp"};
  EXPECT_EQ(similar_name("Main.cpp", names), "main.cpp");
  EXPECT_EQ(similar_name("readme.txt", names), "README.md");
  EXPECT_EQ(similar_name("utils.cpp", names), "util.cpp");
  EXPECT_EQ(similar_name("main.hpp", names), "main.cpp");
  EXPECT_EQ(similar_name("server.go", names), std::nullopt);
  EXPECT_EQ(similar_name("x", {}), std::nullopt);
}

TEST(LineWindow, IsTheSameHoweverTheTextIsCut) {
  const std::string text = "a\r\n\r\nlong line\n\xC3\xA9\nlast\r";
  for (std::int64_t first = 1; first <= 6; ++first) {
    LineWindow whole({.first = first, .count = 2, .max_bytes = 1000});
    whole.feed(text);
    whole.finish();
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      LineWindow parts({.first = first, .count = 2, .max_bytes = 1000});
      parts.feed(std::string_view(text).substr(0, cut));
      parts.feed(std::string_view(text).substr(cut));
      parts.finish();
      EXPECT_EQ(parts.lines(), whole.lines());
      EXPECT_EQ(parts.seen(), 5);
    }
  }
}

TEST(LineWindow, IsFullWhenNothingMoreCanCome) {
  LineWindow window({.first = 2, .count = 1, .max_bytes = 1000});
  window.feed("a\nb");
  EXPECT_FALSE(window.is_full());
  window.feed("\n");
  EXPECT_TRUE(window.is_full());
  EXPECT_EQ(window.lines(), std::vector<std::string>{"b"});
}

TEST(Utf16, IsDecodedInPiecesOfAnySize) {
  const std::string bytes = "\xFF\xFE\x3D\xD8\x00\xDE\x00\xDCx\0\x3D\xD8"s;
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Utf16Decoder decoder(Encoding::utf16_le);
    std::string text;
    decoder.feed(std::string_view(bytes).substr(0, cut), text);
    decoder.feed(std::string_view(bytes).substr(cut), text);
    decoder.finish(text);
    EXPECT_EQ(text, "\U0001F600\uFFFDx\uFFFD");
  }
}

}  // namespace
}  // namespace yume::tools
