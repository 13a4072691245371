# SPDX-License-Identifier: MIT
# Builds for 64-bit Windows on Linux (Debian: g++-mingw-w64-x86-64-posix). The compilers named -posix
# are those whose standard library has threads.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(yume_triple x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${yume_triple}-gcc-posix)
set(CMAKE_CXX_COMPILER ${yume_triple}-g++-posix)
set(CMAKE_RC_COMPILER ${yume_triple}-windres)
set(CMAKE_FIND_ROOT_PATH /usr/${yume_triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Windows 10: a process can be born into a Job object.
add_compile_definitions(_WIN32_WINNT=0x0A00 NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _UNICODE)
# This compiler generation's own semaphore loses wake-ups where there is no futex (GCC bug 106183), and
# std::stop_callback waits on one: a cancelled wait hung for ever. winpthreads' semaphore does not.
add_compile_definitions(_GLIBCXX_USE_POSIX_SEMAPHORE=1)
# No DLLs of the compiler have to travel with the program.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
# A file with many templates has more sections than the format once had numbers for.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wa,-mbig-obj>)
