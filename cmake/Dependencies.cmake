# SPDX-License-Identifier: MIT
# Finds or fetches what third_party/versions.cmake names and gives each one target:
#   yume::curl yume::json yume::fmt yume::spdlog yume::simdjson yume::openssl yume::re2
#   yume::gumbo yume::cmark_gfm yume::libedit yume::httplib
#   yume::gtest (tests)
# spdlog and fmt are used header-only, so that nothing more is loaded at start.
#
# Order for each: FETCHCONTENT_SOURCE_DIR_<NAME> if set; the static build of StaticDeps.cmake if
# chosen; the system (not with FETCH); the pinned download (not with SYSTEM).

include(FetchContent)
find_package(Threads REQUIRED)
if(NOT YUME_DEPS MATCHES "^(AUTO|SYSTEM|FETCH)$")
  message(FATAL_ERROR "YUME_DEPS must be AUTO, SYSTEM or FETCH, not '${YUME_DEPS}'")
endif()

macro(yume_pin name minimum version url sha256)
  string(TOUPPER ${name} yume_upper)
  set(YUME_${yume_upper}_MINIMUM ${minimum})
  set(YUME_${yume_upper}_VERSION ${version})
  FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${sha256} DOWNLOAD_EXTRACT_TIMESTAMP FALSE)
endmacro()
include(${PROJECT_SOURCE_DIR}/third_party/versions.cmake)

function(yume_note_dependency name origin)
  set_property(GLOBAL APPEND PROPERTY yume_dependencies "${name}|${origin}")
endfunction()

function(yume_print_dependencies)
  get_property(entries GLOBAL PROPERTY yume_dependencies)
  message(STATUS "Dependencies (YUME_DEPS=${YUME_DEPS}, static: ${YUME_LINK_STATIC}):")
  foreach(entry IN LISTS entries)
    string(REGEX MATCH "^([^|]*)[|](.*)$" _ "${entry}")
    string(LENGTH "${CMAKE_MATCH_1}" length)
    math(EXPR padding "16 - ${length}")
    string(REPEAT " " ${padding} spaces)
    message(STATUS "  ${CMAKE_MATCH_1}${spaces}${CMAKE_MATCH_2}")
  endforeach()
endfunction()

# A third-party target under our own name, its headers treated as system headers.
function(yume_wrap name)
  add_library(yume_dep_${name} INTERFACE)
  add_library(yume::${name} ALIAS yume_dep_${name})
  foreach(target IN LISTS ARGN)
    target_link_libraries(yume_dep_${name} INTERFACE ${target})
    target_include_directories(yume_dep_${name} SYSTEM INTERFACE
      $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
endfunction()

# Looks for <target> in the system package <package>; if that is not wanted or not there, adds the
# fetched project <name>, configured with the variables given as <variable>=<value>.
macro(yume_find_or_fetch name package target)
  string(TOUPPER ${name} yume_upper)
  set(yume_origin "")
  if(NOT YUME_DEPS STREQUAL "FETCH" AND NOT FETCHCONTENT_SOURCE_DIR_${yume_upper})
    find_package(${package} ${YUME_${yume_upper}_MINIMUM} QUIET)
    if(TARGET ${target})
      set(yume_origin "system ${${package}_VERSION}${${package}_VERSION_STRING}")
    elseif(YUME_DEPS STREQUAL "SYSTEM")
      message(FATAL_ERROR "${name} >= ${YUME_${yume_upper}_MINIMUM} is not installed (YUME_DEPS=SYSTEM)")
    endif()
  endif()
  if(NOT yume_origin)
    yume_fetch(${name} ${ARGN})
    if(FETCHCONTENT_SOURCE_DIR_${yume_upper})
      set(yume_origin "source tree ${FETCHCONTENT_SOURCE_DIR_${yume_upper}}")
    else()
      set(yume_origin "fetched ${YUME_${yume_upper}_VERSION}")
    endif()
  endif()
  yume_note_dependency(${name} "${yume_origin}")
endmacro()

# The settings become cache variables: projects that declare theirs with set(... CACHE) would drop
# plain ones.
function(yume_fetch name)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)     # option() respects the variables below
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)     # CMake 4 refuses older projects otherwise
  set(CMAKE_WARN_DEPRECATED OFF)
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_TESTING OFF)
  foreach(setting IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.*)$" _ "${setting}")
    set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2} CACHE INTERNAL "for ${name}")
  endforeach()
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
    add_subdirectory(${${name}_SOURCE_DIR} ${${name}_BINARY_DIR} EXCLUDE_FROM_ALL)
  endif()
endfunction()

# The static release form, if chosen: sets YUME_LINK_STATIC and the targets yume_static_curl and
# yume_static_simdjson.
include(StaticDeps)

# Of the system itself nothing is named that the compiler does not link anyway.
add_library(yume_dep_system INTERFACE)
add_library(yume::system ALIAS yume_dep_system)

# OpenSSL
find_package(OpenSSL ${YUME_OPENSSL_MINIMUM} REQUIRED)
yume_wrap(openssl OpenSSL::SSL OpenSSL::Crypto)
yume_note_dependency(openssl "system ${OPENSSL_VERSION}")

