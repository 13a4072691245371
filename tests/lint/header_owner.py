#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Third-party and operating system headers stay behind the files that wrap them."""

import re

import lintlib
from lintlib import Case, Violation

OS_HEADERS = (
    # POSIX and Linux
    r"(sys|netinet|net|arpa|linux|asm|mach|machine|libkern|CoreFoundation|Security)/.*"
    r"|(unistd|fcntl|signal|poll|dirent|pwd|grp|netdb|spawn|termios|pthread|dlfcn|ifaddrs|glob|fnmatch"
    r"|iconv|sched|semaphore|syslog|ucontext|utime|wordexp|ftw|pty|libproc|libgen|strings|langinfo|mqueue|aio)\.h"
    r"|csignal"
    # Windows
    r"|([Ww]indows|winsock2?|ws2tcpip|ws2def|winbase|winerror|winnt|wincrypt|bcrypt|io|direct|process|conio"
    r"|shlobj(_core)?|shlwapi|shellapi|psapi|tlhelp32|userenv|aclapi|sddl|ntstatus|winternl|afunix)\.h"
)

# (rule, header, files that may include it, who to ask)
RULES = [
    ("curl-header", r"curl/.*", r"src/net/curl_[^/]*\.(h|cpp)", "src/net/curl_*"),
    ("openssl-header", r"openssl/.*", r"src/(auth|util)/[^/]*openssl[^/]*\.(h|cpp)",
     "src/auth/*openssl* or src/util/*openssl*"),
    ("os-header", OS_HEADERS, r"src/platform/[^/]*_(posix|linux|darwin|win32)\.(h|cpp)",
     "src/platform/*_posix.*, *_linux.*, *_darwin.* or *_win32.*"),
    ("spdlog-header", r"spdlog/.*", r"src/util/log\.cpp", "src/util/log.cpp"),
    ("re2-header", r"re2/.*", r"src/(tools/search|hooks)/matcher\.cpp", "src/tools/search/matcher.cpp or src/hooks/matcher.cpp"),
    ("cmark-header", r"cmark-gfm.*", r"src/markdown/cmark_parser\.cpp", "src/markdown/cmark_parser.cpp"),
    ("libedit-header", r"histedit\.h", r"src/platform/line_editor_posix\.cpp", "src/platform/line_editor_posix.cpp"),
    ("gumbo-header", r"gumbo\.h", r"src/tools/web/html_[^/]*\.(h|cpp)", "src/tools/web/html_*"),
    ("httplib-header", r"httplib\.h", r"src/demo/http_server\.cpp", "src/demo/http_server.cpp"),
    ("valijson-header", r"valijson/.*", r"src/util/json_schema\.cpp", "src/util/json_schema.cpp"),
    ("simdjson-header", r"simdjson\.h", r"src/(gemini/.*|util/json[^/]*)", "src/gemini or src/util/json*"),
]
RULES = [(rule, re.compile(header), re.compile(files), owner) for rule, header, files, owner in RULES]


def check(root):
    found = []
    for name, path in lintlib.code_files(root, "src"):
        for line, kind, header in lintlib.includes(path):
            for rule, pattern, files, owner in RULES:
                # "platform/process.h" is ours, <process.h> is Windows': OS headers only by <>.
                if rule == "os-header" and kind != "<":
                    continue
                if pattern.fullmatch(header) and not files.fullmatch(name):
                    found.append(Violation(name, line, rule, f"<{header}> belongs in {owner}"))
    return found


def one(path, header):
    return {path: f"#include {header}\n"}


CASES = [
    Case("curl in its transport", one("src/net/curl_transport.cpp", "<curl/curl.h>"), 0),
    Case("curl elsewhere in net", one("src/net/http.h", "<curl/curl.h>"), 1),
    Case("curl in quotes elsewhere", one("src/app/a.cpp", '"curl/curl.h"'), 1),
    Case("openssl in its file", one("src/auth/sign_openssl.cpp", "<openssl/evp.h>"), 0),
    Case("openssl elsewhere", one("src/auth/jwt.cpp", "<openssl/evp.h>"), 1),
    Case("OS header in a posix file", one("src/platform/process_posix.cpp", "<sys/wait.h>"), 0),
    Case("OS header in a linux file", one("src/platform/landlock_linux.cpp", "<sys/syscall.h>"), 0),
    Case("OS header in a win32 file", one("src/platform/process_win32.cpp", "<windows.h>"), 0),
    Case("OS header in a seam", one("src/platform/process.h", "<unistd.h>"), 1),
    Case("signals elsewhere", one("src/app/run.cpp", "<csignal>"), 1),
    Case("iconv behind its seam", one("src/platform/charset_posix.cpp", "<iconv.h>"), 0),
    Case("iconv elsewhere", one("src/tools/web/charset.cpp", "<iconv.h>"), 1),
    Case("sockets elsewhere", one("src/demo/server.cpp", "<netinet/in.h>"), 1),
    Case("our own process.h is not Windows'", one("src/tools/bash.cpp", '"platform/process.h"'), 0),
    Case("spdlog in the log", one("src/util/log.cpp", "<spdlog/spdlog.h>"), 0),
    Case("spdlog in its header", one("src/util/log.h", "<spdlog/spdlog.h>"), 1),
    Case("fmt anywhere", one("src/agent/a.cpp", "<fmt/format.h>"), 0),
    Case("simdjson in gemini", one("src/gemini/stream_decoder.cpp", "<simdjson.h>"), 0),
    Case("simdjson in util/json*", one("src/util/json_scan.cpp", "<simdjson.h>"), 0),
    Case("re2 in the matcher", one("src/tools/search/matcher.cpp", "<re2/re2.h>"), 0),
    Case("re2 elsewhere", one("src/tools/grep.cpp", "<re2/re2.h>"), 1),
    Case("gumbo in its file", one("src/tools/web/html_tree.h", "<gumbo.h>"), 0),
    Case("gumbo elsewhere", one("src/tools/web_fetch.cpp", "<gumbo.h>"), 1),
    Case("httplib in its file", one("src/demo/http_server.cpp", "<httplib.h>"), 0),
    Case("httplib elsewhere", one("src/demo/http_server.h", "<httplib.h>"), 1),
    Case("valijson in its file", one("src/util/json_schema.cpp", "<valijson/schema.hpp>"), 0),
    Case("valijson elsewhere", one("src/tools/a.cpp", "<valijson/schema.hpp>"), 1),
    Case("simdjson elsewhere", one("src/protocol/inbound.cpp", "<simdjson.h>"), 1),
    Case("tests may include anything", one("tests/bench/a.cpp", "<curl/curl.h>"), 0),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
