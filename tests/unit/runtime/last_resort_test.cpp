// SPDX-License-Identifier: MIT
// In forked processes, because it ends them.
#include "runtime/last_resort.h"

#include "support/forked.h"
#include "support/temporary_directory.h"
#include "util/json_io.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace yume::runtime {
namespace {

class FileStream final : public platform::OutputStream {
 public:
  explicit FileStream(const std::filesystem::path& path) : file_(path) {}
  Result<void> write(std::string_view bytes) override {
    file_ << bytes << std::flush;
    return {};
  }

 private:
  std::ofstream file_;
};

const std::system_error k_no_thread(std::make_error_code(std::errc::resource_unavailable_try_again),
                                    "thread");

// Of each line no more than tells it from the others.
std::string beginnings(std::istream& lines) {
  constexpr std::size_t k_enough = 28;
  std::string text;
  for (std::string line; std::getline(lines, line);) text += line.substr(0, k_enough) + "\n";
  return text;
}

// "code: what stdout has" after `body`, which gets what it needs to break the program.
std::string outcome_of(const std::function<void(LastResort&, protocol::LineWriter&)>& body) {
  const test::TemporaryDirectory folder;
  const std::filesystem::path path = folder.path() / "out";
  const int code = test::exit_code_of([&] {
    FileStream out(path);
    protocol::LineWriter writer(out);
    LastResort last(writer);
    last.prepare([](const std::string& text) { return "result: " + text + "\n"; });
    body(last, writer);
    return 100;
  });
  std::ifstream file(path);
  return std::to_string(code) + ": " + beginnings(file);
}

template <class Failure>
void break_on_a_thread(const Failure& failure) {
  std::thread([failure] { throw failure; }).join();
}

TEST(LastResort, WritesTheResultThatIsOwedOnWhateverThreadTheProgramBreaks) {
  const auto outcome = [](const auto& failure) {
    return outcome_of([&](LastResort&, protocol::LineWriter&) { break_on_a_thread(failure); });
  };
  EXPECT_EQ(outcome(std::bad_alloc()), "1: result: Error: out of memory\n");
  EXPECT_EQ(outcome(k_no_thread), "1: result: Error: the system st\n");
  EXPECT_EQ(outcome(std::runtime_error("boom")), "1: result: Internal error: the \n");
}

// They are put into rendered turns as they are.
TEST(LastResort, HasWordsThatEveryDialectWritesAsTheyAre) {
  for (const auto why : {Breakdown::out_of_memory, Breakdown::no_thread, Breakdown::unknown}) {
    std::string escaped;
    append_json_characters(escaped, words_for(why));
    EXPECT_EQ(escaped, words_for(why));
  }
}

TEST(LastResort, WritesNoSecondResult) {
  EXPECT_EQ(outcome_of([](LastResort& last, protocol::LineWriter& writer) {
              last.pay_result(ExitCode::success, [&] { writer.line("result: good"); });
              break_on_a_thread(std::bad_alloc());
            }),
            "0: result: good\n");
  EXPECT_EQ(outcome_of([](LastResort& last, protocol::LineWriter& writer) {
              last.pay_result(ExitCode::success, [&] { writer.line("result: good"); });
              last.owe_result();
              break_on_a_thread(std::bad_alloc());
            }),
            "1: result: good\nresult: Error: out of memory\n");
}

TEST(LastResort, WritesWhatWasPreparedLast) {
  EXPECT_EQ(outcome_of([](LastResort& last, protocol::LineWriter&) {
              last.prepare([](const std::string&) { return "of this session\n"; });
              break_on_a_thread(std::bad_alloc());
            }),
            "1: of this session\n");
}

TEST(LastResort, LeavesTheProcessAsItFoundIt) {
  const auto terminate = std::get_terminate();
  {
    FileStream out("/dev/null");
    protocol::LineWriter writer(out);
    const LastResort last(writer);
    EXPECT_NE(std::get_terminate(), terminate);
  }
  EXPECT_EQ(std::get_terminate(), terminate);
  EXPECT_EQ(std::get_new_handler(), nullptr);
}

TEST(Breakdown, HasWordsForWhatIsKnown) {
  EXPECT_EQ(breakdown_of(std::bad_alloc()), Breakdown::out_of_memory);
  EXPECT_EQ(breakdown_of(k_no_thread), Breakdown::no_thread);
  EXPECT_EQ(breakdown_of(std::runtime_error("boom")), Breakdown::unknown);
  EXPECT_STREQ(breakdown_words(std::runtime_error("boom")), "boom");
}

}  // namespace
}  // namespace yume::runtime
