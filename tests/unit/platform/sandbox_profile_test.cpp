// SPDX-License-Identifier: MIT
#include "platform/sandbox_profile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

fs::path as_it_is(const fs::path& path) {
  return path;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SandboxProfile, SaysEverythingInTheOrderThatCounts) {
  const std::string text = sandbox_profile({.writable = {"/w", "/w/.yume/tmp"},
                                            .read_only = {"/w/.git/hooks", "/w/.yume"},
                                            .closed = {"/u/.ssh"},
                                            .closed_sockets = {"/run/docker.sock"},
                                            .temporary = "/t/own",
                                            .network = NetworkAccess::denied},
                                           as_it_is);
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
  (subpath "/t/own")
  (subpath "/w")
  (subpath "/w/.yume/tmp"))
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
  (subpath "/run/docker.sock"))
(deny network*)
(deny lsopen)
(deny appleevent-send)
(deny signal)
(allow signal (target same-sandbox))
(deny process-info*)
(allow process-info* (target same-sandbox))
)");
}

TEST(SandboxProfile, HasNoRuleWithoutAPath) {
  const std::string text = sandbox_profile({.temporary = "/t"}, as_it_is);
  EXPECT_FALSE(has(text, "file-read*")) << text;
  EXPECT_FALSE(has(text, "file-write-unlink")) << text;
  EXPECT_FALSE(has(text, "network")) << text;
}

TEST(SandboxProfile, QuotesWhatAPathMayContain) {
  const std::string text = sandbox_profile(
      {.writable = {"/a\"b", "/c\\d", "/e\nf", "/g) (allow default", "/\xC3\xA4"}, .temporary = {}},
      as_it_is);
  EXPECT_TRUE(has(text, R"((subpath "/a\"b"))")) << text;
  EXPECT_TRUE(has(text, R"((subpath "/c\\d"))")) << text;
  EXPECT_TRUE(has(text, R"((subpath "/e\x0af"))")) << text;
  EXPECT_TRUE(has(text, "(subpath \"/g) (allow default\")")) << text;
  EXPECT_TRUE(has(text, "(subpath \"/\xC3\xA4\")")) << text;
}

TEST(SandboxProfile, NamesPlacesByTheirRealPaths) {
  const auto real = [](const fs::path& path) -> fs::path {
    if (path.native().starts_with("/tmp")) return "/private" / path.relative_path();
    return path == "/gone" ? fs::path() : path;
  };
  const std::string text = sandbox_profile(
      {.writable = {"/tmp/w"}, .closed = {"/gone", "/tmp/key"}, .temporary = "/tmp/own"}, real);
  EXPECT_TRUE(has(text, "(subpath \"/private/tmp/w\")")) << text;
  EXPECT_TRUE(has(text, "(subpath \"/private/tmp/own\")")) << text;
  EXPECT_TRUE(has(text, "(subpath \"/private/tmp/key\")")) << text;
  EXPECT_FALSE(has(text, "\"/tmp")) << text;
  EXPECT_FALSE(has(text, "/gone")) << text;
}

// What a command has put there must not open the next one a place outside.
TEST(SandboxProfile, OpensNoLinkThatLeadsOutOfAWritableFolder) {
  const auto real = [](const fs::path& path) -> fs::path {
    return path == "/w/.yume/tmp" ? fs::path("/u/.ssh") : path;
  };
  const std::string text =
      sandbox_profile({.writable = {"/w", "/w/.yume/tmp"}, .temporary = "/t"}, real);
  EXPECT_FALSE(has(text, "/u/.ssh")) << text;
}

TEST(SandboxProfile, IsGivenToTheSystemsProgram) {
  EXPECT_EQ(sandbox_starter("(version 1)"),
            (std::vector<std::string>{"/usr/bin/sandbox-exec", "-p", "(version 1)"}));
}

}  // namespace
}  // namespace yume::platform
