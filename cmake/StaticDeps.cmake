# SPDX-License-Identifier: MIT
# The release form that loads nothing but the C library: curl and simdjson built here from source
# trees (scripts/fetch-sources gets them), OpenSSL, nghttp2, zlib and brotli from the system's
# archives.
#
# curl's configuration is slow, so both are built once, under build/_deps-static/<key>, and shared
# by all build trees. The key covers versions, compiler and this recipe; a stamp marks a complete
# build.
#
# Result: YUME_LINK_STATIC; if true also yume_static_curl, yume_static_simdjson, YUME_STATIC_*_VERSION.

set(YUME_SOURCES_DIR ${PROJECT_SOURCE_DIR}/build/_sources CACHE PATH
    "Unpacked source trees curl/ and simdjson/ for YUME_STATIC_DEPS")
set(YUME_STATIC_PREFIX_ROOT ${PROJECT_SOURCE_DIR}/build/_deps-static CACHE PATH
    "Where the static dependencies are built")
mark_as_advanced(YUME_SOURCES_DIR YUME_STATIC_PREFIX_ROOT)

set(YUME_LINK_STATIC OFF)

# FindOpenSSL caches what it found: forget it when the build tree changes between .a and .so.
function(yume_forget_openssl pattern)
  if(OPENSSL_CRYPTO_LIBRARY MATCHES "${pattern}")
    unset(OPENSSL_CRYPTO_LIBRARY CACHE)
    unset(OPENSSL_SSL_LIBRARY CACHE)
  endif()
endfunction()

# Says why there is no static build: fatal when it was demanded.
macro(yume_no_static reason)
  unset(OPENSSL_USE_STATIC_LIBS)
  yume_forget_openssl("\\.a$")
  if(YUME_STATIC_DEPS STREQUAL "AUTO")
    message(STATUS "Static dependencies: no (${reason}); the system's shared libraries are used")
  else()
    message(FATAL_ERROR "YUME_STATIC_DEPS=${YUME_STATIC_DEPS}: ${reason}")
  endif()
  return()
endmacro()

