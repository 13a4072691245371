# SPDX-License-Identifier: MIT
# The folders that use no more of a system than the standard library, built where the whole program
# cannot be yet, so that none of them takes up something of one system only. What they use of others
# is headers, which are the same everywhere.
include(EmbedTexts)
include(Library)

set(yume_headers ${PROJECT_BINARY_DIR}/headers)
foreach(header nlohmann fmt spdlog simdjson.h)
  find_path(yume_path_of_${header} ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
            REQUIRED)
  file(MAKE_DIRECTORY ${yume_headers})
  # Linked one by one: beside them lie the C library's, which are of another system.
  file(CREATE_LINK ${yume_path_of_${header}}/${header} ${yume_headers}/${header} SYMBOLIC)
endforeach()
add_library(yume_headers INTERFACE)
target_include_directories(yume_headers SYSTEM INTERFACE ${yume_headers})
target_compile_definitions(yume_headers INTERFACE FMT_HEADER_ONLY=1 SPDLOG_FMT_EXTERNAL)

include(Valijson)
yume_library(util DEPS yume_headers)
yume_library(core DEPS yume_util)
yume_library(jsonrpc DEPS yume_core)
yume_library(gemini DEPS yume_core TEXTS yume::gemini::data_text HEADER gemini/data_texts.h)
yume_library(protocol DEPS yume_core)
yume_library(permissions DEPS yume_core)
yume_library(transcript DEPS yume_core yume_protocol)
yume_library(config DEPS yume_gemini yume_permissions)
