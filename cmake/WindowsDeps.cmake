# SPDX-License-Identifier: MIT
# What the program for Windows is linked with, under the same names as on other systems (see
# Dependencies.cmake). The distribution has next to nothing built for mingw-w64, so sources are compiled
# here, without their own configurations, which take minutes under a cross compiler:
#   curl       with Schannel, and so with the system's trust store; config-win32.h answers what its
#              configuration would find out
#   nghttp2, RE2, gumbo, cmark-gfm, simdjson
# zlib comes as an archive (package libz-mingw-w64-dev). There is no brotli: pages come by gzip. Headers
# of nlohmann_json, fmt and spdlog are the system's.
# scripts/fetch-sources --windows gets the sources.
enable_language(C RC)
if(CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
find_package(Threads REQUIRED)
set(YUME_SOURCES_DIR ${PROJECT_SOURCE_DIR}/build/_sources CACHE PATH "Unpacked source trees")
set(YUME_LINK_STATIC ON)

foreach(tree curl nghttp2 re2 gumbo cmark-gfm simdjson cpp-httplib)
  if(NOT IS_DIRECTORY ${YUME_SOURCES_DIR}/${tree})
    message(FATAL_ERROR "no ${tree} sources: run scripts/fetch-sources --windows")
  endif()
endforeach()

# yume_windows_library(<name> <source>...): others' code, optimised once, its warnings not ours.
function(yume_windows_library name)
  add_library(yume_built_${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_compile_options(yume_built_${name} PRIVATE -w -O1 -ffunction-sections -fdata-sections)
  add_library(yume_dep_${name} INTERFACE)
  add_library(yume::${name} ALIAS yume_dep_${name})
  target_link_libraries(yume_dep_${name} INTERFACE yume_built_${name})
endfunction()

# Headers that say nothing of a system, linked one by one: beside them lie the C library's.
set(yume_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${yume_headers})
function(yume_windows_header name header)
  find_path(yume_path_of_${header} ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
            REQUIRED)
  mark_as_advanced(yume_path_of_${header})
  file(CREATE_LINK ${yume_path_of_${header}}/${header} ${yume_headers}/${header} SYMBOLIC)
  add_library(yume_dep_${name} INTERFACE)
  add_library(yume::${name} ALIAS yume_dep_${name})
  target_include_directories(yume_dep_${name} SYSTEM INTERFACE ${yume_headers})
endfunction()
yume_windows_header(json nlohmann)
yume_windows_header(fmt fmt)
yume_windows_header(spdlog spdlog)
target_compile_definitions(yume_dep_fmt INTERFACE FMT_HEADER_ONLY=1)
target_compile_definitions(yume_dep_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
target_link_libraries(yume_dep_spdlog INTERFACE yume::fmt Threads::Threads)
include(Valijson)

find_library(YUME_WINDOWS_ZLIB NAMES libz.a)
find_path(YUME_WINDOWS_ZLIB_HEADERS zlib.h)
mark_as_advanced(YUME_WINDOWS_ZLIB YUME_WINDOWS_ZLIB_HEADERS)
if(NOT YUME_WINDOWS_ZLIB OR NOT YUME_WINDOWS_ZLIB_HEADERS)
  message(FATAL_ERROR "zlib for mingw-w64 is not installed: package libz-mingw-w64-dev")
endif()

# nghttp2
set(tree ${YUME_SOURCES_DIR}/nghttp2)
file(STRINGS ${tree}/CMakeLists.txt line REGEX "project\\(nghttp2 VERSION" LIMIT_COUNT 1)
string(REGEX MATCH "([0-9]+)\\.([0-9]+)\\.([0-9]+)" PACKAGE_VERSION "${line}")
math(EXPR PACKAGE_VERSION_NUM
     "${CMAKE_MATCH_1} * 65536 + ${CMAKE_MATCH_2} * 256 + ${CMAKE_MATCH_3}" OUTPUT_FORMAT HEXADECIMAL)
configure_file(${tree}/lib/includes/nghttp2/nghttp2ver.h.in
               ${PROJECT_BINARY_DIR}/nghttp2/nghttp2/nghttp2ver.h @ONLY)
file(GLOB sources ${tree}/lib/*.c)
yume_windows_library(nghttp2 ${sources})
target_include_directories(yume_built_nghttp2 SYSTEM PUBLIC ${tree}/lib/includes
                           ${PROJECT_BINARY_DIR}/nghttp2)
target_compile_definitions(yume_built_nghttp2 PUBLIC NGHTTP2_STATICLIB PRIVATE BUILDING_NGHTTP2
                           HAVE_WINDOWS_H HAVE_WINSOCK2_H HAVE_INTTYPES_H)

# curl: HTTP and HTTPS only, as in CurlOptions.cmake
set(tree ${YUME_SOURCES_DIR}/curl)
file(GLOB sources ${tree}/lib/*.c ${tree}/lib/vauth/*.c ${tree}/lib/vtls/*.c ${tree}/lib/vquic/*.c
     ${tree}/lib/vssh/*.c)
yume_windows_library(curl ${sources})
target_include_directories(yume_built_curl PRIVATE ${tree}/lib ${YUME_WINDOWS_ZLIB_HEADERS})
target_include_directories(yume_built_curl SYSTEM PUBLIC ${tree}/include)
target_compile_definitions(yume_built_curl PUBLIC CURL_STATICLIB PRIVATE BUILDING_LIBCURL
  USE_SCHANNEL USE_WINDOWS_SSPI USE_WIN32_IDN WANT_IDN_PROTOTYPES ENABLE_IPV6 USE_NGHTTP2 HAVE_LIBZ
  HTTP_ONLY CURL_DISABLE_LDAP CURL_DISABLE_LDAPS CURL_DISABLE_NTLM)
target_link_libraries(yume_built_curl PUBLIC yume_built_nghttp2 ${YUME_WINDOWS_ZLIB}
                      ws2_32 crypt32 bcrypt advapi32 normaliz)

# Regular expressions, HTML, Markdown, JSON
set(tree ${YUME_SOURCES_DIR}/re2)
file(GLOB sources ${tree}/re2/*.cc ${tree}/util/rune.cc ${tree}/util/strutil.cc)
yume_windows_library(re2 ${sources})
target_include_directories(yume_built_re2 SYSTEM PUBLIC ${tree})
set(tree ${YUME_SOURCES_DIR}/gumbo)
file(GLOB sources ${tree}/src/*.c)
yume_windows_library(gumbo ${sources})
target_include_directories(yume_built_gumbo SYSTEM PUBLIC ${tree}/src)
target_compile_options(yume_built_gumbo PRIVATE -std=gnu99)
include(CmarkSources)
yume_windows_library(cmark_gfm ${yume_cmark_sources})
target_include_directories(yume_built_cmark_gfm SYSTEM PUBLIC ${yume_cmark_folders})
set(tree ${YUME_SOURCES_DIR}/simdjson)
yume_windows_library(simdjson ${tree}/singleheader/simdjson.cpp)
target_include_directories(yume_built_simdjson SYSTEM PUBLIC ${tree}/singleheader)

add_library(yume_dep_httplib INTERFACE)
add_library(yume::httplib ALIAS yume_dep_httplib)
target_include_directories(yume_dep_httplib SYSTEM INTERFACE ${YUME_SOURCES_DIR}/cpp-httplib)
target_link_libraries(yume_dep_httplib INTERFACE ws2_32 Threads::Threads)

# What src/platform uses of the system: signatures and digests too, for which others have OpenSSL.
add_library(yume_dep_system INTERFACE)
add_library(yume::system ALIAS yume_dep_system)
target_link_libraries(yume_dep_system INTERFACE ws2_32 bcrypt advapi32 shell32)
add_library(yume_dep_openssl INTERFACE)
add_library(yume::openssl ALIAS yume_dep_openssl)

# Tests: Debian's sources (package googletest).
if(YUME_TESTS)
  set(YUME_GTEST_SOURCE /usr/src/googletest CACHE PATH "Sources of GoogleTest")
  set(tree ${YUME_GTEST_SOURCE})
  yume_windows_library(gtest ${tree}/googletest/src/gtest-all.cc ${tree}/googlemock/src/gmock-all.cc)
  target_include_directories(yume_built_gtest SYSTEM PUBLIC ${tree}/googletest/include
                             ${tree}/googlemock/include)
  target_include_directories(yume_built_gtest PRIVATE ${tree}/googletest ${tree}/googlemock)
  yume_windows_library(gtest_main ${tree}/googlemock/src/gmock_main.cc)
  target_link_libraries(yume_built_gtest_main PUBLIC yume_built_gtest)
endif()

function(yume_print_dependencies)
  message(STATUS "Dependencies: compiled from ${YUME_SOURCES_DIR}, zlib ${YUME_WINDOWS_ZLIB}")
endfunction()
