# SPDX-License-Identifier: MIT
# What the check of the macOS build (cmake/zig-macos.cmake) is linked with, under the same names as
# elsewhere (Dependencies.cmake, which a Mac uses itself):
#   RE2, gumbo, cmark-gfm, simdjson, GoogleTest   compiled from sources (scripts/fetch-sources --macos)
#   libcurl, libedit, libiconv, libcrypto   their headers, and stubs that name what tests/macos/imports.txt
#                                      says we import of them
# Headers of nlohmann_json, fmt and spdlog are the system's.
enable_language(C)
find_package(Threads REQUIRED)
set(YUME_SOURCES_DIR ${PROJECT_SOURCE_DIR}/build/_sources CACHE PATH "Unpacked source trees")
foreach(tree curl re2 gumbo cmark-gfm simdjson cpp-httplib valijson)
  if(NOT IS_DIRECTORY ${YUME_SOURCES_DIR}/${tree})
    message(FATAL_ERROR "no ${tree} sources: run scripts/fetch-sources --macos")
  endif()
endforeach()

function(yume_interface name)
  add_library(yume_dep_${name} INTERFACE)
  add_library(yume::${name} ALIAS yume_dep_${name})
endfunction()

# yume_macos_library(<name> <include folder> <source>...): others' code, its warnings not ours.
function(yume_macos_library name folder)
  add_library(yume_built_${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_compile_options(yume_built_${name} PRIVATE -w)
  target_include_directories(yume_built_${name} SYSTEM PUBLIC ${folder})
  yume_interface(${name})
  target_link_libraries(yume_dep_${name} INTERFACE yume_built_${name})
endfunction()

# yume_macos_header(<name> <header> [<folder>]): linked one by one, as beside them lie those of this
# system's C library.
set(yume_headers ${PROJECT_BINARY_DIR}/headers)
function(yume_macos_header name)
  foreach(header IN LISTS ARGN)
    find_path(yume_path_of_${header} ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
              REQUIRED)
    mark_as_advanced(yume_path_of_${header})
    file(MAKE_DIRECTORY ${yume_headers})
    file(CREATE_LINK ${yume_path_of_${header}}/${header} ${yume_headers}/${header} SYMBOLIC)
  endforeach()
  yume_interface(${name})
  target_include_directories(yume_dep_${name} SYSTEM INTERFACE ${yume_headers})
endfunction()

# yume_macos_stub(<library> <install name> [<symbol>...]): a library of the system as the linker sees it,
# with symbols that only tests import.
file(STRINGS ${PROJECT_SOURCE_DIR}/tests/macos/imports.txt yume_imports REGEX "^[a-zA-Z]")
function(yume_macos_stub library install_name)
  set(symbols ${yume_imports})
  list(FILTER symbols INCLUDE REGEX "^${library} ")
  list(TRANSFORM symbols REPLACE "^${library} " "")
  list(APPEND symbols ${ARGN})
  list(JOIN symbols ", " symbols)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/stubs/${library}.tbd CONTENT "--- !tapi-tbd
tbd-version:     4
targets:         [ x86_64-macos, arm64-macos ]
install-name:    '${install_name}'
exports:
  - targets:         [ x86_64-macos, arm64-macos ]
    symbols:         [ ${symbols} ]
...
")
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/macos/imports.txt)
yume_macos_stub(libcurl /usr/lib/libcurl.4.dylib)
yume_macos_stub(libiconv /usr/lib/libiconv.2.dylib)
yume_macos_stub(libcrypto @rpath/libcrypto.3.dylib _BIO_ctrl _BIO_new _BIO_s_mem _EVP_DecodeBlock
  _EVP_DigestVerify _EVP_DigestVerifyInit _EVP_PKEY_Q_keygen _PEM_write_bio_PrivateKey)

yume_interface(curl)
target_include_directories(yume_dep_curl SYSTEM INTERFACE ${YUME_SOURCES_DIR}/curl/include)
target_link_libraries(yume_dep_curl INTERFACE ${PROJECT_BINARY_DIR}/stubs/libcurl.tbd)
yume_interface(iconv)
target_link_libraries(yume_dep_iconv INTERFACE ${PROJECT_BINARY_DIR}/stubs/libiconv.tbd)
# OpenSSL's own headers, and those that its configuration has made.
file(MAKE_DIRECTORY ${yume_headers}/openssl)
file(GLOB headers /usr/include/openssl/*.h /usr/include/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/openssl/*.h)
if(NOT headers)
  message(FATAL_ERROR "no headers of OpenSSL: package libssl-dev")
endif()
foreach(header IN LISTS headers)
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${header} ${yume_headers}/openssl/${name} SYMBOLIC)
endforeach()
yume_interface(system)
yume_interface(openssl)
target_include_directories(yume_dep_openssl SYSTEM INTERFACE ${yume_headers})
target_link_libraries(yume_dep_openssl INTERFACE ${PROJECT_BINARY_DIR}/stubs/libcrypto.tbd)

yume_macos_stub(libedit /usr/lib/libedit.3.dylib)
yume_macos_header(libedit histedit.h)
target_link_libraries(yume_dep_libedit INTERFACE ${PROJECT_BINARY_DIR}/stubs/libedit.tbd)
yume_macos_header(json nlohmann)
yume_macos_header(fmt fmt)
target_compile_definitions(yume_dep_fmt INTERFACE FMT_HEADER_ONLY=1)
yume_macos_header(spdlog spdlog)
target_compile_definitions(yume_dep_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
target_link_libraries(yume_dep_spdlog INTERFACE yume::fmt Threads::Threads)
include(Valijson)

file(GLOB sources ${YUME_SOURCES_DIR}/re2/re2/*.cc)
yume_macos_library(re2 ${YUME_SOURCES_DIR}/re2 ${sources} ${YUME_SOURCES_DIR}/re2/util/rune.cc
                   ${YUME_SOURCES_DIR}/re2/util/strutil.cc)
file(GLOB sources ${YUME_SOURCES_DIR}/gumbo/src/*.c)
yume_macos_library(gumbo ${YUME_SOURCES_DIR}/gumbo/src ${sources})
include(CmarkSources)
yume_macos_library(cmark_gfm "${yume_cmark_folders}" ${yume_cmark_sources})
set(tree ${YUME_SOURCES_DIR}/simdjson/singleheader)
yume_macos_library(simdjson ${tree} ${tree}/simdjson.cpp)
yume_interface(httplib)
target_include_directories(yume_dep_httplib SYSTEM INTERFACE ${YUME_SOURCES_DIR}/cpp-httplib)
target_link_libraries(yume_dep_httplib INTERFACE Threads::Threads)

if(YUME_TESTS)
  set(tree /usr/src/googletest)
  if(NOT IS_DIRECTORY ${tree})
    message(FATAL_ERROR "no sources of GoogleTest: package googletest")
  endif()
  yume_macos_library(gtest ${tree}/googletest/include ${tree}/googletest/src/gtest-all.cc
                     ${tree}/googlemock/src/gmock-all.cc)
  target_include_directories(yume_built_gtest SYSTEM PUBLIC ${tree}/googlemock/include
                             PRIVATE ${tree}/googletest ${tree}/googlemock)
  yume_macos_library(gtest_main ${tree}/googletest/include ${tree}/googlemock/src/gmock_main.cc)
  target_link_libraries(yume_built_gtest_main PUBLIC yume_built_gtest)
endif()

function(yume_print_dependencies)
  message(STATUS "Dependencies: compiled from ${YUME_SOURCES_DIR}, or stubs of tests/macos/imports.txt")
endfunction()
