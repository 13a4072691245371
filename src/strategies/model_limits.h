// SPDX-License-Identifier: MIT
// A model's limits as the server states them (models.get): asked for ids that the catalog does not
// list, and kept on disk for a day, since hosts start one process per turn. Never a reason to fail:
// without an answer the catalog's guess serves.
#pragma once

#include <filesystem>
#include <optional>

#include "agent/model_access.h"
#include "gemini/model_info.h"
#include "net/transport.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "util/cancel.h"
#include "util/log.h"

namespace yume::strategies {

struct LimitsDeps {
  platform::FileSystem& files;
  net::Transport& transport;
  const platform::Clock& clock;
  Log& log;
};

// `cache` is the folder for answers; empty: nothing is kept.
gemini::ModelInfo learn_limits(gemini::ModelInfo known, const agent::Route& route,
                               const std::filesystem::path& cache, const LimitsDeps& deps,
                               const CancelToken& cancel);

}  // namespace yume::strategies
