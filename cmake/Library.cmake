# SPDX-License-Identifier: MIT
#   yume_library(<folder> DEPS <target>... [DEFINES <definition>...]
#                [TEXTS <qualified function> HEADER <header>])
#
# src/<folder>/**.cpp becomes the static library yume_<folder>. A folder without sources becomes an
# interface library. *_posix.cpp and *_openssl.cpp are dropped on Windows, *_win32.cpp elsewhere; *_linux.cpp and
# *_darwin.cpp belong to their systems alone. TEXTS embeds the folder's .md and .json files (see
# EmbedTexts.cmake).
include(Unity)

function(yume_library folder)
  cmake_parse_arguments(arg "" "TEXTS;HEADER" "DEPS;DEFINES" ${ARGN})
  set(target yume_${folder})
  set(directory ${PROJECT_SOURCE_DIR}/src/${folder})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${directory}/*.cpp)
  if(WIN32)
    list(FILTER sources EXCLUDE REGEX "_(posix|openssl)\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "_win32\\.cpp$")
  endif()
  foreach(system Linux Darwin)
    if(NOT CMAKE_SYSTEM_NAME STREQUAL system)
      string(TOLOWER ${system} name)
      list(FILTER sources EXCLUDE REGEX "_${name}\\.cpp$")
    endif()
  endforeach()

  if(sources OR arg_TEXTS)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PUBLIC ${arg_DEPS} PRIVATE yume_flags)
    target_compile_definitions(${target} PRIVATE ${arg_DEFINES})
    if(folder IN_LIST YUME_COVERAGE)
      # Every call would count as two branches, of which one throws.
      target_compile_options(${target} PRIVATE -O0 --coverage -fno-exceptions)
      target_link_options(${target} PUBLIC --coverage)
    else()
      yume_precompile(${target})
      yume_unity(${target} ${sources})
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} INTERFACE ${arg_DEPS})
  endif()
  if(arg_TEXTS)
    yume_embed_texts(${target} DIRECTORY ${directory} FUNCTION ${arg_TEXTS} HEADER ${arg_HEADER})
  endif()
endfunction()

# A third of a file's compile time is the standard library. The first library makes the headers, the
# others use them. The presets `clang` and `windows` build without, and so find a missing include.
function(yume_precompile target)
  if(NOT YUME_PRECOMPILE)
    return()
  endif()
  get_property(owner GLOBAL PROPERTY YUME_PRECOMPILED)
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    set_property(GLOBAL PROPERTY YUME_PRECOMPILED ${target})
    target_precompile_headers(${target} PRIVATE <algorithm> <chrono> <filesystem> <functional> <map>
                              <memory> <optional> <string> <variant> <vector>)
  endif()
endfunction()
