# SPDX-License-Identifier: MIT
# RE2 as the distribution packages it: Debian's has no CMake configuration. Gives re2::re2; the
# archive when the release links statically.
if(YUME_LINK_STATIC)
  find_library(YUME_RE2_ARCHIVE libre2.a)
  set(yume_re2_library ${YUME_RE2_ARCHIVE})
else()
  find_library(YUME_RE2_LIBRARY re2)
  set(yume_re2_library ${YUME_RE2_LIBRARY})
endif()
find_path(YUME_RE2_INCLUDE re2/re2.h)
mark_as_advanced(YUME_RE2_ARCHIVE YUME_RE2_LIBRARY YUME_RE2_INCLUDE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(re2 REQUIRED_VARS yume_re2_library YUME_RE2_INCLUDE)
if(re2_FOUND AND NOT TARGET re2::re2)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES
    IMPORTED_LOCATION ${yume_re2_library}
    INTERFACE_INCLUDE_DIRECTORIES ${YUME_RE2_INCLUDE}
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
