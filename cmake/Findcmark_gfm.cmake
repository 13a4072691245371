# SPDX-License-Identifier: MIT
# cmark-gfm as distributions package it, without a CMake configuration. Gives cmark_gfm::cmark_gfm,
# with GitHub's extensions. The archives, wherever they are: only who reads a session or works on a
# terminal needs them, and no host's turn may load two more libraries for that.
find_library(YUME_CMARK_GFM_LIBRARY NAMES libcmark-gfm.a cmark-gfm)
find_library(YUME_CMARK_GFM_EXTENSIONS NAMES libcmark-gfm-extensions.a cmark-gfm-extensions)
find_path(YUME_CMARK_GFM_INCLUDE cmark-gfm-core-extensions.h)
mark_as_advanced(YUME_CMARK_GFM_LIBRARY YUME_CMARK_GFM_EXTENSIONS YUME_CMARK_GFM_INCLUDE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(cmark_gfm REQUIRED_VARS
  YUME_CMARK_GFM_LIBRARY YUME_CMARK_GFM_EXTENSIONS YUME_CMARK_GFM_INCLUDE)
if(cmark_gfm_FOUND AND NOT TARGET cmark_gfm::cmark_gfm)
  add_library(cmark_gfm::cmark_gfm UNKNOWN IMPORTED)
  set_target_properties(cmark_gfm::cmark_gfm PROPERTIES
    IMPORTED_LOCATION ${YUME_CMARK_GFM_EXTENSIONS}
    INTERFACE_LINK_LIBRARIES ${YUME_CMARK_GFM_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${YUME_CMARK_GFM_INCLUDE})
endif()
