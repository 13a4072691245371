// SPDX-License-Identifier: MIT
#include "platform/sandbox_profile.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::platform {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SandboxProfile, SaysEverythingInTheOrderThatCounts) {
  const std::string text = sandbox_profile({.writable = {"/w", "/w/.yume/tmp"},
                                            .read_only = {"/w/.git/hooks", "/w/.yume"},
                                            .closed = {"/u/.ssh"},
                                            .closed_sockets = {"/run/docker.sock"},
                                            .temporary = "/t/own",
                                            .network = NetworkAccess::denied});
  EXPECT_EQ(text, R"((version 1)
(allow default)
(deny file-write*)
(allow file-write*
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/tty")
  (literal "/dev/dtracehelper"))
(allow file-write* (regex #"^/dev/(ptmx|ttys[0-9]+)$"))
(allow file-write*
  (subpath "/w")
  (subpath "/w/.yume/tmp")
  (subpath "/t/own"))
(deny file-write*
  (subpath "/w/.git/hooks")
  (subpath "/w/.yume"))
(deny file-write-unlink
  (literal "/w/.git"))
(allow file-write*
  (subpath "/w/.yume/tmp"))
(deny file-read* file-write*
  (subpath "/u/.ssh"))
(deny network-outbound
  (path "/run/docker.sock"))
(deny network*)
(deny signal)
(allow signal (target same-sandbox))
(deny process-info*)
(allow process-info* (target same-sandbox))
)");
}

TEST(SandboxProfile, HasNoRuleWithoutAPath) {
  const std::string text = sandbox_profile({.temporary = "/t"});
  EXPECT_FALSE(has(text, "file-read*")) << text;
  EXPECT_FALSE(has(text, "file-write-unlink")) << text;
  EXPECT_FALSE(has(text, "network")) << text;
}

TEST(SandboxProfile, QuotesWhatAPathMayContain) {
  const std::string text =
      sandbox_profile({.writable = {"/a\"b", "/c\\d", "/e\nf", "/g) (allow default", "/\xC3\xA4"},
                       .temporary = {}});
  EXPECT_TRUE(has(text, R"((subpath "/a\"b"))")) << text;
  EXPECT_TRUE(has(text, R"((subpath "/c\\d"))")) << text;
  EXPECT_TRUE(has(text, R"((subpath "/e\x0af"))")) << text;
  EXPECT_TRUE(has(text, "(subpath \"/g) (allow default\")")) << text;
  EXPECT_TRUE(has(text, "(subpath \"/\xC3\xA4\")")) << text;
}

}  // namespace
}  // namespace yume::platform
