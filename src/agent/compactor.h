// SPDX-License-Identifier: MIT
// Makes a conversation fit its model's window again: the older part is summed up by the model
// itself, the recent part stays word for word, no call is ever parted from its result. The original
// stays on disk, and in place, until the summary is durable. On the turn's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/model_client.h"
#include "core/event.h"
#include "core/hooks.h"
#include "core/turn_port.h"
#include "core/usage.h"
#include "gemini/history.h"
#include "gemini/request.h"
#include "util/cancel.h"

namespace yume::agent {

// A conversation in the server's form, and where the records of each content begin.
struct KeptHistory {
  gemini::History contents;
  std::vector<std::size_t> starts;  // positions of records, one for each content

  // After something was added whose records begin there.
  void note(std::size_t start) { starts.resize(contents.size(), start); }
};

struct CompactionRequest {
  core::CompactionTrigger trigger = core::CompactionTrigger::automatic;
  std::string focus = {};         // what the summary should dwell on
  std::string instructions = {};  // what hooks say about it
  std::int64_t tokens = 0;        // of the whole request as it is
  std::int64_t estimate = 0;      // the same by estimate alone, as contents are measured
  std::int64_t window = 0;        // of the model
  std::int64_t keep_tokens = 0;   // this much of the recent past stays
  std::string carried_over = {};  // goes behind the summary
  std::string user_request = {};  // too, unless it is among what stays
};

enum class CompactionEnd { done, nothing_to_do, failed, cancelled };

struct CompactionResult {
  CompactionEnd end = CompactionEnd::nothing_to_do;
  std::string reason = {};  // of a failure
  std::vector<core::Usage> billed = {};
};

class Compactor {
 public:
  // `settings`: of the session's requests; prompt and tools are the compactor's own.
  Compactor(ModelClient& client, gemini::ModelInfo model, gemini::RequestSettings settings,
            core::Hooks& hooks);

  // The session goes on with this model and these settings.
  void use(gemini::ModelInfo model, gemini::RequestSettings settings);

  CompactionResult run(CompactionRequest request, KeptHistory& history, core::TurnPort& port,
                       const CancelToken& cancel);

 private:
  struct Summary;

  // What the hooks say, put into the request; a result when it is not to be.
  std::optional<CompactionResult> ask_hooks(CompactionRequest& request, core::EventSink& sink,
                                            const CancelToken& cancel);
  Summary sum_up(const CompactionRequest& request, const KeptHistory& history, std::size_t cut,
                 core::EventSink& sink, const CancelToken& cancel);
  Summary ask(gemini::History asked, const CompactionRequest& request, core::EventSink& sink,
              const CancelToken& cancel);

  ModelClient& client_;
  gemini::RequestEncoder encoder_;
  core::Hooks& hooks_;
};

// Before which content to cut so that at most `keep_tokens` stay, as many of them as possible;
// 0 when there is no place. What awaits an answer always stays.
std::size_t choose_cut(const gemini::History& history, std::int64_t keep_tokens);

}  // namespace yume::agent
