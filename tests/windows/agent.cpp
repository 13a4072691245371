// SPDX-License-Identifier: MIT
// agent <calls> <actor argument>...: stands for yume-cli. Runs so many commands at once and waits
// for them, until somebody kills it.
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "platform/handle_win32.h"
#include "windows/actor.h"

namespace {

class Dropped final : public yume::platform::ProcessOutput {
 public:
  void on_output(std::string_view) override {}
};

void call(const std::vector<std::string>& arguments) {
  Dropped output;
  [[maybe_unused]] const auto end = yume::platform::make_process_runner()->run(
      yume::test::actor(arguments), output, yume::CancelToken());
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  std::vector<std::string> arguments;
  for (int i = 2; i < argc; ++i) arguments.push_back(yume::platform::from_wide(argv[i]));
  std::vector<std::thread> threads;
  for (long calls = std::wcstol(argv[1], nullptr, 10); calls > 0; --calls) {
    threads.emplace_back([&arguments] { call(arguments); });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
