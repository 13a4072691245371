// SPDX-License-Identifier: MIT
#include "app/sessions/session_picker.h"

#include "util/display_width.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::app {
namespace {

using Step = SessionPicker::Step;

transcript::SessionSummary summary(const std::string& id, const std::string& title) {
  transcript::SessionSummary out;
  out.id = id;
  out.title = title;
  return out;
}

std::vector<transcript::SessionSummary> three() {
  return {summary("a1", "Repair the door"), summary("a2", "Paint\x1b[31m the house"),
          summary("b3", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字")};
}

std::vector<std::string> rows(const SessionPicker& picker, std::size_t columns = 30,
                              std::size_t lines = 24) {
  return picker.rows({columns, lines}, {.columns = columns, .colours = false, .utf8 = true});
}

TEST(SessionPicker, ShowsTitlesAndWhatTheKeysDo) {
  const SessionPicker picker(three());
  EXPECT_EQ(rows(picker), (std::vector<std::string>{
                              "Which session? type to search", "❯ Repair the door",
                              "  Paint<U+001B>[31m the house", "  漢字漢字漢字漢字漢字漢字漢…",
                              "↑ ↓ choose · Enter goes on w…"}));
  for (const std::size_t columns : {10U, 20U, 49U, 80U}) {
    for (const std::string& row : rows(picker, columns)) {
      EXPECT_LT(display_width(row), columns) << row;
    }
  }
}

TEST(SessionPicker, ArrowsChooseAndStayInTheList) {
  SessionPicker picker(three());
  EXPECT_EQ(picker.take("\x1b[B"), Step::stays);
  EXPECT_EQ(picker.chosen().id, "a2");
  EXPECT_EQ(picker.take("\x1bOB\x1b[B\x1b[B\x1b[1;5C"), Step::stays);
  EXPECT_EQ(picker.chosen().id, "b3");
  EXPECT_EQ(picker.take("\x1b[5~\x1b[A"), Step::stays);
  EXPECT_EQ(picker.take("\r"), Step::chosen);
  EXPECT_EQ(picker.chosen().id, "a1");
  EXPECT_EQ(picker.take("\x1b"), Step::left);
  EXPECT_EQ(picker.take("\x04"), Step::left);
}

TEST(SessionPicker, WordsOfATitleLeaveOthersOut) {
  SessionPicker picker(three());
  EXPECT_EQ(picker.take("HOUS"), Step::stays);
  EXPECT_EQ(rows(picker)[0], "Which session? HOUS  (1 of 1)");
  EXPECT_EQ(picker.chosen().id, "a2");
  EXPECT_EQ(picker.take("x"), Step::stays);
  EXPECT_EQ(rows(picker)[1], "  no title has these words");
  EXPECT_EQ(picker.take("\r"), Step::stays) << "there is none to choose";
  EXPECT_EQ(picker.take("\x7f\r"), Step::chosen);
  EXPECT_EQ(picker.take("\x15漢\x7f漢"), Step::stays);
  EXPECT_EQ(picker.chosen().id, "b3");
}

TEST(SessionPicker, TheChosenOneIsInSight) {
  std::vector<transcript::SessionSummary> many;
  for (int i = 0; i < 100; ++i) many.push_back(summary("id", "title " + std::to_string(i)));
  SessionPicker picker(many);
  for (int i = 0; i < 50; ++i) picker.take("\x1b[B");
  const auto shown = rows(picker, 30, 8);
  EXPECT_EQ(shown.size(), 7U);
  EXPECT_EQ(shown[0], "Which session? type to searc…");
  EXPECT_EQ(shown[5], "❯ title 50");
}

TEST(SessionPicker, WhereNothingMovesANumberOrAnIdNamesOne) {
  EXPECT_EQ(session_named("2", three()), 1U);
  EXPECT_EQ(session_named("b", three()), 2U);
  for (const char* none : {"", "0", "4", "a", "c"}) {
    EXPECT_EQ(session_named(none, three()), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace yume::app
