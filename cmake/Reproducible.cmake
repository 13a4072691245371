# SPDX-License-Identifier: MIT
# Two builds of one commit have the same bytes, whatever folders they were made in: no path of the
# build in them, and no random number in the names that the compiler makes up. (scripts/release shows
# how the rest is done: times come from the commit.)
#
# YUME_PATH_MAP: the flags that leave the paths out, for what is built beside us.
# The last map that fits counts.
set(YUME_PATH_MAP -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
    -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()
add_compile_options(${YUME_PATH_MAP})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The object's path inside the build tree: another for each file, the same in every build.
  string(APPEND CMAKE_CXX_COMPILE_OBJECT " -frandom-seed=<OBJECT>")
endif()
