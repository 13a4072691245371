// SPDX-License-Identifier: MIT
// One command through a fresh ProcessRunner, with everything worth asserting in one value.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "platform/process.h"

namespace yume::test {

class RecordedOutput final : public platform::ProcessOutput {
 public:
  // `on_change` sees everything so far, each time there is more.
  explicit RecordedOutput(std::function<void(const std::string&)> on_change = {})
      : on_change_(std::move(on_change)) {}

  void on_output(std::string_view bytes) override {
    text += bytes;
    if (on_change_) on_change_(text);
  }
  void on_error_output(std::string_view bytes) override { error_text += bytes; }

  std::string text;
  std::string error_text;

 private:
  std::function<void(const std::string&)> on_change_;
};

struct Ran {
  platform::ProcessEnd end;
  std::string output;
  std::string error_output;
  std::chrono::steady_clock::duration took{};
};

inline platform::ProcessSpec bash(std::string script) {
  return {.argv = {"/bin/bash", "--noprofile", "--norc", "-c", std::move(script)},
          .cwd = "/",
          .environment = {"PATH=/usr/bin:/bin"}};
}

inline Ran run(const platform::ProcessSpec& spec, const CancelToken& cancel = CancelToken(),
               std::function<void(const std::string&)> on_change = {}) {
  RecordedOutput output(std::move(on_change));
  const auto start = std::chrono::steady_clock::now();
  const auto end = platform::make_process_runner()->run(spec, output, cancel);
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(end.ok()) << end.error().message;
  return {.end = end ? *end : platform::ProcessEnd{},
          .output = output.text,
          .error_output = output.error_text,
          .took = took};
}

}  // namespace yume::test
