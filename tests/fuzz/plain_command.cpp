// SPDX-License-Identifier: MIT
// Words that are certain are the same to the strict and to the lenient reader of commands, and the
// latter has no doubt about them. Any other text only has to be read.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "permissions/command_facts.h"
#include "permissions/plain_command.h"
#include "permissions/shell_text.h"

namespace {

std::vector<std::vector<std::string>> words_of(const yume::permissions::ShellText& shell) {
  std::vector<std::vector<std::string>> out;
  for (const auto& command : shell.commands) {
    auto& words = out.emplace_back();
    for (const auto& word : command.words) words.push_back(word.text);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto facts = yume::permissions::command_facts(text, {.cwd = "/w/app", .home = "/home/u"},
                                                      /*names=*/{});
  const auto steps = yume::permissions::read_plain_command(text);
  if (!steps) return 0;
  std::vector<std::vector<std::string>> plain;
  for (const auto& step : *steps) plain.push_back(step.argv);
  if (words_of(yume::permissions::read_shell_text(text)) != plain) std::abort();
  if (facts.read_only && facts.removes_vital) std::abort();
  return 0;
}
