// SPDX-License-Identifier: MIT
// Web search by Gemini's own grounding: one request to the session's model with the server's
// search as its only tool, which older models take only without functions beside it. One search at
// a time, since the way to the model is one.
#pragma once

#include <mutex>
#include <vector>

#include "agent/model_client.h"
#include "gemini/model_info.h"
#include "gemini/request.h"
#include "tools/web/web_searcher.h"

namespace yume::agent {

class GroundedSearcher final : public tools::web::WebSearcher {
 public:
  // `settings`: of the session's requests; prompt and tools are the searcher's own. The client must
  // not be in use by others during a search.
  GroundedSearcher(ModelClient& client, gemini::ModelInfo model, gemini::RequestSettings settings);

  // The session goes on with this model and these settings. Not during a search.
  void use(gemini::ModelInfo model, gemini::RequestSettings settings);

  Result<tools::web::SearchAnswer> search(const tools::web::SearchRequest& request,
                                          const CancelToken& cancel) override;
  std::vector<core::Usage> take_billed() override;

 private:
  ModelClient& client_;
  gemini::RequestEncoder encoder_;
  std::mutex mutex_;
  std::vector<core::Usage> billed_;
};

}  // namespace yume::agent
