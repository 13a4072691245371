# SPDX-License-Identifier: MIT
# Builds for macOS on Linux, with the compiler that scripts/fetch-zig gets: a check that everything
# compiles and links, nothing that is published. YUME_MACOS_CPU: aarch64 or x86_64.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_VERSION 22)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES YUME_MACOS_CPU)
set(CMAKE_SYSTEM_PROCESSOR ${YUME_MACOS_CPU})
set(yume_zig ${CMAKE_CURRENT_LIST_DIR}/../build/zig)
set(CMAKE_C_COMPILER ${yume_zig}/${YUME_MACOS_CPU}-macos-cc)
set(CMAKE_CXX_COMPILER ${yume_zig}/${YUME_MACOS_CPU}-macos-c++)
set(CMAKE_AR ${yume_zig}/${YUME_MACOS_CPU}-macos-ar)
set(CMAKE_RANLIB ${yume_zig}/${YUME_MACOS_CPU}-macos-ranlib)
set(CMAKE_C_COMPILER_AR ${CMAKE_AR})
set(CMAKE_CXX_COMPILER_AR ${CMAKE_AR})
set(CMAKE_C_COMPILER_RANLIB ${CMAKE_RANLIB})
set(CMAKE_CXX_COMPILER_RANLIB ${CMAKE_RANLIB})
# What CMake tries out is not linked: that would compile a C++ library first.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# Not used: nothing is installed.
set(CMAKE_INSTALL_NAME_TOOL ${CMAKE_COMMAND})
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_OSX_DEPLOYMENT_TARGET "")
set(CMAKE_OSX_ARCHITECTURES "")
# The headers of the C library say much of nullability that clang counts as incomplete. What macOS
# 13 lacks is an error.
set(CMAKE_C_FLAGS_INIT "-Wno-nullability-completeness")
string(JOIN " " CMAKE_CXX_FLAGS_INIT -Wno-nullability-completeness -Wno-nullability-extension
       -Werror=unguarded-availability -Werror=unguarded-availability-new)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
