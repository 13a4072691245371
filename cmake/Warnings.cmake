# SPDX-License-Identifier: MIT
# yume_flags: an interface library which every target of ours links privately. Warnings here;
# Sanitizers.cmake adds its own flags to it.
add_library(yume_flags INTERFACE)
target_compile_options(yume_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
if(NOT YUME_UNITY)
  # A name of a neighbouring file is nothing that a local one hides.
  target_compile_options(yume_flags INTERFACE -Wshadow)
endif()
if(YUME_WERROR)
  target_compile_options(yume_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND YUME_SANITIZE)
  # Instrumented code makes GCC see uninitialised reads that are not there.
  target_compile_options(yume_flags INTERFACE -Wno-maybe-uninitialized)
endif()
