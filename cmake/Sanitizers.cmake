# SPDX-License-Identifier: MIT
# Adds the sanitizers named in YUME_SANITIZE to yume_flags, and sets
#   YUME_FUZZING           true when the fuzz targets are to be linked with libFuzzer
#   YUME_TEST_ENVIRONMENT  environment for every ctest test
set(YUME_FUZZING FALSE)
set(YUME_TEST_ENVIRONMENT
    "ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1:check_initialization_order=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1")

set(yume_sanitizers ${YUME_SANITIZE})
if("fuzzer" IN_LIST yume_sanitizers)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "YUME_SANITIZE=fuzzer needs clang")
  endif()
  set(YUME_FUZZING TRUE)
  list(TRANSFORM yume_sanitizers REPLACE "^fuzzer$" "fuzzer-no-link")
endif()
if(yume_sanitizers)
  list(JOIN yume_sanitizers "," yume_sanitizers)
  target_compile_options(yume_flags INTERFACE -fsanitize=${yume_sanitizers} -fno-sanitize-recover=all)
  target_link_options(yume_flags INTERFACE -fsanitize=${yume_sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND "undefined" IN_LIST YUME_SANITIZE)
    # GCC checks every member access for these two: our files compile twice as fast without. A null
    # access still faults under ASan; the fuzz preset keeps both checks.
    target_compile_options(yume_flags INTERFACE -fno-sanitize=null,alignment)
  endif()
endif()
