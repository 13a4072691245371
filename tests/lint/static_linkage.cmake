# SPDX-License-Identifier: MIT
# cmake -D BINARY=<executable> -P static_linkage.cmake
# Fails when the static release form needs a shared library other than the C library's; threads and
# dlopen are ones of their own in older versions of it.
find_program(READELF readelf REQUIRED)
execute_process(COMMAND ${READELF} --dynamic ${BINARY} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED[^\n]*\\[[^]]*\\]" lines "${dynamic}")
set(bad "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE ".*\\[(.*)\\]" "\\1" library "${line}")
  if(NOT library MATCHES "^(libc|libm|libpthread|libdl|ld-linux.*)\\.so\\.[0-9]+$")
    list(APPEND bad ${library})
  endif()
endforeach()
if(bad)
  message(FATAL_ERROR "${BINARY}: static-linkage: needs ${bad}")
endif()
