# SPDX-License-Identifier: MIT
# Every dependency: the least version our code needs, and the release that FETCH takes.
# The pins are Debian 12's versions where upstream still stands by them, so that both ways compile
# the same code; curl is newer, as Debian carries its security fixes as patches.
#
#   yume_pin(<name> <minimum> <pinned version> <URL> <SHA256>)

yume_pin(curl 7.88 8.14.1
  https://curl.se/download/curl-8.14.1.tar.gz
  6766ada7101d292b42b8b15681120acd68effa4a9660935853cf6d61f0d984d4)

yume_pin(nlohmann_json 3.11 3.11.2
  https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
  d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273)

yume_pin(fmt 9.1 9.1.0
  https://github.com/fmtlib/fmt/archive/refs/tags/9.1.0.tar.gz
  5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2)

yume_pin(spdlog 1.10 1.12.0
  https://github.com/gabime/spdlog/archive/refs/tags/v1.12.0.tar.gz
  4dccf2d10f410c1e2feaff89966bfc49a1abb29ef6f08246335b110e001e09a9)

yume_pin(simdjson 3.0 3.0.1
  https://github.com/simdjson/simdjson/archive/refs/tags/v3.0.1.tar.gz
  156b1bc5eb0561b2bd166b46d191fd3d95a3e709cc63761477d3b7aec2b6e9ed)

# RE2's releases are dates, which CMake cannot compare with a package's version; any since 2020 will do.
yume_pin(re2 "" 2022-06-01
  https://github.com/google/re2/archive/2022-06-01.tar.gz
  f89c61410a072e5cbcf8c27e3a778da7d6fd2f2b5b1445cd4f4508bee946ab0f)

# A single header. Debian's library of it is shared and compresses answers, so its source is taken.
yume_pin(cpp_httplib 0.11 0.11.4
  https://github.com/yhirose/cpp-httplib/archive/refs/tags/v0.11.4.zip
  9d884bee50ded17de3a51d673bb9c2d7d11f101c595b0891830ba9d02e0cc368)

yume_pin(googletest 1.12 1.12.1
  https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
  81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2)

# Always the system's (or the toolchain's): they have no CMake build of their own.
set(YUME_OPENSSL_MINIMUM 3.0)
# nghttp2, zlib and brotli, for a curl that we build: any that a distribution has.
# gumbo: 0.10, which is the last release of its first home; cmake/Findgumbo.cmake looks for it.