# Version of an unpacked tree: the package version that fetch-sources noted, else upstream's.
function(yume_tree_version name fallback_file fallback_regex result)
  if(EXISTS ${YUME_SOURCES_DIR}/${name}.version)
    file(STRINGS ${YUME_SOURCES_DIR}/${name}.version version LIMIT_COUNT 1)
  else()
    file(STRINGS ${YUME_SOURCES_DIR}/${name}/${fallback_file} line REGEX "${fallback_regex}" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${line}")
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

# Configures, builds and installs one tree into <prefix>. Sets yume_static_error on failure.
function(yume_build_static name prefix)
  set(log ${prefix}/${name}.log)
  set(options "")
  foreach(setting IN LISTS ARGN)
    list(APPEND options -D${setting})
  endforeach()
  if(CMAKE_TOOLCHAIN_FILE)
    list(APPEND options -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE})
  endif()
  string(JOIN " " paths ${YUME_PATH_MAP})
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  message(STATUS "Building static ${name} (once; log in ${log})")
  foreach(step configure build)
    if(step STREQUAL "configure")
      set(command ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${YUME_SOURCES_DIR}/${name}
          -B ${prefix}/build-${name} --no-warn-unused-cli -Wno-dev
          -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_INSTALL_LIBDIR=lib
          -DCMAKE_PREFIX_PATH= -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF
          -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_POLICY_VERSION_MINIMUM=3.5
          "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG -ffunction-sections -fdata-sections ${paths}"
          "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG -ffunction-sections -fdata-sections ${paths}"
          -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} ${options})
    else()
      set(command ${CMAKE_COMMAND} --build ${prefix}/build-${name} --target install --parallel ${cores})
    endif()
    execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    file(APPEND ${log} "${output}")
    if(NOT status EQUAL 0)
      set(yume_static_error "${step} of ${name} failed, see ${log}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  file(REMOVE_RECURSE ${prefix}/build-${name})
endfunction()

if(NOT YUME_STATIC_DEPS)
  yume_forget_openssl("\\.a$")
  return()
endif()
if(YUME_STATIC_DEPS STREQUAL "AUTO" AND YUME_DEPS STREQUAL "FETCH")
  return()  # the fetched curl and simdjson are static anyway
endif()
foreach(tree curl simdjson)
  if(NOT EXISTS ${YUME_SOURCES_DIR}/${tree}/CMakeLists.txt)
    yume_no_static("no ${tree} sources: run scripts/fetch-sources")
  endif()
endforeach()

find_library(YUME_NGHTTP2_ARCHIVE libnghttp2.a)
find_library(YUME_ZLIB_ARCHIVE libz.a)
find_library(YUME_BROTLIDEC_ARCHIVE libbrotlidec.a)
find_library(YUME_BROTLICOMMON_ARCHIVE libbrotlicommon.a)
mark_as_advanced(YUME_NGHTTP2_ARCHIVE YUME_ZLIB_ARCHIVE YUME_BROTLIDEC_ARCHIVE
                 YUME_BROTLICOMMON_ARCHIVE)
foreach(archive NGHTTP2 ZLIB BROTLIDEC BROTLICOMMON)
  if(NOT YUME_${archive}_ARCHIVE)
    yume_no_static("the static library of ${archive} is not installed")
  endif()
endforeach()
yume_forget_openssl("\\.so")
set(OPENSSL_USE_STATIC_LIBS ON)
find_package(OpenSSL ${YUME_OPENSSL_MINIMUM} QUIET)
if(NOT OPENSSL_FOUND)
  yume_no_static("libssl.a or libcrypto.a is not installed")
endif()

yume_tree_version(curl include/curl/curlver.h "define LIBCURL_VERSION " YUME_STATIC_CURL_VERSION)
yume_tree_version(simdjson include/simdjson/simdjson_version.h "define SIMDJSON_VERSION "
                  YUME_STATIC_SIMDJSON_VERSION)
include(CurlOptions)
file(SHA256 ${CMAKE_CURRENT_LIST_FILE} yume_recipe)
string(SHA256 yume_key "${yume_recipe};${YUME_CURL_OPTIONS};${YUME_STATIC_CURL_VERSION};\
${YUME_STATIC_SIMDJSON_VERSION};${OPENSSL_VERSION};${CMAKE_CXX_COMPILER};${CMAKE_CXX_COMPILER_VERSION}")
string(SUBSTRING ${yume_key} 0 12 yume_key)
set(yume_prefix ${YUME_STATIC_PREFIX_ROOT}/${yume_key})

set(yume_static_error "")
file(LOCK ${YUME_STATIC_PREFIX_ROOT}/lock GUARD FILE)
if(NOT EXISTS ${yume_prefix}/complete)
  file(REMOVE_RECURSE ${yume_prefix})
  yume_build_static(curl ${yume_prefix} ${YUME_CURL_OPTIONS}
    OPENSSL_USE_STATIC_LIBS=ON NGHTTP2_LIBRARY=${YUME_NGHTTP2_ARCHIVE}
    ZLIB_LIBRARY=${YUME_ZLIB_ARCHIVE} ZLIB_LIBRARY_RELEASE=${YUME_ZLIB_ARCHIVE}
    BROTLIDEC_LIBRARY=${YUME_BROTLIDEC_ARCHIVE} BROTLICOMMON_LIBRARY=${YUME_BROTLICOMMON_ARCHIVE})
  if(NOT yume_static_error)
    yume_build_static(simdjson ${yume_prefix} SIMDJSON_DEVELOPER_MODE=OFF)
  endif()
  if(yume_static_error)
    yume_no_static("${yume_static_error}")
  endif()
  file(WRITE ${yume_prefix}/complete "${YUME_STATIC_CURL_VERSION} ${YUME_STATIC_SIMDJSON_VERSION}\n")
endif()

add_library(yume_static_curl STATIC IMPORTED)
set_target_properties(yume_static_curl PROPERTIES
  IMPORTED_LOCATION ${yume_prefix}/lib/libcurl.a
  INTERFACE_INCLUDE_DIRECTORIES ${yume_prefix}/include
  INTERFACE_COMPILE_DEFINITIONS CURL_STATICLIB
  INTERFACE_LINK_LIBRARIES
    "${YUME_NGHTTP2_ARCHIVE};OpenSSL::SSL;OpenSSL::Crypto;${YUME_ZLIB_ARCHIVE};\
${YUME_BROTLIDEC_ARCHIVE};${YUME_BROTLICOMMON_ARCHIVE};Threads::Threads;${CMAKE_DL_LIBS}")
add_library(yume_static_simdjson STATIC IMPORTED)
set_target_properties(yume_static_simdjson PROPERTIES
  IMPORTED_LOCATION ${yume_prefix}/lib/libsimdjson.a
  INTERFACE_INCLUDE_DIRECTORIES ${yume_prefix}/include
  INTERFACE_LINK_LIBRARIES Threads::Threads)
set(YUME_LINK_STATIC ON)
