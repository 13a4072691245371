# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: MIT
# Shared by quickstart, check and scripts/*: steps, packages. Sourced with the working directory
# anywhere; sets YUME_ROOT and moves there.

YUME_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$YUME_ROOT" || exit 1
export LC_ALL=C.UTF-8

JOBS="$(nproc 2>/dev/null || echo 2)"
LOGS="$YUME_ROOT/build/logs"

say() { printf '%s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# step <name> <command...>: one line on success; on failure the log's end and exit 1.
step() {
  local name="$1" started=$SECONDS log
  shift
  mkdir -p "$LOGS"
  log="$LOGS/$(printf '%s' "$name" | tr -c 'A-Za-z0-9\n' '-').log"
  if "$@" >"$log" 2>&1; then
    say "$name: ok ($((SECONDS - started)) s)"
  else
    tail -n 80 "$log" >&2
    die "$name failed; whole log: ${log#"$YUME_ROOT"/}"
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo -- "$@"
  else
    die "installing packages needs root or sudo"
  fi
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need_packages <package...>: installs the missing ones; says nothing when there are none.
need_packages() {
  local missing=() package
  if ! command -v dpkg-query >/dev/null 2>&1; then
    say "packages: not a Debian system, expecting the equivalents of: $*"
    return
  fi
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  say "packages: installing ${missing[*]}"
  step "packages: apt-get update" as_root apt-get -q update
  step "packages: apt-get install" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends install "${missing[@]}"
}

# need_command <command> <package...>: the packages only if the command isn't there from elsewhere.
need_command() {
  local command="$1"
  shift
  command -v "$command" >/dev/null 2>&1 || need_packages "$@"
}

BUILD_PACKAGES=(g++ cmake ninja-build pkg-config python3 libcurl4-openssl-dev nlohmann-json3-dev
  libspdlog-dev libfmt-dev libsimdjson-dev libre2-dev libgumbo-dev libcmark-gfm-dev
  libcmark-gfm-extensions-dev libedit-dev libssl-dev libnghttp2-dev zlib1g-dev
  libbrotli-dev ca-certificates dpkg-dev)
TEST_PACKAGES=(libgtest-dev libgmock-dev clang-14 clang-format-14 libclang-rt-14-dev strace
  nginx-light tinyproxy openssl ripgrep git procps zsh fish groff-base python3-yaml tmux)
# A compiler for Windows, and wine to run what it makes.
WINDOWS_PACKAGES=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev googletest wine wine64)

# On another machine: a compiler for Linux on arm64, and qemu to run what it makes.
ARM64_PACKAGES=(g++-aarch64-linux-gnu qemu-user)

# What makes and checks packages (scripts/release).
RELEASE_PACKAGES=(python3 git dpkg-dev lintian man-db debootstrap)

# The Rust host crate is built with the distribution's compiler and crates.
RUST_PACKAGES=(cargo rustc rustfmt rust-clippy librust-serde-dev librust-serde-derive-dev
  librust-serde-json-dev librust-tokio-dev librust-libc-dev libstd-rust-dev-windows)

# fetch_sources: the trees that the build takes from source packages. Without them it goes on with
# shared libraries and a download.
fetch_sources() {
  scripts/fetch-sources || say "no source packages: using the system's shared libraries"
}

# build <preset> [option...]: configures, with these options of CMake, and builds.
build() {
  step "$1: configure" cmake --preset "$@"
  step "$1: build" cmake --build --preset "$1" --parallel "$JOBS"
}

# build_release: with the static dependencies when their sources can be had.
build_release() {
  fetch_sources
  build release
}

# build_arm64: the same for Linux on arm64, on another machine.
build_arm64() {
  need_packages "${ARM64_PACKAGES[@]}"
  step "linux-arm64: sources" scripts/fetch-sources --arm64
  build linux-arm64
}
