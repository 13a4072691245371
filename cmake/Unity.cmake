# SPDX-License-Identifier: MIT
# yume_unity(<target> <source>...): with YUME_UNITY, compiles the target's sources a few at a time, as
# one file each, which takes a third of the time from nothing: most of a file's time are the templates
# that it shares with others. After a change of one file it takes longer, so it is for ./check.
# Files that have a name in common are kept apart (unity_groups.py).
set(YUME_UNITY_SIZE 8 CACHE STRING "How many sources YUME_UNITY makes one")
mark_as_advanced(YUME_UNITY_SIZE)
find_package(Python3 COMPONENTS Interpreter QUIET)

function(yume_unity target)
  if(NOT YUME_UNITY OR NOT Python3_FOUND)
    return()
  endif()
  set(sources ${ARGN})
  list(SORT sources)
  get_target_property(folder ${target} SOURCE_DIR)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/unity_groups.py
            ${YUME_UNITY_SIZE} ${PROJECT_SOURCE_DIR}/src:${PROJECT_SOURCE_DIR}/tests/support ${sources}
    OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  foreach(entry IN LISTS groups)
    string(REGEX MATCH "^([^ ]+) (.*)$" _ "${entry}")
    set_property(SOURCE ${CMAKE_MATCH_2} PROPERTY UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Meant for classes of headers, and a source that another one includes is taken for a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
