# SPDX-License-Identifier: MIT
# The static release is compiled with this system's headers and archives and linked with the C library
# of Debian 11 (2.31), which scripts/fetch-sources unpacks: so it starts on systems of 2020, too.
# The C library stays dynamic: a static one could neither look up names as the system is set up to
# (NSS) nor convert encodings (iconv), as both load parts of the system's own.
#
#   yume_link_older_glibc(<executable>): where the older library was unpacked. Sets YUME_GLIBC to the
#   newest version of which the executable may need a symbol, and YUME_GLIBC_NAME to the folder's name;
#   both are empty when it is linked with this system's.
set(YUME_GLIBC "")
set(YUME_GLIBC_NAME "")

macro(yume_link_older_glibc target)
  string(REGEX REPLACE "-.*" "" yume_cpu "${CMAKE_LIBRARY_ARCHITECTURE}")
  string(REPLACE "x86_64" "amd64" yume_cpu "${yume_cpu}")
  string(REPLACE "aarch64" "arm64" yume_cpu "${yume_cpu}")
  set(yume_glibc ${YUME_SOURCES_DIR}/glibc-${yume_cpu})
  if(YUME_LINK_STATIC AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND EXISTS ${yume_glibc}.version)
    set(YUME_GLIBC 2.31)
    set(YUME_GLIBC_NAME glibc-${yume_cpu})
    # Each library that is loaded costs a start 30 microseconds. The three functions of libm are linked
    # statically; g++ adds -lm itself, and looks here first.
    set(yume_libm ${yume_glibc}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libm-2.31.a)
    if(NOT EXISTS ${yume_libm})
      set(yume_libm ${yume_glibc}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/libm.a)
    endif()
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/libm)
    file(CREATE_LINK ${yume_libm} ${PROJECT_BINARY_DIR}/libm/libm.a SYMBOLIC)
    # What g++ adds itself, the C library and its start files, is looked for there first.
    target_link_options(${target} PRIVATE
      -L${PROJECT_BINARY_DIR}/libm
      -B${yume_glibc}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/
      -L${yume_glibc}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} -L${yume_glibc}/lib/${CMAKE_LIBRARY_ARCHITECTURE}
      -Wl,--sysroot=${yume_glibc}
      # Threads are a library of their own there. So is dlopen, which can be done without.
      -Wl,--no-as-needed,-lpthread,--as-needed
      -Wl,--wrap=dlopen,--wrap=dlclose,--wrap=dlsym,--wrap=dlerror,--wrap=dladdr)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/packaging/older_glibc.cpp)
    # The archives that need it are not compiled with LTO.
    set_source_files_properties(${PROJECT_SOURCE_DIR}/packaging/older_glibc.cpp PROPERTIES
      COMPILE_OPTIONS -fno-lto)
  endif()
endmacro()