# curl
if(YUME_LINK_STATIC)
  yume_wrap(curl yume_static_curl)
  yume_note_dependency(curl "source tree, static ${YUME_STATIC_CURL_VERSION}")
else()
  include(CurlOptions)
  yume_find_or_fetch(curl CURL CURL::libcurl ${YUME_CURL_OPTIONS})
  yume_wrap(curl CURL::libcurl)
endif()

# JSON
yume_find_or_fetch(nlohmann_json nlohmann_json nlohmann_json::nlohmann_json JSON_BuildTests=OFF)
yume_wrap(json nlohmann_json::nlohmann_json)

if(YUME_LINK_STATIC)
  yume_wrap(simdjson yume_static_simdjson)
  yume_note_dependency(simdjson "source tree, static ${YUME_STATIC_SIMDJSON_VERSION}")
else()
  yume_find_or_fetch(simdjson simdjson simdjson::simdjson)
  yume_wrap(simdjson simdjson::simdjson)
endif()

# Regular expressions
yume_find_or_fetch(re2 re2 re2::re2 RE2_BUILD_TESTING=OFF)
yume_wrap(re2 re2::re2)

# Encodings: part of the C library, but not on a Mac
if(APPLE)
  find_package(Iconv REQUIRED)
  yume_wrap(iconv Iconv::Iconv)
endif()

# HTML
find_package(gumbo REQUIRED)
yume_wrap(gumbo gumbo::gumbo)
yume_note_dependency(gumbo "system")

# Lines that a person types
find_package(libedit REQUIRED)
yume_wrap(libedit libedit::libedit)
yume_note_dependency(libedit "system")

# Markdown
find_package(cmark_gfm REQUIRED)
yume_wrap(cmark_gfm cmark_gfm::cmark_gfm)
yume_note_dependency(cmark_gfm "system")

# JSON Schema
include(Valijson)
yume_note_dependency(valijson "headers of ${YUME_VALIJSON_HEADERS}")

# The server of the demo and the tests: one header, compiled into one file. The tree that
# scripts/fetch-sources gets is the distribution's, so it counts as the system's.
set(yume_httplib ${YUME_SOURCES_DIR}/cpp-httplib)
if(YUME_DEPS STREQUAL "SYSTEM" AND NOT EXISTS ${yume_httplib}/httplib.h)
  message(FATAL_ERROR "no cpp-httplib sources: run scripts/fetch-sources (YUME_DEPS=SYSTEM)")
elseif(YUME_DEPS STREQUAL "FETCH" OR FETCHCONTENT_SOURCE_DIR_CPP_HTTPLIB OR
       NOT EXISTS ${yume_httplib}/httplib.h)
  FetchContent_GetProperties(cpp_httplib)
  if(NOT cpp_httplib_POPULATED)
    FetchContent_Populate(cpp_httplib)
  endif()
  set(yume_httplib ${cpp_httplib_SOURCE_DIR})
endif()
file(STRINGS ${yume_httplib}/httplib.h yume_line REGEX "CPPHTTPLIB_VERSION \"" LIMIT_COUNT 1)
string(REGEX MATCH "[0-9]+\\.[0-9.]+" yume_httplib_version "${yume_line}")
if(yume_httplib_version VERSION_LESS YUME_CPP_HTTPLIB_MINIMUM)
  message(FATAL_ERROR "cpp-httplib ${yume_httplib_version} is older than ${YUME_CPP_HTTPLIB_MINIMUM}")
endif()
yume_note_dependency(cpp_httplib "header ${yume_httplib_version} of ${yume_httplib}")
add_library(yume_dep_httplib INTERFACE)
add_library(yume::httplib ALIAS yume_dep_httplib)
target_include_directories(yume_dep_httplib SYSTEM INTERFACE ${yume_httplib})
target_link_libraries(yume_dep_httplib INTERFACE Threads::Threads)

# Formatting and the debug log. spdlog's own target may name the shared fmt, so only its headers
# are taken.
yume_find_or_fetch(fmt fmt fmt::fmt-header-only)
yume_wrap(fmt fmt::fmt-header-only)
yume_find_or_fetch(spdlog spdlog spdlog::spdlog_header_only SPDLOG_FMT_EXTERNAL_HO=ON
                   SPDLOG_FMT_EXTERNAL=OFF)
add_library(yume_dep_spdlog INTERFACE)
add_library(yume::spdlog ALIAS yume_dep_spdlog)
target_include_directories(yume_dep_spdlog SYSTEM INTERFACE
  $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(yume_dep_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
target_link_libraries(yume_dep_spdlog INTERFACE yume::fmt Threads::Threads)

# Tests
if(YUME_TESTS)
  yume_find_or_fetch(googletest GTest GTest::gmock_main INSTALL_GTEST=OFF)
  yume_wrap(gtest GTest::gmock GTest::gtest)
  yume_wrap(gtest_main GTest::gmock_main)
endif()
