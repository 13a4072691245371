// SPDX-License-Identifier: MIT
#include "app/result_file.h"

namespace yume::app {

void ResultFile::line(std::string_view text) {
  auto written = files_.create_directories(file_.parent_path());
  if (written.ok()) written = files_.replace(file_, std::string(text) + "\n");
  if (written.ok()) return;
  (void)err_.write("Error: the result could not be kept: " + written.error().message +
                   ". Check --output-file.\n");
}

}  // namespace yume::app
