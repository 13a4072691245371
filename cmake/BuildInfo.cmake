# SPDX-License-Identifier: MIT
# Which build this is, for --version: YUME_TARGET, the system in the words of our packages
# (linux-x64), and the commit, which yume_build_info(<target>) gives to the target as
# YUME_CLI_COMMIT of the header commit.h. Only a Release knows its commit: the header is looked at in
# each build, and everything that is linked with it would be linked again after each commit.
#
# The same file, run with `cmake -P`, writes the header when the commit has changed.

if(CMAKE_SCRIPT_MODE_FILE)
  set(commit "")
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty=+changes --abbrev=12 --exclude=*
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define YUME_CLI_COMMIT \"${commit}\"\n")
  return()
endif()

string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" yume_cpu)
string(REGEX REPLACE "^(x86_64|amd64)$" "x64" yume_cpu "${yume_cpu}")
string(REGEX REPLACE "^aarch64$" "arm64" yume_cpu "${yume_cpu}")
string(REPLACE "Darwin" "macos" yume_system "${CMAKE_SYSTEM_NAME}")
string(TOLOWER "${yume_system}" yume_system)
set(YUME_TARGET ${yume_system}-${yume_cpu})

find_program(YUME_GIT git)
mark_as_advanced(YUME_GIT)

function(yume_build_info target)
  set(header ${PROJECT_BINARY_DIR}/generated/build_info/commit.h)
  set(git "")
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND YUME_GIT)
    set(git ${YUME_GIT})
  endif()
  add_custom_target(yume_commit
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${header} -D SOURCE=${PROJECT_SOURCE_DIR} -D GIT=${git}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    BYPRODUCTS ${header} VERBATIM)
  add_dependencies(${target} yume_commit)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated/build_info)
  target_compile_definitions(${target} PRIVATE YUME_CLI_TARGET="${YUME_TARGET}")
endfunction()
