// SPDX-License-Identifier: MIT
#include "app/hosts/jsonc_insert.h"

#include "app/hosts/jsonc_text.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace yume::app {
namespace {

NewEntry an_entry() {
  return {.parent = "agents", .key = "yume", .value = {{"command", "/y"}}};
}

// The new text, "the same", or why there is none.
std::string added_to(const std::string& text) {
  const auto added = with_entry(text, an_entry());
  if (!added.ok()) return "refused: " + added.error().message;
  return *added ? **added : "the same";
}

TEST(WithEntry, BeginsAFileThatIsEmpty) {
  const std::string all =
      "{\n  \"agents\": {\n    \"yume\": {\n      \"command\": \"/y\"\n    }\n  }\n}\n";
  EXPECT_EQ(added_to(""), all);
  EXPECT_EQ(added_to(" \n"), " \n" + all);
  EXPECT_EQ(added_to("// mine"), "// mine\n" + all);
  EXPECT_EQ(added_to("/* mine */\n"), "/* mine */\n" + all);
}

TEST(WithEntry, KeepsEveryCommentAndTheOrder) {
  EXPECT_EQ(added_to(R"(// Settings
{
    // the look
    "theme": "One // not a comment", // dark
    "font": { "size": 14 /* points */ } // last
    // nothing more
}
)"),
            R"(// Settings
{
    // the look
    "theme": "One // not a comment", // dark
    "font": { "size": 14 /* points */ }, // last
    // nothing more
    "agents": {
        "yume": {
            "command": "/y"
        }
    }
}
)");
}

TEST(WithEntry, JoinsTheEntriesThatAreThere) {
  EXPECT_EQ(added_to(R"({
	"agents": {
		"other": {"command": "x"}, // kept
	},
	"theme": "One",
}
)"),
            R"({
	"agents": {
		"other": {"command": "x"}, // kept
		"yume": {
			"command": "/y"
		},
	},
	"theme": "One",
}
)");
}

TEST(WithEntry, OpensWhatStandsOnOneLine) {
  EXPECT_EQ(added_to("{}"),
            "{\n  \"agents\": {\n    \"yume\": {\n      \"command\": \"/y\"\n    }\n  }\n}");
  EXPECT_EQ(added_to("{\"agents\":{}}"),
            "{\"agents\":{\n  \"yume\": {\n    \"command\": \"/y\"\n  }\n}}");
  EXPECT_EQ(
      added_to("{\"a\": 1}"),
      "{\"a\": 1,\n  \"agents\": {\n    \"yume\": {\n      \"command\": \"/y\"\n    }\n  }\n}");
}

TEST(WithEntry, KeepsLineEndsAndTheByteOrderMark) {
  EXPECT_EQ(added_to("\xEF\xBB\xBF{\r\n  \"a\": 1\r\n}\r\n"),
            "\xEF\xBB\xBF{\r\n  \"a\": 1,\r\n  \"agents\": {\r\n    \"yume\": {\r\n      "
            "\"command\": \"/y\"\r\n    }\r\n  }\r\n}\r\n");
}

TEST(WithEntry, IsNotRepeated) {
  for (const std::string text : {"", "{}", "{\"agents\": {}, \"a\": [1, 2,], }",
                                 "{ // only this\n}", "{\"a\": {\"}\": \"\\\"{\"}}"}) {
    const std::string once = added_to(text);
    EXPECT_EQ(added_to(once), "the same") << text << " became " << once;
  }
  EXPECT_EQ(added_to(R"({"agents": {"y\u0075me": {"command": /* here */ "/y",}}})"), "the same");
}

// Settings as odd as people write them.
class OddSettings {
 public:
  explicit OddSettings(unsigned seed) : random_(seed) {}

  std::string text() { return gap() + object(2, pick(2) == 0) + gap(); }

 private:
  unsigned pick(unsigned count) {
    return std::uniform_int_distribution<unsigned>(0, count - 1)(random_);
  }
  std::string gap() {
    static const std::array<std::string, 8> gaps = {
        "", " ", "\n  ", "\t", " // a \" comment }\n", "/* { , */", "\r\n", " /* // */ "};
    return gaps.at(pick(gaps.size()));
  }
  std::string value(int depth) {
    static const std::array<std::string, 6> values = {
        "1", "null", R"("// none")", R"("\\")", R"("\"{,}\" /* none */")", "-1.5e3"};
    if (depth > 0 && pick(3) == 0) return object(depth - 1, false);
    if (depth > 0 && pick(3) == 0)
      return "[" + gap() + value(depth - 1) + gap() + (pick(2) == 0 ? "," : "") + gap() + "]";
    return values.at(pick(values.size()));
  }
  std::string object(int depth, bool has_parent) {
    std::string out = "{" + gap();
    const unsigned count = pick(4);
    for (unsigned i = 0; i < count; ++i) {
      if (i > 0) out += "," + gap();
      out += "\"k" + std::to_string(i) + "\"" + gap() + ":" + gap() + value(depth) + gap();
    }
    if (has_parent)
      out += (count > 0 ? "," : "") + gap() + "\"agents\":" + gap() + object(0, false) + gap();
    if ((count > 0 || has_parent) && pick(2) == 0) out += "," + gap();
    return out + "}";
  }

  std::mt19937 random_;
};

// Every byte is still there, in its order.
bool contains_all(const std::string& text, const std::string& old) {
  std::size_t at = 0;
  for (const char c : text) at += at < old.size() && old[at] == c ? 1 : 0;
  return at == old.size();
}

TEST(WithEntry, AddsToOddSettingsAndLosesNothing) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const std::string old = OddSettings(seed).text();
    const auto before = JsoncText::read(old);
    ASSERT_TRUE(before.ok()) << before.error().message << " in " << old;
    nlohmann::json expected = read_json(before->plain());
    expected["agents"]["yume"] = {{"command", "/y"}};
    const std::string text = added_to(old);
    const auto after = JsoncText::read(text);
    ASSERT_TRUE(after.ok()) << old << " became " << text;
    ASSERT_EQ(read_json(after->plain()), expected) << old << " became " << text;
    ASSERT_TRUE(contains_all(text, old)) << old << " became " << text;
    ASSERT_EQ(added_to(text), "the same") << text;
  }
}

TEST(WithEntry, RefusesWhatItDoesNotUnderstand) {
  EXPECT_EQ(added_to("[]"), "refused: it is no JSON object");
  EXPECT_EQ(added_to("{} /* no end"), "refused: a comment has no end");
  EXPECT_EQ(added_to(R"({"agents": []})"), "refused: \"agents\" is no object in it");
  EXPECT_EQ(added_to(R"({"agents": {}, "agents": {}})"), "refused: \"agents\" is in it twice");
  EXPECT_EQ(added_to(R"({"agents": {"yume": {"command": "/other"}}})"),
            "refused: \"agents\" has another \"yume\" already");
  for (const std::string text : {"{", "{\"a\" 1}", "{,}", "{\"a\": [,]}", "{\"a\": 1,,}", "{a: 1}",
                                 "{'a': 1}", "{} {}", "{\"a\": \"", "nonsense"}) {
    EXPECT_TRUE(added_to(text).starts_with("refused: ")) << text;
  }
}

TEST(EntryText, IsWhatAPersonPutsIn) {
  EXPECT_EQ(entry_text(an_entry()),
            "\"agents\": {\n  \"yume\": {\n    \"command\": \"/y\"\n  }\n}");
}

}  // namespace
}  // namespace yume::app
