// SPDX-License-Identifier: MIT
// Children for the tests of DuplexProcess, the same on each system: scripts for bash, or what
// tests/windows/actor.cpp is asked to do. None lives longer than half a minute.
#pragma once

#include <string>
#include <string_view>

#include "platform/duplex_process.h"

#if defined(_WIN32)
#include "windows/actor.h"
#else
#include "support/run_command.h"
#endif

namespace yume::test::duplex {

inline platform::DuplexSpec from(const platform::ProcessSpec& command) {
  return {.argv = command.argv, .cwd = command.cwd, .environment = command.environment};
}

#if defined(_WIN32)

inline platform::DuplexSpec does(const std::vector<std::string>& actions) {
  return from(actor(actions));
}

inline platform::DuplexSpec echoes() {
  return does({"copy"});
}
inline platform::DuplexSpec never_reads() {
  return does({"out:ready", "stay"});
}
inline platform::DuplexSpec exits(int code) {
  return does({"exit:" + std::to_string(code)});
}
inline platform::DuplexSpec writes_zeros_and_exits(std::size_t count, int code) {
  return does({"zeros:" + std::to_string(count), "exit:" + std::to_string(code)});
}
inline platform::DuplexSpec complains(std::string_view text) {
  return does({"err:" + std::string(text), "exit:1"});
}
inline platform::DuplexSpec floods_stderr_then_echoes(std::size_t count) {
  return does({"errzeros:" + std::to_string(count), "err:", "err:last words", "copy"});
}
// Its child inherits its streams and stays.
inline platform::DuplexSpec leaves_a_child_and_exits() {
  return does({"child", "out:hi"});
}
inline platform::DuplexSpec ignores_the_end_of_input() {
  return does({"out:ready", "stay"});
}
inline platform::DuplexSpec missing() {
  return {.argv = {R"(C:\no\such.exe)"}, .cwd = R"(C:\)", .environment = small_environment()};
}
inline platform::DuplexSpec in_missing_directory() {
  auto spec = echoes();
  spec.cwd = R"(C:\no\dir)";
  return spec;
}
inline constexpr std::string_view k_missing_message =
    R"(cannot start C:\no\such.exe: no such file or directory)";
inline constexpr std::string_view k_missing_directory_message =
    R"(cannot work in C:\no\dir: no such file or directory)";

#else

inline platform::DuplexSpec does(const std::string& script) {
  return from(bash(script));
}

inline platform::DuplexSpec echoes() {
  return does("exec cat");
}
inline platform::DuplexSpec never_reads() {
  return does("echo ready; exec sleep 30");
}
inline platform::DuplexSpec exits(int code) {
  return does("exit " + std::to_string(code));
}
inline platform::DuplexSpec writes_zeros_and_exits(std::size_t count, int code) {
  return does("head -c " + std::to_string(count) + " /dev/zero; exit " + std::to_string(code));
}
inline platform::DuplexSpec complains(std::string_view text) {
  return does("echo '" + std::string(text) + "' >&2; exit 1");
}
inline platform::DuplexSpec floods_stderr_then_echoes(std::size_t count) {
  return does("head -c " + std::to_string(count) +
              " /dev/zero >&2; echo >&2; echo 'last words' >&2; exec cat");
}
// Its child inherits its streams, leaves its session and stays.
inline platform::DuplexSpec leaves_a_child_and_exits() {
  return does("setsid sleep 30 & echo hi");
}
inline platform::DuplexSpec ignores_the_end_of_input() {
  return does("trap '' TERM; echo ready; while :; do sleep 30; done");
}
inline platform::DuplexSpec missing() {
  return {.argv = {"/no/such"}, .cwd = "/", .environment = {}};
}
inline platform::DuplexSpec in_missing_directory() {
  auto spec = echoes();
  spec.cwd = "/no/dir";
  return spec;
}
inline constexpr std::string_view k_missing_message =
    "cannot start /no/such: no such file or directory";
inline constexpr std::string_view k_missing_directory_message =
    "cannot work in /no/dir: no such file or directory";

#endif

}  // namespace yume::test::duplex
