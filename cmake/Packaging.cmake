# SPDX-License-Identifier: MIT
# What `cmake --install` puts where, and the packages that CPack makes of it: .deb and .tar.gz. The
# texts (manual page, completions, licences, list of parts) are made when the program is built, in a
# Release only. Two builds of one commit have the same bytes: times come from the commit.
include(GNUInstallDirs)

install(TARGETS yume-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_BUILD_TYPE STREQUAL "Release"
   OR (CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR))
  return()
endif()
find_package(Python3 COMPONENTS Interpreter QUIET)
find_package(Git QUIET)
if(NOT Python3_FOUND)
  message(STATUS "Packages: no, python3 is not installed")
  return()
endif()

# The commit's time, or that of the build outside a repository.
set(YUME_SOURCE_TIME "$ENV{SOURCE_DATE_EPOCH}")
if(NOT YUME_SOURCE_TIME AND GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} log -1 --format=%ct
    OUTPUT_VARIABLE YUME_SOURCE_TIME OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT YUME_SOURCE_TIME)
  string(TIMESTAMP YUME_SOURCE_TIME "%s" UTC)
endif()

set(yume_packaging ${PROJECT_BINARY_DIR}/packaging)
# For another processor: the folder of what it is linked with (cmake/linux-arm64.cmake).
set(yume_archives "")
if(CMAKE_CROSSCOMPILING)
  get_filename_component(yume_archives "${CMAKE_FIND_ROOT_PATH}" NAME)
endif()
add_custom_command(
  OUTPUT ${yume_packaging}/made
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/packaging/make_texts.py
          --binary $<TARGET_FILE:yume-cli> "--emulator=${CMAKE_CROSSCOMPILING_EMULATOR}" --root ${PROJECT_SOURCE_DIR} --out ${yume_packaging}
          --version ${PROJECT_VERSION} --time ${YUME_SOURCE_TIME}
          --linked "$<IF:$<BOOL:${YUME_LINK_STATIC}>,static,shared>" --older-glibc "${YUME_GLIBC_NAME}"
          --archives "${yume_archives}"
  COMMAND ${CMAKE_COMMAND} -E touch ${yume_packaging}/made
  DEPENDS yume-cli ${PROJECT_SOURCE_DIR}/packaging/make_texts.py
          ${PROJECT_SOURCE_DIR}/packaging/parts.json
  COMMENT "Making the texts of packages" VERBATIM)
# Not part of a plain build: whoever installs or packages asks for it.
add_custom_target(package_texts DEPENDS ${yume_packaging}/made)

install(FILES ${yume_packaging}/yume-cli.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${yume_packaging}/yume-cli.bash RENAME yume-cli
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${yume_packaging}/_yume-cli DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${yume_packaging}/yume-cli.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${yume_packaging}/copyright ${yume_packaging}/changelog.gz
              ${yume_packaging}/yume-cli.spdx.json
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/packaging/lintian-overrides RENAME yume-cli
        DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME yume-cli)
set(CPACK_PACKAGE_VENDOR "yume-cli contributors")
set(CPACK_PACKAGE_CONTACT "yume-cli contributors <yume-cli@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "coding agent for Google's Gemini models")
set(CPACK_PACKAGE_DESCRIPTION
    "Speaks the command line and the line formats of Claude Code and of the official
Gemini CLI, so that programs which start one of them can use Gemini models
without a change. Also an agent for editors (Agent Client Protocol), and a
program for the terminal.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
if(YUME_GLIBC)
  # dpkg-shlibdeps would read it from this system's C library.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${YUME_GLIBC})")
  if(CMAKE_CROSSCOMPILING)
    string(REPLACE "aarch64" "arm64" CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
  endif()
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_ARCHIVE_FILE_NAME yume-cli-${PROJECT_VERSION}-${YUME_TARGET})
include(CPack)
