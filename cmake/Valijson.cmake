# SPDX-License-Identifier: MIT
# valijson, header-only, for the one file that uses it: the system's, else the headers that
# scripts/fetch-sources has got.
find_path(YUME_VALIJSON_HEADERS valijson/validator.hpp
          PATHS /usr/include ${PROJECT_SOURCE_DIR}/build/_sources/valijson
          NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(YUME_VALIJSON_HEADERS)
if(NOT YUME_VALIJSON_HEADERS)
  message(FATAL_ERROR "no headers of valijson: run scripts/fetch-sources, or set "
                      "YUME_VALIJSON_HEADERS to a folder that contains valijson/validator.hpp")
endif()
# Linked alone: beside it may lie the C library's headers, which are of another system.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/valijson_headers)
file(CREATE_LINK ${YUME_VALIJSON_HEADERS}/valijson ${PROJECT_BINARY_DIR}/valijson_headers/valijson
     SYMBOLIC)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/util/json_schema.cpp APPEND PROPERTY COMPILE_OPTIONS
             -isystem ${PROJECT_BINARY_DIR}/valijson_headers)
