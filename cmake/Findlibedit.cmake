# SPDX-License-Identifier: MIT
# libedit as distributions package it, without a CMake configuration. Gives libedit::libedit. Archives, with
# those that they need, wherever there are some: only who has a conversation at a terminal needs them, and no
# host's turn may load four more libraries for that. A Mac has it in its system.
find_path(YUME_LIBEDIT_INCLUDE histedit.h)
find_library(YUME_LIBEDIT_LIBRARY NAMES libedit.a edit)
set(yume_libedit_parts "")
if(NOT APPLE)
  foreach(part bsd md tinfo)
    string(TOUPPER ${part} name)
    find_library(YUME_LIBEDIT_${name} NAMES lib${part}.a)
    mark_as_advanced(YUME_LIBEDIT_${name})
    list(APPEND yume_libedit_parts YUME_LIBEDIT_${name})
  endforeach()
endif()
mark_as_advanced(YUME_LIBEDIT_LIBRARY YUME_LIBEDIT_INCLUDE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libedit REQUIRED_VARS
  YUME_LIBEDIT_LIBRARY YUME_LIBEDIT_INCLUDE ${yume_libedit_parts})
if(libedit_FOUND AND NOT TARGET libedit::libedit)
  add_library(libedit::libedit UNKNOWN IMPORTED)
  set(archives "")
  foreach(part IN LISTS yume_libedit_parts)
    list(APPEND archives ${${part}})
  endforeach()
  set_target_properties(libedit::libedit PROPERTIES
    IMPORTED_LOCATION ${YUME_LIBEDIT_LIBRARY}
    INTERFACE_LINK_LIBRARIES "${archives}"
    INTERFACE_INCLUDE_DIRECTORIES ${YUME_LIBEDIT_INCLUDE})
endif()
