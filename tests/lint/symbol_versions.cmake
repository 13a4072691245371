# SPDX-License-Identifier: MIT
# cmake -D BINARY=<executable> -D NEWEST=<version> -P symbol_versions.cmake
# Fails when the executable, of whatever processor, needs a symbol of a newer C library than NEWEST, or
# when none was found.
find_program(READELF readelf REQUIRED)
execute_process(COMMAND ${READELF} --dyn-syms --wide ${BINARY} OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " UND +[^\n@]+@GLIBC_[0-9.]+" needed "${symbols}")
if(NOT needed)
  message(FATAL_ERROR "${BINARY}: symbol-versions: needs no symbol of the C library at all")
endif()
set(bad "")
foreach(symbol IN LISTS needed)
  string(REGEX MATCH "^ UND +([^@]+)@GLIBC_(.+)$" _ "${symbol}")
  if(CMAKE_MATCH_2 VERSION_GREATER NEWEST)
    list(APPEND bad "${CMAKE_MATCH_1} (${CMAKE_MATCH_2})")
  endif()
endforeach()
if(bad)
  string(JOIN ", " bad ${bad})
  message(FATAL_ERROR "${BINARY}: symbol-versions: needs what glibc ${NEWEST} has not: ${bad}")
endif()
