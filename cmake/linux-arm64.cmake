# SPDX-License-Identifier: MIT
# Builds the release for Linux on arm64 elsewhere: Debian's compiler for it, its own archives of what is
# linked (scripts/fetch-sources --arm64), and qemu, which runs it with the C library that it was linked
# with.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(yume_tools aarch64-linux-gnu)
set(CMAKE_C_COMPILER ${yume_tools}-gcc)
set(CMAKE_CXX_COMPILER ${yume_tools}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${yume_tools})
set(yume_sources ${CMAKE_CURRENT_LIST_DIR}/../build/_sources)
get_filename_component(yume_sources ${yume_sources} ABSOLUTE)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${yume_sources}/glibc-arm64)
# Headers that are the same for every processor are the system's: the compiler looks there, too.
set(CMAKE_FIND_ROOT_PATH ${yume_sources}/archives-arm64)
foreach(name fmt spdlog)
  set(${name}_DIR /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/cmake/${name})
endforeach()
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-isystem ${CMAKE_FIND_ROOT_PATH}/usr/include/${yume_tools}")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
