# SPDX-License-Identifier: MIT
# cmark-gfm for systems that the distribution has no archive for: compiled from its source package,
# without its own configuration, of which four small headers are all that is needed.
#   yume_cmark_sources   what to compile
#   yume_cmark_folders   where its headers are
set(tree ${YUME_SOURCES_DIR}/cmark-gfm)
set(made ${PROJECT_BINARY_DIR}/cmark-gfm)
file(STRINGS ${tree}/CMakeLists.txt lines REGEX "^set\\(PROJECT_VERSION_[A-Z]+ [0-9]+")
foreach(line IN LISTS lines)
  string(REGEX MATCH "(PROJECT_VERSION_[A-Z]+) ([0-9]+)" line "${line}")
  set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
set(HAVE_STDBOOL_H ON)
set(HAVE___BUILTIN_EXPECT ON)
set(HAVE___ATTRIBUTE__ ON)
configure_file(${tree}/src/config.h.in ${made}/config.h)
configure_file(${tree}/src/cmark-gfm_version.h.in ${made}/cmark-gfm_version.h @ONLY)
file(CONFIGURE OUTPUT ${made}/cmark-gfm_export.h CONTENT "#define CMARK_GFM_EXPORT\n")
file(CONFIGURE OUTPUT ${made}/cmark-gfm-extensions_export.h CONTENT "#define CMARK_GFM_EXTENSIONS_EXPORT\n")
file(GLOB yume_cmark_sources ${tree}/src/*.c ${tree}/extensions/*.c)
list(FILTER yume_cmark_sources EXCLUDE REGEX "/src/main\\.c$")
set(yume_cmark_folders ${made} ${tree}/src ${tree}/extensions)
