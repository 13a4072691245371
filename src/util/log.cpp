// SPDX-License-Identifier: MIT
#include "util/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include <exception>
#include <utility>

#include "util/path_text.h"

namespace yume {
namespace {

class NullLog final : public Log {
 public:
  void write(std::string_view /*area*/, std::string_view /*message*/) override {}
};

// Synchronous on purpose: an async pool costs 2.6 ms to create and loses the lines before a crash.
class SpdlogLog final : public Log {
 public:
  explicit SpdlogLog(spdlog::sink_ptr sink) : logger_("yume-cli", std::move(sink)) {
    logger_.set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %v", spdlog::pattern_time_type::utc);
    logger_.set_level(spdlog::level::debug);
    logger_.flush_on(spdlog::level::debug);
  }
  void write(std::string_view area, std::string_view message) override {
    logger_.debug("[{}] {}", area, message);
  }

 private:
  spdlog::logger logger_;
};

}  // namespace

Log& null_log() {
  static NullLog log;
  return log;
}

Result<std::unique_ptr<Log>> open_file_log(const std::filesystem::path& path) {
  try {
    return std::unique_ptr<Log>(std::make_unique<SpdlogLog>(
        std::make_shared<spdlog::sinks::basic_file_sink_mt>(to_utf8(path))));
  } catch (const std::exception& failure) {
    return Error{.code = ErrorCode::io,
                 .message = "cannot open debug log " + to_utf8(path) + ": " + failure.what()};
  }
}

}  // namespace yume
