// SPDX-License-Identifier: MIT
#include "app/debug_log.h"

#include "platform/stdio.h"

namespace yume::app {
namespace {

// Drops what a full or closed stderr cannot take, so that --debug never holds up a turn.
class StderrLog final : public Log {
 public:
  void write(std::string_view area, std::string_view message) override {
    std::string line = "[";
    line.append(area).append("] ").append(message).push_back('\n');
    (void)stream_->write(line);
  }

 private:
  std::unique_ptr<platform::OutputStream> stream_ = platform::stderr_stream();
};

}  // namespace

Result<std::unique_ptr<Log>> open_log(const Options& options) {
  if (options.debug_file) return open_file_log(*options.debug_file);
  if (options.debug) return std::unique_ptr<Log>(std::make_unique<StderrLog>());
  return std::unique_ptr<Log>();
}

}  // namespace yume::app
