# SPDX-License-Identifier: MIT
# gumbo as distributions package it, without a CMake configuration. Gives gumbo::gumbo; the archive
# when the release links statically.
if(YUME_LINK_STATIC)
  find_library(YUME_GUMBO_ARCHIVE libgumbo.a)
  set(yume_gumbo_library ${YUME_GUMBO_ARCHIVE})
else()
  find_library(YUME_GUMBO_LIBRARY gumbo)
  set(yume_gumbo_library ${YUME_GUMBO_LIBRARY})
endif()
find_path(YUME_GUMBO_INCLUDE gumbo.h)
mark_as_advanced(YUME_GUMBO_ARCHIVE YUME_GUMBO_LIBRARY YUME_GUMBO_INCLUDE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(gumbo REQUIRED_VARS yume_gumbo_library YUME_GUMBO_INCLUDE)
if(gumbo_FOUND AND NOT TARGET gumbo::gumbo)
  add_library(gumbo::gumbo UNKNOWN IMPORTED)
  set_target_properties(gumbo::gumbo PROPERTIES
    IMPORTED_LOCATION ${yume_gumbo_library}
    INTERFACE_INCLUDE_DIRECTORIES ${YUME_GUMBO_INCLUDE})
endif()
